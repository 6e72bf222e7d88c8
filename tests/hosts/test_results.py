"""Results as rules see them: a shell has `stdout` everywhere, and what an MCP server returned is the same value."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import json

from interlock.event import PostToolUse
from interlock.facts.results import result_of
from interlock.hosts import dialect_of
from interlock.verdict import Opinion, combine

JSON = '{"tenure": "vip"}'
MARKED = "<untrusted_context>\n{}\n</untrusted_context>"


def read(host: str, tool: str, response: Any, given: dict[str, Any] | None = None) -> PostToolUse:
    """A result as a host sends it."""
    about = {"session_id": "s", "cwd": "/w", "tool_name": tool, "tool_input": given or {"command": "ls"}}
    payload = {
        "codex": {"hook_event_name": "PostToolUse", **about, "tool_response": response},
        "gemini": {"hook_event_name": "AfterTool", **about, "tool_response": {"llmContent": response}},
        "qwen": {"hook_event_name": "PostToolUse", **about, "tool_response": {"llmContent": response}},
        "copilot": {"hook_event_name": "PostToolUse", **about, "tool_result": {"text_result_for_llm": response}},
        "opencode": {"hook_event_name": "tool.execute.after", "session_id": "s", "cwd": "/w", "tool": tool,
                     "servers": ["crm"], "args": given or {"command": "ls"}, "result": response},
    }[host]  # fmt: skip
    event = dialect_of(host).decode(json.encode(payload))
    assert isinstance(event, PostToolUse)
    return event


@pytest.mark.parametrize(
    ("host", "tool", "response", "text"),
    [
        ("codex", "Bash", "one\n", "one\n"),
        ("gemini", "run_shell_command", MARKED.format("Output: one"), "Output: one"),
        ("qwen", "run_shell_command", "Output: one", "Output: one"),
        ("copilot", "Bash", "one\n<shellId: 0 completed with exit code 0>", None),
        ("opencode", "bash", "one\n", "one\n"),
    ],
)
def test_what_a_shell_printed_is_its_stdout(host: str, tool: str, response: str, text: str | None):
    event = read(host, tool, response)
    assert result_of(event) == {"stdout": text or response, "stderr": ""}
    changed = combine([Opinion(by="hide", output={"stdout": "[hidden]"})], event.tool_input, result_of(event))
    told = dialect_of(host).encode(event, changed).stdout.decode()
    assert "[hidden]" in told
    assert ("one" in told, "stdout" in told, "stderr" in told) == (False, False, False)


@pytest.mark.parametrize(
    ("host", "tool", "response"),
    [
        ("codex", "mcp__crm__get", {"content": [{"type": "text", "text": JSON}]}),
        ("codex", "mcp__crm__get",
         {"content": [{"type": "text", "text": JSON}], "structuredContent": {"tenure": "vip"}}),
        ("codex", "mcp__crm__get", {"content": [], "structuredContent": {"tenure": "vip"}}),
        ("gemini", "mcp_crm_get", [{"text": MARKED.format(JSON)}]),
        ("gemini", "mcp_crm_get", [{"text": JSON}]),
        ("qwen", "mcp__crm__get", [{"text": JSON}]),
        ("qwen", "mcp__crm__get", [{"text": '{"tenure":"vip"}'}, {"text": JSON}]),
        ("copilot", "crm-get", JSON),
        ("copilot", "crm-get", f'{JSON}\n\n{{"tenure":"vip"}}'),
        ("opencode", "crm_get", [{"type": "text", "text": JSON}]),
        ("opencode", "crm_get",
         {"content": [{"type": "text", "text": JSON}], "structuredContent": {"tenure": "vip"}}),
    ],
)  # fmt: skip
def test_what_a_server_returned_is_the_same_value_everywhere(host: str, tool: str, response: Any):
    event = read(host, tool, response, {"id": "a"})
    assert event.tool_name == "mcp__crm__get"
    assert result_of(event) == {"tenure": "vip"}


@pytest.mark.parametrize(
    ("host", "tool", "response", "meant"),
    [
        # A structure around something that is not an object.
        ("codex", "mcp__crm__get", {"content": [{"type": "text", "text": "hi"}], "structuredContent": {"result": "hi"}},
         {"result": "hi"}),
        ("qwen", "mcp__crm__get", [{"text": '{"result":"hi"}'}, {"text": "hi"}], {"result": "hi"}),
        ("copilot", "crm-get", 'hi\n\n{"result":"hi"}', {"result": "hi"}),
        # The blocks say more than the structure: all of it is judged, and all of it is replaced.
        ("codex", "mcp__crm__get",
         {"content": [{"type": "text", "text": "key 1"}], "structuredContent": {"tenure": "vip"}},
         {"tenure": "vip", "content": [{"type": "text", "text": "key 1"}]}),
        ("codex", "mcp__crm__get",
         {"content": [{"type": "text", "text": "key 1"}], "structuredContent": {"content": 1}},
         {"content": [{"type": "text", "text": "key 1"}], "structuredContent": {"content": 1}}),
        ("qwen", "mcp__crm__get", [{"text": '{"a":1}'}, {"text": '{"a":2}'}], '{"a":1}\n{"a":2}'),
        ("copilot", "crm-get", 'first\n\n{"a":1}', 'first\n\n{"a":1}'),
        ("copilot", "crm-get", '{"a":1}\n\n{"a":1,"a":1}', '{"a":1}\n\n{"a":1,"a":1}'),
        # A result that only looks marked.
        ("gemini", "mcp_crm_get", "a <untrusted_context> b", "a <untrusted_context> b"),
        ("codex", "mcp__crm__get", {"contents": []}, {"contents": []}),
    ],
)  # fmt: skip
def test_nothing_that_the_model_would_read_is_left_out(host: str, tool: str, response: Any, meant: Any):
    assert result_of(read(host, tool, response, {"id": "a"})) == meant


def test_what_gemini_marks_as_untrusted_stays_marked():
    event = read("gemini", "mcp_crm_get", [{"text": MARKED.format("card 4111")}], {"id": "a"})
    hidden = combine([Opinion(by="hide", output="card [x]</untrusted_context>")], {}, result_of(event))
    told = json.decode(dialect_of("gemini").encode(event, hidden).stdout)
    assert told["reason"] == MARKED.format("card [x]&lt;/untrusted_context&gt;")
    withheld = combine([Opinion(by="hide", withhold="no reader")], {}, result_of(event))
    told = json.decode(dialect_of("gemini").encode(event, withheld).stdout)
    assert told["reason"] == "[withheld by Interlock: no reader]"
