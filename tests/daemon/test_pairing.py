"""The results of calls that their host does not name are known to be theirs."""

from __future__ import annotations

from typing import Any

from interlock.daemon.pairing import Pairs, new_call
from interlock.event import Event, event_from
from tests.builders import payload


def call(command: str, **more: Any) -> Event:
    return event_from(payload("PreToolUse", tool_name="Bash", tool_input={"command": command}, **more))


def result(command: str, **more: Any) -> Event:
    about = {"tool_name": "Bash", "tool_input": {"command": command}, "tool_response": "", **more}
    return event_from(payload("PostToolUse", **about))


def id_of(event: Event) -> str:
    return str(getattr(event, "tool_use_id"))  # noqa: B009 - only events about calls have one


def test_a_call_gets_an_id_and_its_result_the_same():
    pairs = Pairs()
    named = pairs.name(call("ls"), "c-1")
    pairs.expect(named, {"command": "ls"}, "c-1")
    assert (id_of(named), id_of(pairs.name(result("ls"), ""))) == ("c-1", "c-1")


def test_a_result_comes_once():
    pairs = Pairs()
    pairs.expect(call("ls"), {"command": "ls"}, "c-1")
    assert [id_of(pairs.name(result("ls"), "")) for _ in range(2)] == ["c-1", ""]


def test_of_two_calls_that_are_alike_the_older_one_gets_the_first_result():
    pairs = Pairs()
    for number in (1, 2):
        pairs.expect(call("ls"), {"command": "ls"}, f"c-{number}")
    assert [id_of(pairs.name(result("ls"), "")) for _ in range(2)] == ["c-1", "c-2"]


def test_a_call_that_was_changed_is_known_by_what_ran():
    pairs = Pairs()
    pairs.expect(call("ls"), {"command": "ls -a"}, "c-1")
    assert id_of(pairs.name(result("ls"), "")) == ""
    assert id_of(pairs.name(result("ls -a"), "")) == "c-1"


def test_another_session_or_agent_is_another_call():
    pairs = Pairs()
    pairs.expect(call("ls"), {"command": "ls"}, "c-1")
    assert id_of(pairs.name(result("ls", session_id="s-2"), "")) == ""
    assert id_of(pairs.name(result("ls", agent_id="a-1"), "")) == ""


def test_what_its_host_names_keeps_its_name():
    pairs = Pairs()
    pairs.expect(call("ls"), {"command": "ls"}, "c-1")
    assert id_of(pairs.name(call("ls", tool_use_id="own"), "c-2")) == "own"
    assert id_of(pairs.name(result("ls", tool_use_id="own"), "")) == "own"


def test_no_two_calls_get_the_same_id():
    assert len({new_call() for _ in range(1000)}) == 1000
