"""How a host reads an answer to a call: held against what the real hosts did with each answer."""

from __future__ import annotations

import json

import pytest

from interlock.hosts import HOSTS
from interlock.hosts.base.denials import Denied
from tests.live import observed, rows
from tests.live.rows import Row, text_of

EVENTS = {"gemini": "BeforeTool"}
UNFOUND = b"/bin/sh: 1: /nowhere/hook: not found"


def reader(host: str) -> Denied:
    found = HOSTS[host].denied
    assert found is not None
    return found


def read(host: str, row: Row) -> str | None:
    if row is rows.MISSING:
        return reader(host)(127, b"", UNFOUND)
    said = row.says(EVENTS.get(host, "PreToolUse"), text_of("this"), "this")
    stdout = said.get("stdout", "")
    printed = stdout if isinstance(stdout, str) else json.dumps(stdout)
    return reader(host)(said.get("exit", 0), printed.encode(), said.get("stderr", "").encode())


@pytest.mark.parametrize("row", [*rows.BEFORE, rows.MISSING], ids=lambda row: row.name)
@pytest.mark.parametrize("host", observed.HOSTS)
def test_an_answer_is_read_as_the_real_host_reads_it(host: str, row: Row):
    fate = observed.column(observed.BEFORE, host)[row.name]
    found = read(host, row)
    if row.name == "nested ask":
        assert found is None, "the hosts that denied it had nobody to ask"
    elif fate == observed.NO_REASON:
        assert found is not None
        assert text_of("this") not in found
    elif fate == "denied":
        assert found == text_of("this")
    elif fate == "stops":
        assert found is not None, "the call does not run, and nothing after it"
    else:
        assert found is None


@pytest.mark.parametrize(
    ("host", "code", "stdout", "stderr", "expected"),
    [
        ("codex", 2, b"", b" \n", None),
        ("codex", 2, b"{}", b"No.\n", "No."),
        ("codex", 0, b'{"decision": "block", "reason": " "}', b"", None),
        ("codex", 0, b'{"decision": "block", "reason": "No.", "stopReason": "Enough."}', b"", None),
        ("codex", -9, b"", b"No.", None),
        ("gemini", 0, b"", b'{"decision": "deny", "reason": "No."}', "No."),
        ("gemini", 0, b'"{\\"decision\\": \\"deny\\"}"', b"", ""),
        ("gemini", 3, b"It broke.", b"", "It broke."),
        ("gemini", -9, b"", b"It broke.", None),
        ("gemini", 0, b'[{"decision": "deny"}]', b"", None),
        ("gemini", 0, b'{"decision": "ask", "reason": "Sure?"}', b"", None),
        ("qwen", 1, b'{"decision": "deny", "reason": "No."}', b"", "No."),
        ("qwen", 2, b'{"decision": "deny", "reason": "No."}', b"", None),
        ("qwen", 2, b"", b'{"decision": "allow"}', None),
        ("qwen", 0, b'{"decision": "deny", "hookSpecificOutput": {"permissionDecision": "allow"}}', b"", None),
        ("copilot", 0, b'{"permissionDecision": "deny", "permissionDecisionReason": "No."}', b"", "No."),
        ("copilot", 0, b'{"permissionDecision": "deny"}{"permissionDecision": "allow"}', b"", None),
        ("opencode", 0, b'{"deny": "No."}', b"", "No."),
        ("opencode", 0, b'{"context": "No."}', b"", None),
        ("opencode", 1, b'{"deny": "No."}', b"", ""),
        ("opencode", 0, b"not JSON", b"", ""),
        ("amp", 2, b"", b"No.\n", "No."),
        ("amp", 0, b"", b"No.\n", None),
        ("amp", 1, b"", b"Sure?\n", None),
        ("amp", -9, b"", b"", ""),
        ("cline", 0, b'{"cancel": true, "errorMessage": "No."}', b"", "No."),
        ("cline", 0, b'{"cancel": false, "errorMessage": "No."}', b"", None),
        ("cline", 0, b'{"review": true, "errorMessage": "No."}', b"", None),
        ("cline", 2, b"", b"No.", None),
        ("claude-code", 0, b'{"hookSpecificOutput": {"permissionDecision": "allow"}}', b"", None),
    ],
)
def test_answers_that_no_table_has(host: str, code: int, stdout: bytes, stderr: bytes, expected: str | None):
    assert reader(host)(code, stdout, stderr) == expected
