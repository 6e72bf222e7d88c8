"""Cursor's calls in the words of policies: the same by both events about one, and changed only where Cursor does it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from interlock.errors import InterlockError
from interlock.event import PostToolUse, ToolEvent
from interlock.hosts.base.reply import NothingToJudge
from interlock.hosts.cursor.dialect import DIALECT
from interlock.verdict import Opinion, combine

ABOUT = {"conversation_id": "c", "session_id": "c", "cursor_version": "1.0.0", "workspace_roots": ["/w"]}


def event(native: str, **fields: Any) -> ToolEvent:
    found = DIALECT.decode(json.dumps({**ABOUT, "hook_event_name": native, **fields}).encode())
    assert isinstance(found, ToolEvent)
    return found


def call(tool: str, given: Any, native: str = "preToolUse", **fields: Any) -> ToolEvent:
    return event(native, tool_name=tool, tool_input=given, tool_use_id="t", **fields)


def judged(tool: str, given: Any) -> list[tuple[str, dict[str, Any]]]:
    found = call(tool, given)
    if found.parts is None:
        return [(found.tool_name, found.tool_input)]
    return [(part.tool_name, part.tool_input) for part in found.parts]


def said(about: ToolEvent, *opinions: Opinion) -> Any:
    return json.loads(DIALECT.encode(about, combine(opinions, about.tool_input)).stdout)


@pytest.mark.parametrize(
    ("tool", "given", "expected"),
    [
        ("Read", {"file_path": "/w/a"}, [("Read", {"file_path": "/w/a"})]),
        ("Read", {"path": "/w/a", "offset": 1}, [("Read", {"file_path": "/w/a", "offset": 1})]),
        ("Write", {"file_path": "a", "content": "b"}, [("Write", {"file_path": "a", "content": "b"})]),
        ("Write", {"path": "a", "contents": "b"}, [("Write", {"file_path": "a", "content": "b"})]),
        (
            "Write",
            {"path": "a", "old_string": "b", "new_string": "c"},
            [("Edit", {"file_path": "a", "old_string": "b", "new_string": "c"})],
        ),
        (
            "Write",
            {"target_file": "a", "instructions": "b", "code_edit": "c"},
            [("Edit", {"file_path": "a", "instructions": "b", "code_edit": "c", "old_string": "",
                       "new_string": "b\nc"})],
        ),
        (
            "StrReplace",
            {"path": "a", "old_string": "b", "new_string": "c"},
            [("Edit", {"file_path": "a", "old_string": "b", "new_string": "c"})],
        ),
        (
            "Delete",
            {"file_path": "a b"},
            [("Edit", {"file_path": "a b", "old_string": "", "new_string": ""}), ("Bash", {"command": "rm -- 'a b'"})],
        ),
        ("Grep", {"pattern": "x", "file_path": "/w"}, [("Grep", {"pattern": "x", "path": "/w"})]),
        ("List", {"file_path": "/w", "ignore": []}, [("LS", {"path": "/w", "ignore": []})]),
        ("Fetch", {"url": "https://a.b"}, [("WebFetch", {"url": "https://a.b"})]),
        ("WebSearch", {"search_term": "x"}, [("WebSearch", {"query": "x"})]),
        ("Task", {"prompt": "x", "subagent_type": "y"}, [("Agent", {"prompt": "x", "subagent_type": "y"})]),
        (
            "FetchMcpResource",
            {"server": "s", "uri": "u", "download_path": "/w/a"},
            [("ReadMcpResourceTool", {"server": "s", "uri": "u", "download_path": "/w/a"}),
             ("Write", {"file_path": "/w/a", "content": ""})],
        ),
        ("FetchMcpResource", {"server": "s", "uri": "u"}, [("ReadMcpResourceTool", {"server": "s", "uri": "u"})]),
        ("SomethingNew", {"path": "a"}, [("SomethingNew", {"path": "a"})]),
    ],
)  # fmt: skip
def test_a_call_is_the_one_that_policies_know(tool: str, given: Any, expected: list[tuple[str, Any]]):
    assert judged(tool, given) == expected


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Shell", {"cwd": "/w"}),
        ("Shell", "ls"),
        ("Read", {}),
        ("Read", {"file_path": "a", "path": "b"}),
        ("Write", {"content": "b"}),
        ("Delete", {}),
        ("WriteShellStdin", {"shell_id": 7, "chars_length": 3}),
        (7, {}),
    ],
)
def test_a_call_that_cannot_be_read_is_refused(tool: Any, given: Any):
    with pytest.raises(InterlockError):
        call(tool, given)


@pytest.mark.parametrize("given", ["[]", "{", 7, None])
def test_a_call_of_a_servers_tool_that_cannot_be_read_is_refused(given: Any):
    with pytest.raises(InterlockError):
        event("beforeMCPExecution", tool_name="refund", tool_input=given, mcp_server_name="pay")


@pytest.mark.parametrize("given", [{"cwd": "/w/api"}, {"working_directory": "/w/api", "timeout": 5}])
def test_both_events_about_a_command_are_the_same_call(given: dict[str, Any]):
    first = call("Shell", {"command": "ls", **given})
    second = event("beforeShellExecution", command="ls", cwd="/w/api", sandbox=False)
    assert (first.tool_name, first.tool_input, first.cwd) == ("Bash", {"command": "ls"}, "/w/api")
    assert (first.tool_name, first.tool_input, first.cwd) == (second.tool_name, second.tool_input, second.cwd)


@pytest.mark.parametrize("cwd", [{}, {"cwd": ""}])
def test_a_command_without_a_folder_runs_in_the_workspace(cwd: dict[str, str]):
    assert call("Shell", {"command": "ls", **cwd}).cwd == "/w"
    assert event("beforeShellExecution", command="ls", **cwd).cwd == "/w"


def test_both_events_about_a_read_are_the_same_call():
    first = call("Read", {"file_path": "/w/.env"})
    second = event("beforeReadFile", file_path="/w/.env", content="a secret", attachments=[])
    assert (first.tool_name, first.tool_input, first.cwd) == (second.tool_name, second.tool_input, second.cwd)
    assert "a secret" not in str(second)


def test_only_the_second_event_about_a_servers_tool_says_which_server():
    first = call("MCP:refund", {"amount": 5})
    second = event("beforeMCPExecution", tool_name="refund", tool_input='{"amount": 5}', mcp_server_name="pay desk")
    older = event("beforeMCPExecution", tool_name="refund", tool_input={"amount": 5}, command="npx pay")
    assert [one.tool_name for one in (first, second, older)] == [
        "mcp__?__refund",
        "mcp__pay_desk__refund",
        "mcp__?__refund",
    ]
    assert first.tool_input == second.tool_input == older.tool_input == {"amount": 5}


@pytest.mark.parametrize(
    ("tool", "output", "response"),
    [
        ("Shell", '{"output": "a", "exitCode": 0}', "a"),
        ("Shell", '{"shell_id": 7, "pid": 8}', {"shell_id": 7, "pid": 8}),
        ("Shell", "not JSON", "not JSON"),
        ("MCP:x", '{"content": [{"type": "text", "text": "a"}], "isError": false}', [{"type": "text", "text": "a"}]),
        ("MCP:x", '{"error": "gone"}', {"error": "gone"}),
        ("Read", '{"file_path": "a", "content_length": 1}', {"file_path": "a", "content_length": 1}),
    ],
)
def test_a_result_is_what_the_model_reads(tool: str, output: str, response: Any):
    given = {"command": "ls"} if tool == "Shell" else {"file_path": "a"}
    found = call(tool, given, "postToolUse", tool_output=output)
    assert isinstance(found, PostToolUse)
    assert found.tool_response == response


def test_the_failure_of_a_call_that_was_refused_is_nothing_to_judge():
    with pytest.raises(NothingToJudge) as found:
        call("Shell", {"command": "ls"}, "postToolUseFailure", error_message="No.", failure_type="permission_denied")
    assert found.value.stdout == b"{}"
    failed = call("Shell", {"command": "ls"}, "postToolUseFailure", error_message="No.", failure_type="timeout")
    assert failed.hook_event_name == "PostToolUseFailure"


def change(**fields: Any) -> Opinion:
    return Opinion(by="changes", change=fields)


@pytest.mark.parametrize(
    ("tool", "given", "changed", "sent"),
    [
        ("Shell", {"command": "ls", "cwd": "/w"}, {"command": "pwd"}, {"command": "pwd", "cwd": "/w"}),
        ("Read", {"file_path": "a"}, {"file_path": "b"}, {"file_path": "b"}),
        ("Read", {"path": "a", "limit": 2}, {"file_path": "b"}, {"path": "b", "limit": 2}),
        ("Grep", {"pattern": "x", "file_path": "a"}, {"path": "b"}, {"pattern": "x", "file_path": "b"}),
        ("MCP:x", {"amount": 5}, {"note": "y"}, {"amount": 5, "note": "y"}),
    ],
)
def test_a_change_is_sent_under_the_names_of_the_call(tool: str, given: Any, changed: Any, sent: Any):
    assert said(call(tool, given), change(**changed))["updated_input"] == sent


@pytest.mark.parametrize(
    ("tool", "given", "changed"),
    [
        ("Shell", {"command": "ls"}, {"timeout": 5}),
        ("Write", {"file_path": "a", "content": "b"}, {"content": "c"}),
        ("Grep", {"pattern": "x", "glob": "*"}, {"glob": "*.py"}),
        ("Delete", {"file_path": "a"}, {"file_path": "b"}),
        ("Task", {"prompt": "x"}, {"prompt": "y"}),
        ("SomethingNew", {"path": "a"}, {"path": "b"}),
        ("MCP:x", {"amount": 5, "note": "y"}, {"note": None}),  # it merges, so the note would stay
        ("Read", {"file_path": "a", "limit": 2}, {"limit": None}),
    ],
)
def test_a_change_that_cursor_would_ignore_is_a_denial_with_the_safe_call(tool: str, given: Any, changed: Any):
    answer = said(call(tool, given), change(**changed))
    assert (answer["permission"], answer.get("updated_input")) == ("deny", None)
    assert "Make this call instead" in answer["user_message"]


@pytest.mark.parametrize("native", ["beforeShellExecution", "beforeMCPExecution", "beforeReadFile"])
def test_a_change_at_the_second_event_is_a_denial(native: str):
    fields = {"command": "ls", "tool_name": "x", "tool_input": "{}", "mcp_server_name": "s", "file_path": "a"}
    name = {"beforeReadFile": "file_path", "beforeMCPExecution": "amount"}.get(native, "command")
    assert said(event(native, **fields), change(**{name: "b"}))["permission"] == "deny"


ASK = Opinion(by="asks", decision="ask", reason="Sure?")


@pytest.mark.parametrize(
    ("about", "answer"),
    [
        (call("Shell", {"command": "ls"}), {}),  # the next event asks
        (event("beforeShellExecution", command="ls"), {"permission": "ask", "user_message": "Sure?"}),
    ],
)
def test_a_question_about_a_command_is_asked_at_the_event_that_can(about: ToolEvent, answer: dict[str, Any]):
    assert said(about, ASK) == answer


@pytest.mark.parametrize(
    "about",
    [
        call("Write", {"file_path": "a", "content": "b"}),
        call("MCP:x", {}),
        event("beforeMCPExecution", tool_name="x", tool_input="{}", mcp_server_name="s"),
        event("beforeReadFile", file_path="a"),
        event("beforeTabFileRead", file_path="a"),
    ],
)
def test_no_question_is_sent_where_it_would_let_the_call_run(about: ToolEvent):
    assert said(about, ASK)["permission"] == "deny"


def test_what_the_model_is_told_fits_beside_what_other_hooks_say():
    told = said(call("Read", {"file_path": "a"}), Opinion(by="tells", context="\U0001f600" * 9_000))[
        "additional_context"
    ]
    assert len(told.encode("utf-16-le")) // 2 < 9_000
    assert told.startswith("\U0001f600")
    assert "Cursor accepts no more" in told


def test_a_completion_belongs_to_its_workspace():
    raw = {"hook_event_name": "beforeTabFileRead", "workspace_roots": ["/w"], "file_path": "a", "content": "b"}
    assert DIALECT.decode(json.dumps(raw).encode()).session_id == "completions in /w"


def test_nobodys_address_is_recorded():
    assert "ann@example.com" not in str(event("beforeShellExecution", command="ls", user_email="ann@example.com"))


def test_a_payload_does_not_choose_its_row():
    found = event("preToolUse", tool_name="Write", tool_input={"file_path": "a", "content": "b"},
                  host_event="beforeShellExecution")  # fmt: skip
    assert said(found, ASK)["permission"] == "deny"
