"""`interlock hook` as a host spawns it: bytes in, bytes and an exit code out."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from msgspec import json

from interlock.hosts import HOSTS
from tests.hooks.events import event, post, pre, shell_result, written

Result = subprocess.CompletedProcess[bytes]

GUARDS = """
from interlock import hook, deny, change, allow

@hook("PreToolUse", tool="Bash")
def guard(call):
    command = call.input["command"]
    if command.startswith("rm"):
        return deny("rm is closed. Use trash — it can be undone.")
    if command == "sudo ls":
        return [change(command="ls"), allow()]
    return None
"""


def interlock(folder: Path, *arguments: str | Path, stdin: bytes = b"", **extra: str) -> Result:
    command = [sys.executable, "-m", "interlock", *map(str, arguments)]
    env = {key: value for key, value in os.environ.items() if key != "CLAUDECODE"} | extra
    return subprocess.run(command, input=stdin, capture_output=True, cwd=folder, env=env, timeout=60, check=False)


def answered(folder: Path, raw: bytes, host: str = "claude-code", text: str = GUARDS, *options: str) -> Result:
    return interlock(folder, "hook", host, "--hooks", written(folder, text), *options, stdin=raw)


def parts(result: Result) -> tuple[Any, str, int]:
    """The one JSON document on stdout, stderr, and the exit code."""
    return json.decode(result.stdout), result.stderr.decode(), result.returncode


# --- both hosts --------------------------------------------------------------------------------------------

REASON = "rm is closed. Use trash — it can be undone."
TOLD = 'Interlock changed `command` of this call from "sudo ls" to "ls" (guard).'


def test_a_denied_call_is_answered_to_claude_code(tmp_path: Path):
    """S1-01 The reason reaches the model by stdout and by stderr, and the exit code blocks."""
    output = {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": REASON}
    result = answered(tmp_path, pre(command="rm x"))
    assert parts(result) == ({"hookSpecificOutput": output}, f"{REASON}\n", 2)


def test_a_denied_call_is_answered_to_a_flat_host(tmp_path: Path):
    """S0-06"""
    document = {"decision": "deny", "message": REASON, "blocked": True, "system_prompt": None, "updated_input": None}
    assert parts(answered(tmp_path, pre(command="rm x"), "flat")) == (document, f"{REASON}\n", 2)


def test_no_opinion_is_an_empty_answer_to_claude_code(tmp_path: Path):
    """S1-03"""
    assert parts(answered(tmp_path, pre(command="ls"))) == ({}, "", 0)


def test_no_opinion_is_five_keys_to_a_flat_host(tmp_path: Path):
    """S1-03 S0-11"""
    document = {"decision": None, "message": None, "blocked": False, "system_prompt": None, "updated_input": None}
    assert parts(answered(tmp_path, pre(command="ls"), "flat")) == (document, "", 0)


def test_a_changed_call_is_answered_to_claude_code(tmp_path: Path):
    """S1-02 With the fields that did not change."""
    output = {
        "hookEventName": "PreToolUse",
        "additionalContext": TOLD,
        "permissionDecision": "allow",
        "updatedInput": {"command": "ls", "timeout": 5},
    }
    result = answered(tmp_path, pre(command="sudo ls", timeout=5))
    assert parts(result) == ({"hookSpecificOutput": output}, "", 0)


def test_a_changed_call_is_answered_to_a_flat_host(tmp_path: Path):
    """S0-05"""
    document = {
        "decision": "allow",
        "message": None,
        "blocked": False,
        "system_prompt": TOLD,
        "updated_input": {"command": "ls", "timeout": 5},
    }
    assert parts(answered(tmp_path, pre(command="sudo ls", timeout=5), "flat")) == (document, "", 0)


def test_a_change_of_a_denied_call_stands_only_where_we_are_alone(tmp_path: Path):
    text = GUARDS + '\n@hook("PreToolUse")\ndef no_sudo(call):\n'
    text += '    return deny("No sudo.") if "sudo" in call.input["command"] else None\n'
    beside = answered(tmp_path, pre(command="sudo ls"), "claude-code", text)
    assert (beside.returncode, beside.stderr.decode()) == (
        2, 'No sudo. Make this call instead: {"command":"ls"}\n',
    )  # fmt: skip
    alone = answered(tmp_path, pre(command="sudo ls"), "claude-code", text, "--alone")
    assert (alone.returncode, b'"updatedInput":{"command":"ls"}' in alone.stdout) == (0, True)


def test_several_hooks_files_are_asked_in_the_order_given(tmp_path: Path):
    """S1-12"""
    template = 'from interlock import *\n@hook("PreToolUse")\ndef {0}(): return deny("{0}.")\n'
    files = [written(tmp_path, template.format(name), f"{name}.py") for name in ("zebra", "apple")]
    result = interlock(tmp_path, "hook", "claude-code", "--hooks", files[0], "--hooks", files[1], stdin=pre())
    assert result.stderr.decode() == "Denied: (1) zebra. (2) apple. Both must be resolved.\n"


def test_without_hooks_there_is_no_opinion(tmp_path: Path):
    result = interlock(tmp_path, "hook", "claude-code", stdin=pre(command="rm x"))
    assert parts(result) == ({}, "", 0)


# --- what goes wrong ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stdin", "message"),
    [
        (b"", "the input is empty; expected a JSON object\n"),
        (b"rm -rf /", "not valid JSON at byte 0: expecting value\n"),
        (b"[]", "the input is an array; expected a JSON object\n"),
        (b"{}", "the field `hook_event_name` is missing or not a string\n"),
        (b"\xff", "byte 0 is not valid UTF-8\n"),
    ],
    ids=["empty", "text", "array", "nameless", "bytes"],
)
def test_an_event_nobody_can_read_blocks_with_the_reason_on_stderr(tmp_path: Path, stdin: bytes, message: str):
    result = answered(tmp_path, stdin)
    assert (result.returncode, result.stdout, result.stderr.decode()) == (2, b"", message)


def test_a_hooks_file_that_is_not_there_denies_by_name(tmp_path: Path):
    result = interlock(tmp_path, "hook", "claude-code", "--hooks", "gone.py", stdin=pre(command="ls"))
    reason = "the hooks cannot be loaded\nerror: cannot read the hooks file `gone.py`: No such file or directory"
    output = {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": reason}
    assert parts(result) == ({"hookSpecificOutput": output}, f"{reason}\n", 2)


def test_a_relative_hooks_file_is_refused_under_an_agent_that_moves_about(tmp_path: Path):
    written(tmp_path, GUARDS)
    result = interlock(tmp_path, "hook", "claude-code", "--hooks", "guards.py", stdin=pre(command="ls"), CLAUDECODE="1")
    assert (result.returncode, result.stdout) == (2, b"")
    assert b"`guards.py` depends on the folder the agent is in; give an absolute path" in result.stderr


def test_a_hooks_file_with_an_error_denies_with_its_line(tmp_path: Path):
    result = answered(tmp_path, pre(command="ls"), "claude-code", "\n1 / 0\n")
    assert result.returncode == 2
    expected = "loading failed: ZeroDivisionError: division by zero\n --> guards.py:2\n"
    assert result.stderr.decode().replace(f"{tmp_path}/", "").endswith(expected)


def test_a_hook_that_is_late_denies_by_name(tmp_path: Path):
    """S1-08"""
    text = 'from interlock import hook\n@hook("PreToolUse")\ndef stuck():\n    while True: pass\n'
    result = answered(tmp_path, pre(command="ls"), "claude-code", text, "--timeout", "1")
    assert result.returncode == 2
    message = f"hook `stuck` ({tmp_path}/guards.py:2) did not answer within 1 s and was ended\n"
    assert result.stderr.decode() == message


@pytest.mark.parametrize(
    "arguments",
    [("claude",), (), ("claude-code", "--timeout", "0"), ("claude-code", "--timeout", "soon"), ("claude-code", "-x")],
    ids=" ".join,
)
def test_a_wrong_command_line_blocks(tmp_path: Path, arguments: tuple[str, ...]):
    """A host takes any other code for "go on"."""
    result = interlock(tmp_path, "hook", *arguments, stdin=pre(command="ls"))
    assert (result.returncode, result.stdout) == (2, b"")
    assert result.stderr.startswith((b"Usage: ", b"error: there is no option `-x`"))


def test_an_unknown_host_is_told_the_known_ones(tmp_path: Path):
    result = interlock(tmp_path, "hook", "claude", stdin=pre(command="ls"))
    known = [host.name for host in HOSTS.values() if host.spawns]
    listed = ", ".join(f"'{name}'" for name in known)
    assert result.stderr.decode().splitlines()[-1] == (
        f"Error: Invalid value for '{{{'|'.join(known)}}}': 'claude' is not one of {listed}."
    )


# --- exactly one document on stdout ------------------------------------------------------------------------

QUIET = """
from interlock import hook, deny

@hook(["PreToolUse", "PostToolUse", "Stop"])
def guard(event):
    return deny("No.") if event.hook_event_name == "PreToolUse" else None
"""

NOISY = """
import os, subprocess, sys
print("noise at import", flush=True)
os.write(1, b"{}")
subprocess.run(["echo", "{}"])

from interlock import hook, deny

@hook(["PreToolUse", "PostToolUse", "Stop"])
def guard(event):
    print("noise from print")
    os.write(1, b'{"continue": false}')
    subprocess.run(["echo", "noise from a child"])
    print("noise on stderr", file=sys.stderr)
    return deny("No.") if event.hook_event_name == "PreToolUse" else None
"""


@pytest.mark.parametrize("host", ["claude-code", "flat"])
@pytest.mark.parametrize(
    "raw",
    [pre(command="ls"), post("Bash", {}, shell_result("x")), event("Stop", stop_hook_active=False)],
    ids=["deny", "result", "stop"],
)
def test_stdout_holds_exactly_one_document_however_much_hooks_print(tmp_path: Path, host: str, raw: bytes):
    loud = answered(tmp_path, raw, host, NOISY)
    quiet = answered(tmp_path, raw, host, QUIET)
    assert (loud.stdout, loud.returncode) == (quiet.stdout, quiet.returncode)
    assert isinstance(json.decode(loud.stdout), dict)


def test_what_hooks_print_goes_to_stderr_where_the_model_does_not_read_it(tmp_path: Path):
    """With exit 2 a host shows stderr to the model, so there the reason stands alone."""
    denied = answered(tmp_path, pre(command="ls"), "claude-code", NOISY)
    assert (denied.stderr, denied.returncode) == (b"No.\n", 2)
    passed = answered(tmp_path, event("Stop", stop_hook_active=False), "claude-code", NOISY)
    assert passed.returncode == 0
    for noise in (b"noise at import", b"noise from print", b"noise from a child", b"noise on stderr"):
        assert noise in passed.stderr


# --- help --------------------------------------------------------------------------------------------------


def test_help_shows_examples(tmp_path: Path):
    result = interlock(tmp_path, "hook", "--help")
    assert (result.returncode, result.stderr) == (0, b"")
    text = result.stdout.decode()
    assert "  interlock hook claude-code < event.json\n" in text
    assert "  interlock hook flat --hooks guards.py --timeout 2 < event.json\n" in text
    assert '  {"type": "command", "command": ' in text


def test_the_example_of_the_help_runs(tmp_path: Path):
    written(tmp_path, GUARDS)
    result = interlock(tmp_path, "hook", "flat", "--hooks", "guards.py", "--timeout", "20", stdin=pre(command="ls"))
    assert (result.returncode, result.stderr) == (0, b"")
