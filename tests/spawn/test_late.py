"""What is answered when nobody judged an event: no unchecked result is read, and the model hears why if it can."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import json

from interlock.facts import results
from interlock.facts.results import Misfit, withhold
from interlock.hosts.claude_code.fail import fail
from interlock.receipts import refusal_words as words
from interlock.receipts.refusal_words import says_it_did_not_run
from interlock.service import handle
from interlock.spawn import exchange, late

WHY = "Interlock did not answer."
TEXT = f"[withheld by Interlock: {WHY}]"


def event(name: str, **fields: Any) -> bytes:
    base = {"hook_event_name": name, "session_id": "s", "transcript_path": "", "cwd": "/"}
    return json.encode({**base, **fields})


def result(tool: str, response: Any) -> bytes:
    return event("PostToolUse", tool_name=tool, tool_input={}, tool_use_id="t", tool_response=response)


def batch(*calls: tuple[str, Any]) -> bytes:
    listed = [
        {"tool_name": tool, "tool_input": {}, "tool_use_id": "t", "tool_response": shown} for tool, shown in calls
    ]
    return event("PostToolBatch", tool_calls=listed)


def said(name: str, raw: bytes) -> dict[str, Any] | None:
    found = late.answer(name, raw, WHY)
    return None if found is None else json.decode(found)


# --- results ------------------------------------------------------------------------------------------------------

TOOLS = ["Bash", "Read", "Grep", "Glob", "Agent", "WebFetch", "Edit", "NotebookEdit", "mcp__shop__pay", "mcp__odd", "X"]
KEYS = ["stdout", "stderr", "type", "status", "file", "filePath", "content", "isImage", "persistedOutputPath",
        "persistedOutputSize", "base64", "data", "filenames", "mode", "text"]  # fmt: skip
values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.sampled_from(["", "text", "hunter2", "image"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5),
    max_leaves=12,
)


@given(st.sampled_from(TOOLS), values)
def test_a_result_is_withheld_as_the_dialect_withholds_it(tool: str, response: Any):
    try:
        shown = withhold(tool, response, TEXT)
    except Misfit:
        assert said("PostToolUse", result(tool, response)) is None
        return
    output = {"hookEventName": "PostToolUse", "updatedToolOutput": shown}
    if tool == "mcp__shop__pay":
        output["updatedMCPToolOutput"] = shown
    assert said("PostToolUse", result(tool, response)) == {"hookSpecificOutput": output, "systemMessage": WHY}


def test_its_tables_are_those_of_the_dialect():
    assert (late.FIXED, late.ENCODED) == (results._FIXED, results._ENCODED)
    assert late.STARTS == words._STARTS


@pytest.mark.parametrize(
    "raw",
    [
        b"", b"{", b"[]", b"null", b'"PostToolUse"', b"[" * 100_000, result("Bash", {"stdout": "x"})[:-9],
        event("PreToolUse", tool_name="Bash", tool_response="x"), event("PostToolUse"),
        event("PostToolUse", tool_name="Bash"), event("PostToolUse", tool_name=5, tool_response="x"),
        result("Bash", {"data": "aGk="}),
        result("Bash", {"stdout": "x", "n": 1}).replace(b'"n":1', b'"n":NaN'),
    ],
    ids=lambda raw: repr(raw[:24]),
)  # fmt: skip
def test_where_the_shape_is_not_known_for_sure_the_turn_ends(raw: bytes):
    assert late.answer("PostToolUse", raw, WHY) is None


@pytest.mark.parametrize("name", ["PreToolUse", "PermissionRequest", "PostToolUseFailure", "Stop", "ConfigChange"])
def test_no_other_event_has_a_milder_answer(name: str):
    assert late.answer(name, event(name, tool_name="Bash", tool_response="x", tool_calls=[]), WHY) is None


@pytest.mark.parametrize(
    "damage",
    [(b'"hunter2"', b'"hunter2 \\ud83d"'), (b'"stdout"', b'"stdout":"","stdout"'), (b'"hunter2"', b'"hunter2\\u0000"')],
    ids=["half a surrogate pair", "a repeated key", "a NUL"],
)
def test_a_result_that_cannot_be_decoded_is_withheld_and_the_turn_goes_on(damage: tuple[bytes, bytes]):
    """A client that cuts a long output off may cut a character in two."""
    raw = result("Bash", {"stdout": "hunter2", "stderr": "", "interrupted": False}).replace(*damage)
    reply = handle("claude-code", raw)
    assert b"hunter2" not in reply.stdout
    answer = json.decode(reply.stdout)
    if reply.verdict.errors:
        shown = answer["hookSpecificOutput"]["updatedToolOutput"]
        assert shown["stdout"].startswith("[withheld by Interlock: ")
        assert "continue" not in answer
        assert answer["systemMessage"]


# --- batches ------------------------------------------------------------------------------------------------------

DENIED = ("Bash", "PreToolUse:Bash hook error: Interlock did not answer.")
UNREAD: dict[str, tuple[str, Any]] = {
    "denied": DENIED,
    "denied, as older clients say it": ("Bash", "Interlock did not answer. A person can find out why."),
    "withheld": ("Bash", TEXT),
    "withheld in a file": ("Read", f"     1\t{TEXT}"),
    "withheld from an MCP tool": ("mcp__shop__pay", [{"type": "text", "text": TEXT}]),
    "not valid": ("Edit", "<tool_use_error>String to replace not found in file.</tool_use_error>"),
    "not permitted": ("Write", "Claude requested permissions to write to /x, but you haven't granted it yet."),
}
READ: dict[str, tuple[str, Any]] = {
    "a result": ("Bash", "hunter2"),
    "nothing": ("Bash", ""),
    "a failed call": ("Bash", "Exit code 1\nhunter2"),
    "one that quotes us later": ("Bash", f"hunter2\n{TEXT}"),
    "one that failed and quotes us": ("Bash", f"Exit code 1\n{TEXT}"),
    "another tool's denial": ("Bash", "PreToolUse:Write hook error: no"),
    "no text": ("Bash", None),
    "blocks": ("mcp__shop__pay", [{"type": "text", "text": TEXT}, {"type": "text", "text": "hunter2"}]),
    "an image": ("Read", [{"type": "image"}]),
    "an error with more behind it": ("Bash", "<tool_use_error>no</tool_use_error>\nhunter2</tool_use_error>"),
}


@pytest.mark.parametrize("what", UNREAD)
def test_a_batch_in_which_nothing_can_be_read_goes_on_with_a_notice(what: str):
    assert said("PostToolBatch", batch(UNREAD[what])) == {"systemMessage": WHY}
    assert said("PostToolBatch", batch(*UNREAD.values())) == {"systemMessage": WHY}


@pytest.mark.parametrize("what", READ)
def test_a_batch_in_which_something_can_be_read_ends_the_turn(what: str):
    assert said("PostToolBatch", batch(READ[what])) is None
    assert said("PostToolBatch", batch(DENIED, READ[what])) is None


@pytest.mark.parametrize("calls", [[], None, {}, [5], [{}], "x"])
def test_a_batch_that_is_none_ends_the_turn(calls: Any):
    assert late.answer("PostToolBatch", event("PostToolBatch", tool_calls=calls), WHY) is None


@given(st.sampled_from(["Bash", "mcp__shop__pay"]), st.text(max_size=60) | st.sampled_from([*words._STARTS, TEXT]))
def test_what_it_takes_for_unread_did_not_run_or_was_withheld(tool: str, shown: str):
    text = shown.format(tool=tool) if shown in words._STARTS else shown
    if late.nothing_to_read([{"tool_name": tool, "tool_response": text}]):
        assert says_it_did_not_run(tool, text) or text.startswith(late.MARK)


def test_a_batch_that_fails_in_the_daemon_goes_on_too():
    raw = batch(DENIED)
    reply = fail("PostToolBatch", "the store is full", raw=raw)
    assert json.decode(reply.stdout) == {"systemMessage": "the store is full"}
    assert (reply.verdict.decision, reply.verdict.errors, reply.exit_code) == (None, ("the store is full",), 0)
    ended = fail("PostToolBatch", "the store is full", raw=batch(READ["a result"]))
    assert json.decode(ended.stdout) == {
        "decision": "block", "reason": "the store is full", "systemMessage": "the store is full"
    }  # fmt: skip


# --- the spawned client --------------------------------------------------------------------------------------------


def spawned(name: str, raw: bytes, tmp_path: Path) -> tuple[bytes, bytes, int]:
    """The client where nobody can listen."""
    client = str(Path(exchange.__file__).parent.with_name("client.py"))
    socket = tmp_path / "a file"
    socket.write_text("")
    command = [sys.executable, "-I", "-S", client, name, str(socket / "socket"), "/"]
    ended = subprocess.run(command, input=raw, capture_output=True, timeout=60, check=False)
    return ended.stdout, ended.stderr, ended.returncode


def test_the_client_withholds_a_result_that_nobody_judged(tmp_path: Path):
    raw = result("Bash", {"stdout": "hunter2", "stderr": "", "interrupted": False})
    stdout, stderr, code = spawned("PostToolUse", raw, tmp_path)
    shown = {"stdout": f"[withheld by Interlock: {exchange.WHY}]", "stderr": "", "interrupted": False}
    output = {"hookEventName": "PostToolUse", "updatedToolOutput": shown}
    assert (json.decode(stdout), stderr, code) == (
        {"hookSpecificOutput": output, "systemMessage": exchange.WHY},
        b"",
        0,
    )


@pytest.mark.parametrize("raw", [b"", b"{", batch(READ["a result"])])
@pytest.mark.parametrize("name", ["PostToolUse", "PostToolBatch"])
def test_the_client_ends_the_turn_where_it_cannot_tell(name: str, raw: bytes, tmp_path: Path):
    assert spawned(name, raw, tmp_path) == exchange.failing(name)


def test_the_client_lets_a_batch_of_denied_calls_go_on(tmp_path: Path):
    stdout, stderr, code = spawned("PostToolBatch", batch(DENIED), tmp_path)
    assert (json.decode(stdout), stderr, code) == ({"systemMessage": exchange.WHY}, b"", 0)


def test_at_the_end_of_a_session_the_client_says_on_stderr_that_nobody_answered(tmp_path: Path):
    stdout, stderr, code = spawned("SessionEnd", event("SessionEnd", reason="other"), tmp_path)
    assert (json.decode(stdout), stderr, code) == ({"systemMessage": exchange.WHY}, exchange.WHY.encode(), 2)
