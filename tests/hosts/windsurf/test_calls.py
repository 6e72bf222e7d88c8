"""Cascade's events in the words of policies."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec import json

from interlock.errors import InterlockError
from interlock.event import PostToolUse, Stop, ToolEvent, UserPromptSubmit
from interlock.hosts import HOSTS
from interlock.hosts.windsurf.dialect import DIALECT
from interlock.hosts.windsurf.entry import event_of_entry

Calls = list[tuple[str, dict[str, Any]]]


def payload(event: str, info: Any, **more: Any) -> bytes:
    about = {"trajectory_id": "t-1", "execution_id": "e-1", "timestamp": "2026-11-15T07:02:12.569Z"}
    return json.encode({"agent_action_name": event, **about, "tool_info": info, **more})


def judged(raw: bytes) -> Calls:
    event = DIALECT.decode(raw)
    assert isinstance(event, ToolEvent)
    if event.parts is None:
        return [(event.tool_name, event.tool_input)]
    return [(part.tool_name, part.tool_input) for part in event.parts]


def edit(old: str, new: str) -> dict[str, str]:
    return {"old_string": old, "new_string": new}


@pytest.mark.parametrize(
    ("edits", "expected"),
    [
        ([edit("a", "b")], [("Edit", {"file_path": "/w/f", **edit("a", "b")})]),
        ([edit("", "b")], [("Write", {"file_path": "/w/f", "content": "b"})]),
        ([{"new_string": "b"}], [("Write", {"file_path": "/w/f", "content": "b"})]),
        ([], [("Write", {"file_path": "/w/f", "content": ""})]),
        (
            [edit("a", "b"), edit("c", "")],
            [("Edit", {"file_path": "/w/f", **edit("a", "b")}), ("Edit", {"file_path": "/w/f", **edit("c", "")})],
        ),
    ],
)
def test_every_edit_of_a_write_is_judged(edits: list[dict[str, str]], expected: Calls):
    assert judged(payload("pre_write_code", {"file_path": "/w/f", "edits": edits})) == expected


@pytest.mark.parametrize(
    ("server", "tool", "expected"),
    [("github", "create_issue", "mcp__github__create_issue"), ("my server", "a.b", "mcp__my_server__a_b")],
)
def test_a_tool_of_a_server_is_named_after_it(server: str, tool: str, expected: str):
    info = {"mcp_server_name": server, "mcp_tool_name": tool, "mcp_tool_arguments": {"amount": 5}}
    assert judged(payload("pre_mcp_tool_use", info)) == [(expected, {"amount": 5})]
    assert judged(payload("pre_mcp_tool_use", {**info, "mcp_tool_arguments": None})) == [(expected, {})]


def test_only_the_results_of_servers_come_with_what_they_say():
    info = {"mcp_server_name": "a", "mcp_tool_name": "b", "mcp_tool_arguments": {}, "mcp_result": "12 rows"}
    of_server, of_command = (
        DIALECT.decode(payload("post_mcp_tool_use", info)),
        DIALECT.decode(payload("post_run_command", {"command_line": "ls", "cwd": "/w"})),
    )
    assert isinstance(of_server, PostToolUse)
    assert isinstance(of_command, PostToolUse)
    assert (of_server.tool_response, of_server.tool_input, of_command.tool_response) == ("12 rows", {}, None)


def test_a_call_and_its_result_have_the_same_input():
    info = {"file_path": "/w/f", "edits": [edit("a", "b")]}
    assert judged(payload("pre_write_code", info)) == judged(payload("post_write_code", info))


@pytest.mark.parametrize(
    ("event", "info"),
    [
        ("pre_write_code", {"file_path": "/w/f"}),
        ("pre_write_code", {"file_path": "/w/f", "edits": "x"}),
        ("pre_write_code", {"file_path": "/w/f", "edits": [{"old_string": "a"}]}),
        ("pre_write_code", {"edits": [{"old_string": "a", "new_string": "b"}]}),
        ("pre_read_code", {}),
        ("pre_run_command", {"line": "ls"}),
        ("pre_mcp_tool_use", {"mcp_server_name": "a", "mcp_tool_arguments": {}}),
        ("pre_mcp_tool_use", {"mcp_server_name": "a", "mcp_tool_name": "b", "mcp_tool_arguments": "{}"}),
        ("pre_run_command", None),
        ("PreToolUse", {"file_path": "/w/f"}),
        (None, {}),
    ],
)
def test_an_event_that_cannot_be_read_is_refused(event: Any, info: Any):
    with pytest.raises(InterlockError):
        DIALECT.decode(payload(event, info))


def test_prompts_and_the_end_of_a_turn_are_read():
    prompt = DIALECT.decode(payload("pre_user_prompt", {"user_prompt": "say hello"}))
    end = DIALECT.decode(payload("post_cascade_response", {"response": "Hello."}))
    assert isinstance(prompt, UserPromptSubmit)
    assert isinstance(end, Stop)
    assert (prompt.prompt, prompt.session_id, end.last_assistant_message) == ("say hello", "t-1", "Hello.")


def test_an_event_comes_from_where_its_command_runs_or_else_from_where_its_entry_does():
    command = payload("pre_run_command", {"command_line": "ls", "cwd": "/w/web"})
    read = payload("pre_read_code", {"file_path": "/w/f"})
    assert DIALECT.decode(event_of_entry(command, ["/w"])).cwd == "/w/web"
    assert DIALECT.decode(event_of_entry(read, ["/w"])).cwd == "/w"
    assert event_of_entry(b"{", ["/w"]) == b"{"


def test_a_folder_is_read_with_everything_in_it(tmp_path: Path):
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").touch()
    folder, file = (
        event_of_entry(payload("pre_read_code", {"file_path": path}), [str(tmp_path)]) for path in ("src", "src/a.py")
    )
    assert judged(folder) == [("Read", {"file_path": "src"}), ("Grep", {"pattern": "", "path": "src"})]
    assert judged(file) == [("Read", {"file_path": "src/a.py"})]
    written = payload("pre_write_code", {"file_path": "src", "edits": [edit("", "x")]})
    assert judged(event_of_entry(written, [str(tmp_path)])) == [("Write", {"file_path": "src", "content": "x"})]


def test_its_events_are_told_from_those_of_others_by_a_field_that_only_it_sends():
    recognises = HOSTS["windsurf"].recognises
    assert recognises({}, {"agent_action_name": "pre_run_command", "tool_info": {}})
    assert not recognises({"WINDSURF": "1"}, {"hook_event_name": "PreToolUse", "tool_info": {}})
