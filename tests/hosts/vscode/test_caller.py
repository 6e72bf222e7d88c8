"""Who sends an event: VS Code runs entries that were made for Claude Code and for Copilot CLI, and looks like both."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from interlock.daemon.callers import real_caller
from interlock.daemon.frames import ANY_HOST, HookRequest
from interlock.hosts import HOSTS
from tests.hosts.goldens import EVENT_FILES, event_files

WIRED = ("PreToolUse", "PostToolUse", "UserPromptSubmit", "SessionStart", "Stop")
NOWHERE: Mapping[str, str] = {}  # where the environment of a process cannot be read
COPILOT = {"COPILOT_CLI": "1"}
EXTENSION_HOST = {"VSCODE_PID": "1", "ELECTRON_RUN_AS_NODE": "1"}


def caller(made_for: str, file: Path, environ: Mapping[str, str]) -> tuple[str, str, str]:
    raw = file.read_bytes()
    payload = json.loads(raw)
    event = payload.get("hook_event_name", "PermissionRequest")
    found = real_caller(HookRequest(event=event, project=None, raw=raw, host=made_for, entry=made_for), lambda: environ)
    return found.host, found.event, found.problem


def named(file: Path) -> str:
    return f"{file.parent.name}-{file.stem}"


@pytest.mark.parametrize("environ", [NOWHERE, EXTENSION_HOST], ids=["unknown", "known"])
@pytest.mark.parametrize("file", event_files("vscode"), ids=named)
def test_vs_code_is_known_by_whichever_entry_it_runs(file: Path, environ: Mapping[str, str]):
    event = json.loads(file.read_bytes())["hook_event_name"]
    for made_for in ("vscode", "copilot", "claude-code", ANY_HOST):
        assert (made_for, *caller(made_for, file, environ)) == (made_for, "vscode", event, "")


@pytest.mark.parametrize("environ", [NOWHERE, COPILOT], ids=["unknown", "known"])
@pytest.mark.parametrize("file", event_files("copilot"), ids=named)
def test_copilot_is_never_taken_for_it(file: Path, environ: Mapping[str, str]):
    for made_for in ("copilot", "claude-code", ANY_HOST):
        assert caller(made_for, file, environ)[0] == "copilot"


@pytest.mark.parametrize("host", [name for name in HOSTS if name != "vscode"])
def test_no_other_host_is_taken_for_it(host: str):
    for file in EVENT_FILES if host == "claude-code" else event_files(host):
        assert (file.stem, HOSTS["vscode"].recognises({}, json.loads(file.read_bytes()))) == (file.stem, False)


def test_events_that_both_send_alike_are_refused_in_a_form_that_both_obey():
    """Without the file of its session, VS Code's prompt is Copilot's to the byte."""
    payload = {"timestamp": "2026-01-02T03:04:05.678Z", "hook_event_name": "UserPromptSubmit", "session_id": "s"}
    raw = json.dumps({**payload, "cwd": "/w", "prompt": "p"}).encode()
    assert [name for name, host in HOSTS.items() if host.recognises({}, json.loads(raw))] == ["copilot"]
    for name in ("copilot", "vscode"):
        dialect = HOSTS[name].dialect
        said = json.loads(dialect.encode(dialect.decode(raw), dialect.fail("PreToolUse", "no").verdict).stdout)
        assert (said["decision"], said["reason"]) == ("block", "no")


def test_a_call_of_it_is_denied_by_the_answer_of_whichever_entry_it_runs():
    """If no daemon answers, the client answers in the form of the host that the entry was made for."""
    for name in ("copilot", "vscode"):
        said = json.loads(HOSTS[name].dialect.fail("PreToolUse", "no").stdout)["hookSpecificOutput"]
        assert (said["hookEventName"], said["permissionDecision"]) == ("PreToolUse", "deny")


def test_every_event_that_it_may_not_ignore_has_an_entry_in_the_file_that_it_shares():
    events = HOSTS["vscode"].events
    assert [name for name in events if events[name].seconds is not None] == list(events_in_order())


def events_in_order() -> list[str]:
    return [name for name in HOSTS["vscode"].events if name in WIRED]
