"""Subagents of the real client: what they are told, and that they are judged too."""

from __future__ import annotations

import pytest

from tests.e2e.model import Call, bash
from tests.e2e.session import Session

both = pytest.mark.parametrize("session", ["current", "older"], indirect=True)
SCOUT = "Scout the land."


def scout(**more: str) -> Call:
    return Call("Agent", {"description": "a scout", "prompt": SCOUT, "subagent_type": "general-purpose", **more})


@both
def test_context_reaches_a_subagent_that_starts(session: Session):
    """S3-05"""
    session.guard("{id: briefed, event: SubagentStart, context: The bridge is down.}")
    ran = session.run(scout(), "Done.", agents={SCOUT: ["Nothing there."]})
    assert "The bridge is down." in "\n".join(ran.of(SCOUT)[0].texts())
    assert "The bridge is down." not in ran.texts()


@both
def test_without_context_a_subagent_starts_as_usual(session: Session):
    """S3-06"""
    session.guard("{id: no-touch, command: touch, deny: Use mkdir instead.}")
    ran = session.run(scout(), "Done.", agents={SCOUT: [bash("mkdir found"), "Nothing there."]})
    assert session.has("found")
    assert len(session.records("SubagentStart")) == 1
    assert "Interlock" not in ran.texts(SCOUT)
    assert "Nothing there." in ran.results()[0].text


@both
def test_what_a_subagent_does_is_denied_and_the_subagent_is_told_why(session: Session):
    session.guard("{id: scouts-look, agent: general-purpose, command: touch, deny: Scouts only look.}")
    ran = session.run(scout(), bash("touch mine"), "Done.", agents={SCOUT: [bash("touch found"), "Nothing there."]})
    (result,) = ran.results(SCOUT)
    assert "Scouts only look." in result.text
    assert (session.has("found"), session.has("mine")) == (False, True)
