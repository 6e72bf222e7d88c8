"""Qwen's names for the tools of MCP servers: one that it had to change ends in a hash, and is known by both names."""

from __future__ import annotations

import pytest
from msgspec import json

from interlock.event import PostToolBatch, PreToolUse
from interlock.hosts import dialect_of

ABOUT = {"session_id": "s", "transcript_path": "", "cwd": "/w", "permission_mode": "default"}


def read(tool: str) -> PreToolUse:
    call = {"tool_name": tool, "tool_input": {"amount": 5}, "tool_use_id": "c"}
    event = dialect_of("qwen").decode(json.encode({**ABOUT, "hook_event_name": "PreToolUse", **call}))
    assert isinstance(event, PreToolUse)
    return event


def test_a_name_with_a_hash_is_judged_without_it_and_with_it():
    """What Qwen 0.24.4 called the tool `send` of the server `my.server`."""
    event = read("mcp__my_server__send_0lvhuqc")
    assert event.tool_name == "mcp__my_server__send"
    assert [part.tool_name for part in event.parts or ()] == ["mcp__my_server__send", "mcp__my_server__send_0lvhuqc"]
    assert [part.tool_input for part in event.parts or ()] == [{"amount": 5}] * 2


@pytest.mark.parametrize(
    "tool",
    ["mcp__desk__send", "mcp__desk__get_account", "mcp__desk__send_2lvhuqc", "mcp__desk__send_0lvhuq", "send_0lvhuqc"],
)
def test_any_other_name_is_what_it_is(tool: str):
    event = read(tool)
    assert (event.tool_name, event.parts) == (tool, None)


def test_a_finished_batch_names_its_calls_as_they_were_named_before():
    call = {"tool_name": "mcp__my_server__send_0lvhuqc", "tool_input": {}, "tool_use_id": "c", "tool_response": "ok"}
    raw = json.encode(
        {**ABOUT, "hook_event_name": "PostToolBatch", "tool_calls": [call, {**call, "tool_name": "edit"}]}
    )
    event = dialect_of("qwen").decode(raw)
    assert isinstance(event, PostToolBatch)
    assert [one.tool_name for one in event.tool_calls] == ["mcp__my_server__send", "Edit"]
