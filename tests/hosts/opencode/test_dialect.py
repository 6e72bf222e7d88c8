"""What the plugin sends, in the words of policies."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import json

from interlock.errors import InterlockError
from interlock.event import ToolEvent
from interlock.hosts.opencode.dialect import DIALECT


def decoded(tool: str, args: dict[str, Any], *servers: str, cwd: str = "/w/project") -> ToolEvent:
    about = {"hook_event_name": "tool.execute.before", "session_id": "s", "cwd": cwd, "call_id": "c"}
    event = DIALECT.decode(json.encode({**about, "tool": tool, "args": args, "servers": servers}))
    assert isinstance(event, ToolEvent)
    return event


def names(event: ToolEvent) -> list[str]:
    return [part.tool_name for part in event.parts or []] or [event.tool_name]


@pytest.mark.parametrize(
    ("tool", "servers", "judged"),
    [
        ("pay_ments_refund", ["pay.ments", "github"], ["mcp__pay_ments__refund"]),
        ("todo_list", ["github"], ["todo_list"]),
        ("github_", ["github"], ["github_"]),
        ("a_b_c", ["a", "a_b"], ["mcp__a__b_c", "mcp__a_b__c"]),
    ],
)
def test_a_tool_of_a_server_is_judged_as_every_tool_that_its_name_can_mean(tool, servers, judged):
    assert names(decoded(tool, {"amount": 5}, *servers)) == judged


def test_a_server_cannot_pass_its_tool_off_as_one_of_opencode():
    patch = "*** Begin Patch\n*** Add File: notes\n+text\n*** End Patch"
    assert names(decoded("apply_patch", {"patchText": patch}, "apply")) == ["mcp__apply__patch", "Write"]


@pytest.mark.parametrize(("workdir", "cwd"), [("src", "/w/project/src"), ("../x", "/w/x"), ("/etc", "/etc")])
def test_a_command_is_judged_where_it_runs(workdir, cwd):
    assert decoded("bash", {"command": "ls", "workdir": workdir}).cwd == cwd


@pytest.mark.parametrize(
    ("more", "agent", "mode"),
    [
        ({"agent_id": "ses_2", "agent": "reviewer"}, "reviewer", None),
        ({"agent_id": "ses_2", "agent": "plan"}, "plan", None),
        ({"agent_id": "ses_2"}, None, None),
        ({"agent": "plan"}, None, "plan"),
        ({"agent": "build"}, None, None),
        ({}, None, None),
    ],
)
def test_a_subagent_has_its_type_and_an_agent_that_only_plans_its_mode(more, agent, mode):
    about = {"hook_event_name": "tool.execute.before", "session_id": "s", "cwd": "/w", "call_id": "c"}
    event = DIALECT.decode(json.encode({**about, "tool": "bash", "args": {"command": "ls"}, "servers": [], **more}))
    assert (event.agent_id, event.agent_type, event.permission_mode) == (more.get("agent_id"), agent, mode)


@pytest.mark.parametrize("payload", [{"servers": "github"}, {"args": [1]}, {"tool": 7}, {"args": {"filePath": 7}}])
def test_a_call_that_cannot_be_read_is_refused(payload):
    about = {"hook_event_name": "tool.execute.before", "session_id": "s", "cwd": "/w", "call_id": "c"}
    given = {"tool": "write", "args": {"filePath": "a", "content": "b"}, "servers": [], **payload}
    with pytest.raises(InterlockError):
        DIALECT.decode(json.encode({**about, **given}))
