"""Hosts that run entries that were made for another: by a real daemon, each is answered in its own form."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from interlock.daemon.callers import real_caller
from interlock.daemon.frames import ANY_HOST, HookRequest
from interlock.hosts import HOSTS
from interlock.hosts.base import commands
from interlock.hosts.base.commands import hook_command
from tests.daemon.spawned import CLIENT, Home
from tests.hosts.goldens import EVENT_FILES, event_files

NO_RM = "{id: no-rm, command: rm, deny: No rm.}"
ASK_LS = "{id: ask-ls, command: ls, ask: Is this meant?}"


@pytest.fixture(autouse=True)
def _entries_of(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "socket_path", lambda: home.socket)


def run(words: list[str], raw: bytes) -> tuple[Any, str, int]:
    ran = subprocess.run(words, input=raw, capture_output=True, check=False, timeout=120)
    return json.loads(ran.stdout) if ran.stdout else None, ran.stderr.decode(), ran.returncode


def entry_of(host: str) -> list[str]:
    return ["/bin/sh", "-c", hook_command(host, "PreToolUse", refuses=True)]


def without_arguments(home: Home) -> list[str]:
    """The entry in Claude Code's settings, as other hosts run it."""
    return [sys.executable, "-I", "-S", str(CLIENT), "any:", str(home.socket)]


def with_arguments(home: Home) -> list[str]:
    return [sys.executable, "-I", "-S", str(CLIENT), "PreToolUse", str(home.socket), str(home.project)]


def call(host: str, command: str, home: Home) -> bytes:
    made = HOSTS[host].sample
    assert made is not None
    raw = made("Bash", {"command": command}, str(home.project))
    assert raw is not None
    return raw


def test_vs_code_is_denied_and_asked_by_the_entries_of_copilot_and_claude_code(home: Home):
    """It has no terminal, and a person sits in front of it all the same."""
    home.policy(NO_RM, ASK_LS)
    for words in (entry_of("copilot"), without_arguments(home), with_arguments(home)):
        said, _, code = run(words, call("vscode", "rm x", home))
        reason = {"permissionDecision": "deny", "permissionDecisionReason": "No rm."}
        assert (said, code) == ({"hookSpecificOutput": {"hookEventName": "PreToolUse", **reason}}, 0)
        said, _, code = run(words, call("vscode", "ls", home))
        asked = {"permissionDecision": "ask", "permissionDecisionReason": "Is this meant?"}
        assert (said, code) == ({"hookSpecificOutput": {"hookEventName": "PreToolUse", **asked}}, 0)
        assert run(words, call("vscode", "pwd", home)) == (None, "", 0)


def test_droid_is_denied_by_an_entry_that_it_copied_from_claude_code(home: Home):
    home.policy(NO_RM)
    for words in (without_arguments(home), with_arguments(home)):
        said, stderr, code = run(words, call("droid", "rm x", home))
        assert (said["hookSpecificOutput"]["permissionDecision"], stderr, code) == ("deny", "No rm.", 2)
        assert run(words, call("droid", "pwd", home)) == (None, "", 0)


@pytest.mark.parametrize("made_for", ["droid", "claude-code", ANY_HOST])
def test_droid_is_known_by_its_modes(made_for: str):
    for file in event_files("droid"):
        raw = file.read_bytes()
        event = json.loads(raw)["hook_event_name"]
        request = HookRequest(event=event, project=None, raw=raw, host=made_for, entry=made_for)
        found = real_caller(request, dict)
        assert (file.stem, found.host, found.event, found.problem) == (file.stem, "droid", event, "")


def test_claude_code_stays_itself_whatever_is_in_the_fields_of_a_call():
    words = {"off": 1, "auto-low": 2, "timestamp": 3, "permission_mode": "off", "tool_use_id": 4}
    for file in EVENT_FILES:
        payload = json.loads(file.read_bytes())
        if HOSTS["claude-code"].events[payload["hook_event_name"]].seconds is None:
            continue  # no entry sends it
        raw = json.dumps({**payload, "tool_input": words}).encode()
        request = HookRequest(event=payload["hook_event_name"], project=None, raw=raw)
        assert real_caller(request, dict) is request


def test_no_other_host_is_taken_for_droid():
    for name in HOSTS:
        for file in EVENT_FILES if name == "claude-code" else event_files(name) if name != "droid" else []:
            assert not HOSTS["droid"].recognises({}, json.loads(file.read_bytes()))


def test_a_host_that_does_not_run_the_entries_of_another_is_refused(home: Home):
    home.policy(NO_RM)
    said, _, code = run(entry_of("codex"), call("vscode", "pwd", home))
    assert (said["hookSpecificOutput"]["permissionDecision"], code) == ("deny", 2)
    assert "looks like one of VS Code" in said["hookSpecificOutput"]["permissionDecisionReason"]


def marks(host: str) -> dict[str, str]:
    setup = HOSTS[host].setup
    return {} if setup is None else dict(setup.marks(Path("/w")))


# What a program has in its environment that was started in the shell of every one of these at once.
INHERITED = {key: value for name in HOSTS for key, value in marks(name).items()} | {"CURSOR_VERSION": "1.0.0"}
# The entries that a host runs: its own, and those that were made for another.
RUNS = {name: {name} for name in HOSTS if event_files(name) and HOSTS[name].setup is not None}
for name in ("copilot", "vscode", "cursor", "codex", "droid", "gemini", "qwen"):
    RUNS[name] |= {"claude-code"}
RUNS["vscode"] |= {"copilot"}


@pytest.mark.parametrize("environ", [{}, INHERITED], ids=["alone", "in every other"])
@pytest.mark.parametrize("name", RUNS)
def test_a_host_that_was_started_in_the_shell_of_others_is_taken_for_none_of_them(name: str, environ: dict[str, str]):
    assert {"COPILOT_CLI", "GEMINI_SESSION_ID", "QWEN_CODE_SESSION_ID"} < INHERITED.keys()
    own = marks(name)
    for file in event_files(name):
        raw = file.read_bytes()
        for made_for in RUNS[name]:
            request = HookRequest(event="PreToolUse", project=None, raw=raw, host=made_for, entry=made_for)
            found = real_caller(request, lambda: environ | own)
            # Where nothing in an event tells it from Claude Code's, it is answered as one of these.
            alike = {name, "claude-code"} if name == "codex" and b"turn_id" not in raw else {name}
            assert (found.host in alike, found.problem) == (True, ""), (file.stem, made_for, found)


def test_claude_code_is_itself_in_the_shell_of_every_other():
    for file in EVENT_FILES:
        request = HookRequest(event="PreToolUse", project=None, raw=file.read_bytes())
        if HOSTS["claude-code"].events[json.loads(request.raw)["hook_event_name"]].seconds is not None:
            assert real_caller(request, lambda: INHERITED) is request


@pytest.mark.parametrize("made_for", ["copilot", "claude-code"])
def test_a_call_of_another_host_that_says_less_than_usual_is_refused(made_for: str):
    """Read as one of the host that the entry was made for, its tool would be one that no rule knows."""
    for tool, problem in (("run_in_terminal", True), ("mcp_shop_refund", False), ("Bash", False)):
        payload = {"timestamp": "2026-01-02T03:04:05.678Z", "hook_event_name": "PreToolUse", "session_id": "s"}
        payload |= {"cwd": "/w", "transcript_path": "/t", "tool_name": tool}
        raw = json.dumps({**payload, "tool_input": {"command": "rm x"}}).encode()
        request = HookRequest(event="PreToolUse", project=None, raw=raw, host=made_for, entry=made_for)
        found = real_caller(request, dict)
        assert (found.host, found.problem != "") == (made_for, problem)
        assert "looks like a call of VS Code" in found.problem or not problem
