"""Prompts of the host beside which a person is asked in the inbox: which call each is about, and when it is over."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from interlock.daemon.frames import HookRequest
from interlock.daemon.prompts import Prompts, prompt_answer
from interlock.event import Event
from interlock.hosts import Reply, dialect_of
from interlock.verdict import Opinion, Verdict, combine
from tests.daemon.spawned import event

RUNS = {"command": "git push"}


def read(name: str, **fields: Any) -> Event:
    return dialect_of("claude-code").decode(raw(name, **fields))


def raw(name: str, **fields: Any) -> bytes:
    tool: dict[str, Any] = {"tool_name": "Bash", "tool_input": RUNS} if name == "PermissionRequest" else {}
    return event(name, **tool, **fields)


def prompts_with(**fields: Any) -> Prompts:
    prompts = Prompts()
    request = HookRequest("PreToolUse", Path("/"), b"{}")
    prompts.add(read("PreToolUse", **fields), RUNS, request)
    return prompts


def test_a_prompt_is_known_by_its_session_agent_tool_and_input():
    prompts = prompts_with()
    for other in ({"session": "s2"}, {"agent_id": "a"}):
        with prompts.on_screen(read("PermissionRequest", **other)) as found:
            assert found is None
    with prompts.on_screen(read("PermissionRequest")) as found:
        assert found is not None
    with prompts.on_screen(read("PermissionRequest")) as found:
        assert found is None  # it is about that call, and no other


@pytest.mark.parametrize(
    ("name", "fields", "is_over"),
    [
        ("PostToolUse", {"tool_response": {}}, True),
        ("PostToolUse", {"tool_response": {}, "tool_use_id": "t2"}, False),
        ("PostToolUse", {"tool_response": {}, "session": "s2"}, False),
        ("Stop", {"stop_hook_active": False}, True),
        ("Notification", {"message": "x"}, False),
    ],
)
def test_a_prompt_is_over_once_something_comes_that_comes_after_it(name: str, fields: dict[str, Any], is_over: bool):
    prompts = prompts_with()
    with prompts.on_screen(read("PermissionRequest")) as found:
        assert found is not None
        prompts.hear(HookRequest(name, Path("/"), raw(name, **fields)))
        assert found.over.is_set() is is_over


def answer_to(verdict: Verdict) -> Any:
    reply = prompt_answer("claude-code", read("PermissionRequest"), Reply(stdout=b"", verdict=verdict))
    return reply.stdout


def test_a_yes_that_changes_nothing_lets_the_call_run_as_it_is():
    verdict = combine([Opinion(by="ann", decision="allow", reason="ann approved this call")], RUNS)
    assert answer_to(verdict) == (
        b'{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}'
    )


def test_an_edit_goes_along_and_anything_but_a_yes_is_a_no():
    edit = Opinion(by="ann", decision="allow", reason="ann approved this call", change={"command": "git pull"})
    assert b'"updatedInput":{"command":"git pull"}' in answer_to(combine([edit], RUNS))
    assert b'"behavior":"deny","message":"No."' in answer_to(
        combine([Opinion(by="ann", decision="deny", reason="No.")], RUNS)
    )
    assert b'"behavior":"deny"' in answer_to(Verdict(decision="defer", original=RUNS, input=RUNS))
