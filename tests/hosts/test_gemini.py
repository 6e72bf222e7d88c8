"""Gemini's calls are the calls that policies know, and it is asked only where a person can answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from interlock.errors import InterlockError
from interlock.event import Event, PostToolUse, PreToolUse, Stop
from interlock.hosts.base.setup import EntryFile
from interlock.hosts.gemini.dialect import DIALECT
from interlock.hosts.gemini.host import GEMINI
from interlock.hosts.gemini.setup import SETUP
from interlock.verdict import Opinion, combine

GOLDEN = Path(__file__).parent / "golden" / "gemini"


def golden(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    return found


def read(payload: dict[str, Any]) -> Event:
    return DIALECT.decode(json.dumps(payload).encode())


def call(tool: str, given: dict[str, Any], **more: Any) -> PreToolUse:
    payload = golden("BeforeTool-glob") | {"tool_name": tool, "tool_input": given} | more
    event = read(payload)
    assert isinstance(event, PreToolUse)
    return event


def result(response: Any) -> Any:
    event = read(golden("AfterTool-glob") | {"tool_response": response})
    assert isinstance(event, PostToolUse)
    return event.tool_response


@pytest.mark.parametrize(
    ("name", "tool", "given"),
    [
        ("run_shell_command", "Bash", {"command": "printf 'one\\ntwo\\n'", "description": "a step"}),
        ("read_file", "Read", {"file_path": "/w/project/src/app.py"}),
        ("write_file", "Write", {"file_path": "/w/project/docs/new.md", "content": "# New\n"}),
        ("replace", "Edit", {"file_path": "/w/project/src/app.py", "instruction": "Rename it.",
                             "old_string": 'name = "old"', "new_string": 'name = "new"'}),
        ("list_directory", "LS", {"path": "/w/project"}),
        ("glob", "Glob", {"pattern": "**/*.py"}),
        ("grep_search", "Grep", {"pattern": "name"}),
    ],
)  # fmt: skip
def test_a_tool_has_the_name_and_fields_of_policies(name: str, tool: str, given: dict[str, Any]):
    for event in (read(golden(f"BeforeTool-{name}")), read(golden(f"AfterTool-{name}"))):
        assert isinstance(event, PreToolUse | PostToolUse)
        assert (event.tool_name, event.tool_input, event.tool_use_id) == (tool, given, "")


def test_fields_that_have_other_names_go_back_by_their_own():
    event = call("grep_search", {"pattern": "x", "dir_path": "src", "include_pattern": "*.py"})
    assert event.tool_input == {"pattern": "x", "path": "src", "glob": "*.py"}
    verdict = combine([Opinion(by="narrow", change={"path": "src/app"})], event.tool_input)
    said = json.loads(DIALECT.encode(event, verdict).stdout)
    changed = {"pattern": "x", "dir_path": "src/app", "include_pattern": "*.py"}
    assert said["hookSpecificOutput"] == {"tool_input": changed}


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("run_shell_command", {"cmd": "ls"}),
        ("read_file", {"absolute_path": "/etc/hosts"}),
        ("write_file", {"file_path": 7, "content": ""}),
        ("list_directory", {}),
        ("list_directory", {"path": "a", "dir_path": "b"}),
        ("web_fetch", {"prompt": "Read example.com"}),
        ("web_fetch", {"prompt": ["https://example.com"]}),
        ("web_fetch", {"prompt": "Read \x1chttps://example.com"}),
        ("web_fetch", {"url": 7}),
        ("read_many_files", {"include": "*.md"}),
        ("read_many_files", {"include": []}),
    ],
)
def test_a_known_tool_without_its_fields_is_refused(tool: str, given: dict[str, Any]):
    with pytest.raises(InterlockError):
        call(tool, given)


def test_each_address_in_the_text_of_a_fetch_is_judged():
    event = call("web_fetch", {"prompt": "Compare https://a.example/x\u00a0and http://b.example"})
    assert event.tool_name == "WebFetch"
    assert [part.tool_input["url"] for part in event.parts or ()] == ["https://a.example/x", "http://b.example"]


def test_a_fetch_with_a_field_for_its_address_is_one_fetch():
    event = call("web_fetch", {"url": "https://a.example"})
    assert (event.tool_name, event.tool_input, event.parts) == (
        "WebFetch",
        {"url": "https://a.example", "prompt": ""},
        None,
    )


def test_a_fetch_that_is_changed_goes_back_as_a_text_with_its_address():
    event = call("web_fetch", {"prompt": "What is on http://a.example/x today?"})
    assert event.tool_input == {"url": "http://a.example/x", "prompt": "What is on  today?"}
    verdict = combine([Opinion(by="tls", change={"url": "https://a.example/x"})], event.tool_input)
    said = json.loads(DIALECT.encode(event, verdict).stdout)
    assert said["hookSpecificOutput"] == {"tool_input": {"prompt": "What is on  today? https://a.example/x"}}


def test_reading_many_files_is_a_read_of_each_and_a_search_for_each_pattern():
    event = call("read_many_files", {"include": ["README.md", "docs/*.md"]})
    assert [(part.tool_name, part.tool_input) for part in event.parts or ()] == [
        ("Read", {"file_path": "README.md"}),
        ("Read", {"file_path": "docs/*.md"}),
        ("Grep", {"pattern": "", "glob": "docs/*.md"}),
    ]


@pytest.mark.parametrize(
    ("more", "name"),
    [
        ({"mcp_context": {"server_name": "my_pay", "tool_name": "refund_all"}}, "mcp__my_pay__refund_all"),
        ({"mcp_context": {"server_name": "my pay", "tool_name": "refund"}}, "mcp__my_pay__refund"),
        ({}, "mcp__my__pay_refund_all"),
    ],
)
def test_an_mcp_tool_is_named_by_its_server(more: dict[str, Any], name: str):
    assert call("mcp_my_pay_refund_all", {"amount": 5}, **more).tool_name == name


def test_a_tool_of_an_mcp_server_is_never_taken_for_one_of_geminis_own():
    event = call("write_file", {"anything": 1}, mcp_context={"server_name": "disk", "tool_name": "write_file"})
    assert (event.tool_name, event.tool_input) == ("mcp__disk__write_file", {"anything": 1})


@pytest.mark.parametrize(
    ("folder", "cwd"), [("src", "/w/project/src"), ("/w/other", "/w/other"), ("", "/w/project"), (None, "/w/project")]
)
def test_a_command_is_judged_where_it_runs(folder: str | None, cwd: str):
    given = {"command": "ls"} if folder is None else {"command": "ls", "dir_path": folder}
    assert call("run_shell_command", given).cwd == cwd


@pytest.mark.parametrize(
    ("response", "text"),
    [
        ({"llmContent": "one", "returnDisplay": ""}, "one"),
        ({"llmContent": [{"text": "one"}, {"text": "two"}]}, "one\ntwo"),
        ({"llmContent": [{"inlineData": {"data": "AA=="}}]}, [{"inlineData": {"data": "AA=="}}]),
        ({"llmContent": "Not there.", "error": {"message": "File not found: x"}}, "File not found: x\nNot there."),
        ({"llmContent": "Same.", "error": {"message": "Same."}}, "Same."),
        ("a text", "a text"),
    ],
)
def test_a_result_is_what_the_model_reads_of_it_also_if_the_call_failed(response: Any, text: Any):
    assert result(response) == text


def test_the_end_of_a_turn_has_the_last_words_of_the_model():
    event = read(golden("AfterAgent"))
    assert isinstance(event, Stop)
    assert (event.last_assistant_message, event.stop_hook_active) == ("Done.", False)


def test_an_event_of_claude_code_is_not_one_of_geminis():
    with pytest.raises(InterlockError, match="Gemini CLI does not raise PreToolUse"):
        read(golden("BeforeTool-glob") | {"hook_event_name": "PreToolUse"})


@pytest.mark.parametrize(
    ("line", "terminal", "headless"),
    [
        ("node gemini.js -p hello", True, True),
        ("node gemini.js --prompt=hello", True, True),
        ("node gemini.js -yp hello", True, True),
        ("node gemini.js", False, True),
        ("node gemini.js", True, False),
        ("node gemini.js -i hello", True, False),
        ("node gemini.js --prompt-interactive hello", True, False),
        ("node gemini.js -- -p", True, False),
        ("node gemini.js", None, False),
    ],
)
def test_nobody_is_asked_at_the_prompt_of_a_run_without_a_conversation(
    line: str, terminal: bool | None, headless: bool
):
    assert GEMINI.is_headless(line.split(), terminal) is headless


def test_its_entries_have_limits_in_milliseconds_and_match_every_tool():
    (file,) = SETUP.files("user", Path("/w/project"), Path("/home/me"))
    assert isinstance(file, EntryFile)
    assert file.path == Path("/home/me/.gemini/settings.json")
    found = {keys[1]: (item.get("matcher"), item["hooks"][0]["timeout"]) for keys, item in file.entries}
    assert found == {
        "BeforeTool": ("*", 600_000), "AfterTool": ("*", 600_000), "BeforeAgent": (None, 600_000),
        "SessionStart": (None, 60_000), "AfterAgent": (None, 600_000), "SessionEnd": (None, 10_000),
    }  # fmt: skip
