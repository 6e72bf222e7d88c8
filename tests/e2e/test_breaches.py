"""A client that is made to ignore us: what it ran is noticed, and the session is stopped."""

from __future__ import annotations

import json

import pytest

from tests.e2e.model import bash
from tests.e2e.session import Session

both = pytest.mark.parametrize("session", ["current", "older"], indirect=True)
NO_TOUCH = "{id: no-touch, command: touch, deny: Use mkdir instead.}"
SWALLOW = ["-c", '"$@" > /dev/null 2>&1; exit 0', "sh"]


def ignoring(session: Session, how: str) -> None:
    """Have the client go on with calls whatever we say about them; every other event reaches us."""
    settings = json.loads(session.settings.read_text(encoding="utf-8"))
    (group,) = settings["hooks"]["PreToolUse"]
    (entry,) = group["hooks"]
    if how == "never asked":
        del settings["hooks"]["PreToolUse"]
    elif how == "not waited for":
        del entry["onFailure"]
        entry["async"] = True
    else:
        entry.update(command="/bin/sh", args=[*SWALLOW, entry["command"], *entry["args"]])
    session.settings.write_text(json.dumps(settings), encoding="utf-8")


@both
@pytest.mark.parametrize("how", ["never asked", "not waited for", "answer swallowed"])
def test_a_call_that_ran_against_our_word_stops_the_session(session: Session, how: str):
    session.guard(NO_TOUCH)
    ignoring(session, how)
    ran = session.run(bash("touch ran"), bash("mkdir next"), "Done.")
    assert (session.has("ran"), session.has("next")) == (True, False)
    assert len(ran.of()) == 1
    assert "Interlock stopped this session" in ran.stdout
    assert "BREACH: Bash (toolu_0001) ran " in session.interlock("log")


def test_a_breach_is_remembered_when_the_session_is_taken_up_again(session: Session):
    session.guard(NO_TOUCH)
    ignoring(session, "not waited for")
    ran = session.run(bash("touch ran"), "Done.")
    session.install()
    session.run(bash("mkdir next"), "Done.", args=("--resume", ran.session_id))
    assert not session.has("next")


@both
@pytest.mark.parametrize("between", ["nothing", "the daemon ends", "the policy changes"])
def test_a_session_that_is_resumed_is_no_breach(session: Session, between: str):
    session.guard(NO_TOUCH)
    first = session.run(bash("mkdir one"), "Done.")
    if between == "the daemon ends":
        session.interlock("stop")
    elif between == "the policy changes":
        session.guard(NO_TOUCH, "{id: no-mv, command: mv, deny: No mv.}")
    resume = ("--resume", first.session_id)
    again = session.run(bash("mkdir two"), bash("touch denied"), "Done.", prompt="Go on.", args=resume)
    assert (session.has("one"), session.has("two"), session.has("denied")) == (True, True, False)
    assert "stopped this session" not in again.stdout
    assert not [record for record in session.records() if record.record.get("breach")]
