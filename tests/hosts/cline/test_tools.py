"""Cline's calls in the words of policies, in every form that its SDK takes."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import json

from interlock.errors import InterlockError
from interlock.event import ToolEvent
from interlock.hosts.cline.dialect import DIALECT


def judged(tool: str, given: Any) -> list[tuple[str, dict[str, Any]]]:
    call = {"id": "c", "name": tool, "input": given}
    raw = json.encode({"hookName": "tool_call", "taskId": "t", "workspaceRoots": ["/w"], "tool_call": call})
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
