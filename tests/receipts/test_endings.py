"""A turn that Interlock ends is recorded as such, and said on stderr when the session is over."""

from __future__ import annotations

from typing import Any

import pytest

from interlock import hook
from interlock.receipts.endings import LastTurn, last_turn
from tests.receipts.sessions import Session, said


def ended(session: Session) -> str | None:
    found: str | None = session.last().record.get("ended")
    return found


def over(session: Session) -> tuple[str, int]:
    reply = session.send("SessionEnd", reason="other")
    return reply.stderr, reply.exit_code


@hook("PostToolUse")
def broken(call: Any) -> None:
    raise KeyError("limits")


def test_an_ordinary_turn_ends_nothing_and_its_session_ends_without_a_word():
    session = Session()
    session.prompt()
    session.pre("c-1", command="ls")
    session.post("c-1", command="ls")
    session.batch(("c-1", "done"))
    session.send("Stop", stop_hook_active=False)
    assert [record.record.get("ended") for record in session.store.records()] == [None] * 5
    assert over(session) == ("", 0)
    assert last_turn(session.store, "s-1") == LastTurn(is_finished=True)


def test_a_result_that_was_withheld_ends_nothing():
    session = Session(broken)
    session.prompt()
    session.pre("c-1", command="ls")
    assert "continue" not in said(session.post("c-1", command="ls"))
    assert ended(session) is None


def test_a_result_that_takes_no_text_ends_the_turn_and_is_said_in_the_end():
    session = Session(broken)
    session.prompt()
    session.pre("c-1", command="ls")
    answer = said(session.post("c-1", response={"data": "aGk="}, command="ls"))
    assert (answer["continue"], "KeyError" in answer["systemMessage"]) == (False, True)
    assert ended(session) is not None
    text, code = over(session)
    assert (text.startswith("Interlock ended the last turn of this session: "), code) == (True, 2)


def test_a_breach_is_said_in_the_end():
    session = Session()
    session.prompt()
    session.post("c-1", command="ls")
    assert ended(session) is not None
    text, code = over(session)
    assert text.startswith("Interlock stopped this session: Bash (c-1) ran without a receipt")
    assert code == 2


@pytest.mark.parametrize("whole", [True, False])
def test_where_not_every_event_reaches_us_nothing_is_said_in_the_end(whole: bool):
    session = Session(broken, whole=whole)
    session.prompt()
    session.pre("c-1", command="ls")
    session.post("c-1", response={"data": "aGk="}, command="ls")
    assert ended(session) is not None
    assert over(session)[1] == (2 if whole else 0)


def test_a_turn_that_went_well_afterwards_is_what_counts():
    session = Session(broken)
    session.prompt()
    session.pre("c-1", command="ls")
    session.post("c-1", response={"data": "aGk="}, command="ls")
    session.prompt()
    session.send("Stop", stop_hook_active=False)
    assert over(session) == ("", 0)
