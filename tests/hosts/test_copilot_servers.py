"""Copilot's names for the tools of MCP servers, and what rules know them by."""

from __future__ import annotations

import json

import pytest

from interlock.event import PermissionRequest, PreToolUse
from interlock.hosts import dialect_of

ABOUT = {"session_id": "s", "timestamp": "2026-01-02T03:04:05.678Z", "cwd": "/w/project"}


def read(tool: str) -> PreToolUse:
    payload = {"hook_event_name": "PreToolUse", **ABOUT, "tool_name": tool, "tool_input": {"amount": 5}}
    event = dialect_of("copilot").decode(json.dumps(payload).encode())
    assert isinstance(event, PreToolUse)
    return event


def test_a_tool_is_known_by_its_server_as_everywhere():
    assert read("pay_desk-send_money").tool_name == "mcp__pay_desk__send_money"


def test_a_name_that_can_be_read_in_several_ways_is_judged_in_all_of_them():
    parts = read("pay-desk-send").parts or []
    assert [part.tool_name for part in parts] == [
        "mcp__pay__desk-send", "mcp__pay__desk_send", "mcp__pay-desk__send", "mcp__pay_desk__send",
    ]  # fmt: skip
    assert [part.tool_input for part in parts] == [{"amount": 5}] * 4


def test_a_dash_may_stand_for_a_dot_which_policies_know_as_an_underscore():
    """Copilot calls the tool `send.all` of the server `my-desk` so; Claude Code calls it `send_all`."""
    names = {part.tool_name for part in read("my-desk-send-all").parts or []}
    assert "mcp__my-desk__send_all" in names


@pytest.mark.parametrize("tool", ["read_bash", "-", "a-", "-a"])
def test_other_names_stay_as_they_are(tool: str):
    event = read(tool)
    assert (event.tool_name, event.parts) == (tool, None)


def test_a_prompt_names_the_server_with_a_slash():
    about = {"sessionId": "s", "timestamp": 1, "cwd": "/w/project", "permissionSuggestions": []}
    call = {"toolName": "pay_desk/send_money", "toolInput": {"amount": 5}}
    event = dialect_of("copilot").decode(json.dumps({"hookName": "permissionRequest", **about, **call}).encode())
    assert isinstance(event, PermissionRequest)
    assert event.tool_name == "mcp__pay_desk__send_money"
