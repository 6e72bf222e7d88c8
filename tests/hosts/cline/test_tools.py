"""Cline's calls in the words of policies, in every form that its SDK takes."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import json

from interlock.errors import InterlockError
from interlock.event import ToolEvent
from interlock.hosts import HOSTS
from interlock.hosts.cline.dialect import DIALECT


def judged(tool: str, given: Any) -> list[tuple[str, dict[str, Any]]]:
    call = {"id": "c", "name": tool, "input": given}
    raw = json.encode({"hookName": "tool_call", "taskId": "t", "workspaceRoots": ["/w"], "tool_call": call})
    event = DIALECT.decode(raw)
    assert isinstance(event, ToolEvent)
    if event.parts is None:
        return [(event.tool_name, event.tool_input)]
    return [(part.tool_name, part.tool_input) for part in event.parts]


def judged_in_extension(tool: str, parameters: Any) -> list[tuple[str, dict[str, Any]]]:
    call = {"toolName": tool, "parameters": parameters}
    raw = json.encode({"hookName": "PreToolUse", "taskId": "t", "workspaceRoots": ["/w"], "preToolUse": call})
    event = DIALECT.decode(raw)
    assert isinstance(event, ToolEvent)
    if event.parts is None:
        return [(event.tool_name, event.tool_input)]
    return [(part.tool_name, part.tool_input) for part in event.parts]


@pytest.mark.parametrize(
    ("given", "lines"),
    [
        ({"commands": ["ls", "pwd"]}, ["ls", "pwd"]),
        ({"commands": "ls"}, ["ls"]),
        ({"commands": [{"command": "ls", "args": ["a b"]}, "pwd"]}, ["ls 'a b'", "pwd"]),
        ({"command": "ls", "args": ["; pwd"]}, ["ls '; pwd'"]),
        ({"command": "ls; pwd"}, ["ls; pwd"]),
        ({"cmd": "ls"}, ["ls"]),
        (["ls", "pwd"], ["ls", "pwd"]),
        ("ls", ["ls"]),
    ],
)
def test_every_command_of_a_call_is_judged(given: Any, lines: list[str]):
    assert judged("run_commands", given) == [("Bash", {"command": line}) for line in lines]


@pytest.mark.parametrize(
    ("given", "lines"),
    [
        ({"commands": ["ls"], "command": "rm x"}, ["ls", "rm x"]),
        ({"commands": ["rm x"], "command": "ls", "args": []}, ["rm x", "ls"]),
        ({"commands": "ls", "cmd": "rm x"}, ["ls", "rm x"]),
    ],
)
def test_of_several_forms_in_one_call_each_is_judged(given: Any, lines: list[str]):
    """Cline takes one of them, and a model could hide a call behind the other."""
    assert judged("run_commands", given) == [("Bash", {"command": line}) for line in lines]
    hidden = judged("read_files", {"files": ["a"], "path": "b"})
    assert hidden == [("Read", {"file_path": "a"}), ("Read", {"file_path": "b"})]


@pytest.mark.parametrize(
    ("tool", "parameters", "expected"),
    [
        ("run_commands", {"commands": '["rm x","ls"]'}, [("Bash", "rm x"), ("Bash", "ls")]),
        ("run_commands", {"commands": '[{"command":"rm","args":["a b"]}]'}, [("Bash", "rm 'a b'")]),
        ("run_commands", {"commands": "[ -f x ] && rm x"}, [("Bash", "[ -f x ] && rm x")]),
        ("execute_command", {"command": '["rm"]'}, [("Bash", '["rm"]')]),
        ("read_files", {"files": '[{"path":"a"},{"path":"b"}]'}, [("Read", "a"), ("Read", "b")]),
        ("fetch_web_content", {"requests": '[{"url":"https://a.example","prompt":"x"}]'},
         [("WebFetch", "https://a.example")]),
        ("editor", {"path": "a", "old_text": "[1]", "new_text": "[2]", "insert_line": "3"}, [("Edit", "a")]),
    ],
)  # fmt: skip
def test_lists_that_the_extension_sends_as_texts_are_read(tool: str, parameters: Any, expected: list[Any]):
    main = {"Bash": "command", "Read": "file_path", "WebFetch": "url", "Edit": "file_path"}
    assert [(name, given[main[name]]) for name, given in judged_in_extension(tool, parameters)] == expected


def test_texts_of_an_edit_stay_texts_in_the_extension():
    ((_, given),) = judged_in_extension("editor", {"path": "a", "old_text": "[1]", "new_text": '{"a": 2}'})
    assert (given["old_string"], given["new_string"]) == ("[1]", '{"a": 2}')


def test_the_input_of_a_servers_tool_has_its_types_back_in_the_extension():
    given = {"amount": "500", "note": "x", "tags": '["a"]', "urgent": "true"}
    expected = {"amount": 500, "note": "x", "tags": ["a"], "urgent": True}
    assert judged_in_extension("payments__refund", given) == [("mcp__payments__refund", expected)]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("my_server__refund_0a1b2c3d", ["mcp__my_server__refund", "mcp__my_server__refund_0a1b2c3d"]),
        ("payments__refund", ["mcp__payments__refund"]),
        ("github_com_modelcontextprotocol_servers_tree_main_src_g_0a1b2c3d",
         ["mcp__github_com_modelcontextprotocol_servers_tree_main_src_g_0a1b2c3d__shortened"]),
        ("some_tool_0a1b2c3d", ["some_tool_0a1b2c3d"]),
    ],
)  # fmt: skip
def test_a_name_that_cline_had_to_change_is_still_that_of_a_servers_tool(name: str, expected: list[str]):
    assert [tool for tool, _ in judged(name, {})] == expected


@pytest.mark.parametrize(
    "given",
    [
        {"files": [{"path": "a"}, {"file_path": "b"}]},
        {"files": ["a", "b"]},
        {"paths": ["a", "b"]},
        ["a", {"filePath": "b"}],
    ],
)
def test_every_file_that_is_read_is_judged(given: Any):
    assert judged("read_files", given) == [("Read", {"file_path": "a"}), ("Read", {"file_path": "b"})]


def test_an_edit_without_a_text_to_replace_writes_the_file():
    assert judged("editor", {"path": "a", "new_text": "b"}) == [("Write", {"file_path": "a", "content": "b"})]
    (edit,) = judged("editor", {"path": "a", "old_text": "x", "new_text": "y"})
    assert edit == ("Edit", {"file_path": "a", "old_string": "x", "new_string": "y"})


def test_every_block_of_a_replacement_is_an_edit_and_a_text_without_blocks_is_one():
    block = "------- SEARCH\none\n=======\ntwo\n+++++++ REPLACE\n"
    found = judged("replace_in_file", {"path": "a", "diff": block * 2})
    assert found == [("Edit", {"file_path": "a", "old_string": "one\n", "new_string": "two\n"})] * 2
    assert judged("replace_in_file", {"path": "a", "diff": "key"})[0][1]["new_string"] == "key"


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("use_mcp_tool", {"server_name": "payments", "tool_name": "refund", "arguments": '{"amount": 5}'}),
        ("use_mcp_tool", {"server_name": "payments", "tool_name": "refund", "arguments": {"amount": 5}}),
        ("payments__refund", {"amount": 5}),
    ],
)
def test_a_tool_of_a_server_is_named_after_it(tool: str, given: dict[str, Any]):
    assert judged(tool, given) == [("mcp__payments__refund", {"amount": 5})]


def test_a_server_with_blanks_in_its_name_is_known_by_the_name_that_claude_code_gives_it():
    given = {"server_name": "my pay.desk", "tool_name": "refund all", "arguments": "{}"}
    assert judged("use_mcp_tool", given) == [("mcp__my_pay_desk__refund_all", {})]


def test_an_event_comes_from_where_its_script_runs_if_that_is_said():
    """The roots in an event may be those of another window of the editor."""
    about = {"hookName": "tool_call", "taskId": "t", "workspaceRoots": ["/other"]}
    raw = json.encode({**about, "tool_call": {"id": "c", "name": "run_commands", "input": "ls"}})
    envelope = HOSTS["cline"].envelope
    assert envelope is not None
    assert (DIALECT.decode(raw).cwd, DIALECT.decode(envelope(raw, ["/w"])).cwd) == ("/other", "/w")


def test_its_events_are_told_from_those_of_others_by_a_field_that_only_it_sends():
    recognises = HOSTS["cline"].recognises
    assert recognises({}, {"hookName": "tool_call", "clineVersion": ""})
    assert not recognises({}, {"hookName": "permissionRequest", "toolName": "bash"})


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("run_commands", {"commands": []}),
        ("run_commands", {"commands": [7]}),
        ("run_commands", {"command": "ls", "args": [7]}),
        ("run_commands", {"other": "ls"}),
        ("read_files", {"files": [{"name": "a"}]}),
        ("write_to_file", {"content": "b"}),
        ("replace_in_file", {"path": "a"}),
        ("apply_patch", {"input": "*** Begin"}),
        ("use_mcp_tool", {"server_name": "payments", "arguments": "{}"}),
        ("use_mcp_tool", {"server_name": "payments", "tool_name": "refund", "arguments": "{"}),
    ],
)
def test_a_call_that_cannot_be_read_is_refused(tool: str, given: dict[str, Any]):
    with pytest.raises(InterlockError):
        judged(tool, given)
