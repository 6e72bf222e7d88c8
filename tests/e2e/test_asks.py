"""Calls of the real client that wait for a person: nobody sits in front of it, and somebody answers elsewhere."""

from __future__ import annotations

import os
import signal
from contextlib import closing
from typing import Any

import pytest

from interlock.store.asking import ApprovalRequest
from interlock.store.sqlite import SqliteStore
from tests.e2e.interactive import Interactive
from tests.e2e.model import bash
from tests.e2e.session import Session
from tests.person import Person, no, statuses, yes
from tests.screen import ENTER, ESCAPE
from tests.waiting import until

both = pytest.mark.parametrize("session", ["current", "older"], indirect=True)
ASK = "{id: make, command: touch, ask: Make the file?}"
NO_COPY = "{id: no-copy, command: cp, deny: Never copy.}"


@both
def test_a_call_of_a_headless_client_waits_and_runs_once_a_person_says_yes(session: Session):
    session.guard(ASK)
    with Person(session.store, yes) as person:
        ran = session.run(bash("touch made"), "Done.")
    (request,) = person.asked
    assert (request.tool, request.host, request.project) == ("Bash", "claude-code", str(session.project))
    assert (session.has("made"), [one.error for one in ran.results()]) == (True, [False])


def test_a_yes_with_an_edit_runs_the_edited_call(session: Session):
    session.guard(ASK, NO_COPY)
    with Person(session.store, lambda store, request: yes(store, request, edit={"command": "touch other"})):
        session.run(bash("touch made"), "Done.")
    assert (session.has("made"), session.has("other")) == (False, True)


def test_an_edit_into_something_denied_stays_denied(session: Session):
    session.guard(ASK, NO_COPY)
    session.write("a", "x")
    with Person(session.store, lambda store, request: yes(store, request, edit={"command": "cp a b"})):
        ran = session.run(bash("touch made"), "Done.")
    assert [one.text.endswith("Never copy.") for one in ran.results()] == [True]
    assert (session.has("made"), session.has("b")) == (False, False)


@both
def test_the_model_reads_a_no_with_its_note(session: Session):
    session.guard(ASK)
    refuse = Person(session.store, lambda store, request: no(store, request, "Not on a Friday."))
    with refuse:
        ran = session.run(bash("touch made"), "Done.")
    (result,) = ran.results()
    assert result.text.endswith("ann did not approve this call: Not on a Friday.")
    assert not session.has("made")


def test_without_an_answer_the_call_is_denied_and_a_late_yes_lets_the_next_try_run(session: Session):
    session.guard(ASK, top="inbox: {wait: 1s}\n")

    def late() -> Any:
        with closing(SqliteStore(session.store)) as store:
            (request,) = store.requests(["open"])
            yes(store, request)
        return bash("touch made")

    ran = session.run(bash("touch made"), late, "Done.")
    first, second = ran.results()
    assert "no one answered within 1 s. The request stays open" in first.text
    assert (first.error, second.error, session.has("made")) == (True, False, True)
    assert "no one answered in time about a call of Bash, so it was denied; `interlock inbox` shows" in ran.stdout


def test_a_daemon_that_is_killed_while_a_call_waits_lets_nothing_through_and_keeps_the_request(session: Session):
    session.guard(ASK)

    def kill(store: SqliteStore, request: ApprovalRequest) -> None:
        os.kill(int((session.socket.parent / "pid").read_text(encoding="ascii")), signal.SIGKILL)

    seen: list[list[str]] = []

    def done() -> str:
        session.interlock("inbox", "--list")  # whoever looks finds out that nobody waits any more
        seen.append(statuses(session.store))
        return "Done."

    with Person(session.store, kill):
        ran = session.run(bash("touch made"), done)
    assert ([one.error for one in ran.results()], seen) == ([True], [["open"]])
    assert not session.has("made")


def test_a_call_over_http_waits_too(session: Session):
    session.guard(ASK)
    session.install("--transport", "http", "--client", str(session.client))
    with Person(session.store, yes):
        session.run(bash("touch made"), "Done.")
    assert session.has("made")


def test_a_prompt_tool_is_somebody_in_front_of_the_client(session: Session):
    session.guard(ASK)
    session.run(bash("touch made"), "Done.", person="yes")
    assert (session.has("made"), statuses(session.store)) == (True, [])


# --- in front of a person ----------------------------------------------------------------------------------------

BOTH = "{id: make, command: touch, ask: Make the file?, approve: both}"
PROMPT = "Do you want to proceed?"


def test_an_interactive_client_asks_at_its_own_prompt(session: Session):
    session.guard(ASK)
    with Interactive(session, bash("touch made"), "All done.") as client:
        client.sees(PROMPT)
        client.press(ENTER)
        client.sees("All done.")
    assert (session.has("made"), statuses(session.store)) == (True, [])


def test_an_answer_in_the_inbox_closes_the_prompt_of_an_interactive_client(session: Session):
    session.guard(BOTH)
    with Interactive(session, bash("touch made"), "All done.") as client:
        client.sees(PROMPT)
        with Person(session.store, lambda store, request: yes(store, request, edit={"command": "touch other"})):
            client.sees("All done.")
    assert (session.has("made"), session.has("other")) == (False, True)


def test_a_no_in_the_inbox_closes_the_prompt_too(session: Session):
    session.guard(BOTH)
    with Interactive(session, bash("touch made"), "All done.") as client:
        client.sees(PROMPT)
        with Person(session.store, lambda store, request: no(store, request, "Not now.")):
            client.sees("All done.")
    assert not session.has("made")


def test_an_answer_at_the_prompt_ends_the_request_in_the_inbox(session: Session):
    session.guard(BOTH)
    with Interactive(session, bash("touch made"), "All done.") as client:
        client.sees(PROMPT)
        until(lambda: statuses(session.store) == ["waiting"])
        client.press(ENTER)
        client.sees("All done.")
        until(lambda: statuses(session.store) == ["over"])
    assert session.has("made")


def test_a_call_that_waits_in_the_inbox_is_given_up_with_escape_and_stays_open(session: Session):
    session.guard("{id: make, command: touch, ask: Make the file?, approve: inbox}")
    with Interactive(session, bash("touch made"), "All done.") as client:
        until(lambda: session.store.exists() and statuses(session.store) == ["waiting"], within=40)
        client.press(ESCAPE)
        until(lambda: statuses(session.store) == ["open"])
    assert not session.has("made")
