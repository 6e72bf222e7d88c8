"""Entries that earlier versions wrote: they are recognised, they run, and they are taken out again.

They are written out here and not built, so that a change of what is written today cannot change them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import json

from interlock.config import places as config
from interlock.hosts.claude_code import places
from interlock.hosts.claude_code.address import Address, keep_address
from interlock.hosts.claude_code.entries import is_entry
from interlock.hosts.claude_code.installer import apply, plan_uninstall
from interlock.hosts.claude_code.places import client_file, python, socket_path
from tests.daemon.spawned import CLIENT, Home
from tests.hosts.goldens import EVENT_FILES

# Version 0.1.0: the events that it wired, with the seconds that it asked the host to wait.
LONG = (
    "PreToolUse", "PermissionRequest", "PostToolUse", "PostToolUseFailure", "PostToolBatch", "UserPromptSubmit",
    "UserPromptExpansion", "Stop", "SubagentStart", "SubagentStop", "PreCompact", "PreModelSwitch", "TeammateIdle",
    "TaskCreated", "TaskCompleted", "Elicitation", "ElicitationResult", "ConfigChange",
)  # fmt: skip
SHORT = (
    "SessionStart", "Setup", "StopFailure", "Notification", "PostCompact", "PostModelSwitch", "PermissionDenied",
    "InstructionsLoaded", "WorktreeRemove", "CwdChanged", "DirectoryAdded",
)  # fmt: skip
SECONDS = {**dict.fromkeys(LONG, 600), **dict.fromkeys(SHORT, 60), "SessionEnd": 10}
OVER_HTTP = ("PreToolUse", "PermissionRequest", "PostToolUse", "PostToolUseFailure", "PostToolBatch")
TOKEN = "x" * 43
FOREIGN = {"type": "command", "command": "./check.sh"}


def spawned(event: str) -> dict[str, Any]:
    args = ["-I", "-S", str(client_file()), event, str(socket_path()), "${CLAUDE_PROJECT_DIR}"]
    return {"type": "command", "command": str(python()), "args": args, "timeout": SECONDS[event], "onFailure": "block"}


def shared(event: str) -> dict[str, Any]:
    args = ["client", event, "${CLAUDE_PROJECT_DIR}"]
    return {"type": "command", "command": "interlock", "args": args, "timeout": SECONDS[event], "onFailure": "block"}


def over_http(event: str) -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {TOKEN}"}
    url = f"http://127.0.0.1:15001/hook/{event}"
    return {"type": "http", "url": url, "headers": headers, "timeout": SECONDS[event], "onFailure": "block"}


def settings(kind: Any, events: Any) -> dict[str, Any]:
    hooks = {event: [{"hooks": [kind(event)]}] for event in events}
    return {"model": "opus", "hooks": {**hooks, "Stop": [{"hooks": [FOREIGN]}, *hooks.get("Stop", [])]}}


@pytest.mark.parametrize("event", SECONDS)
def test_each_is_known_again(event: str):
    assert is_entry(event, spawned(event))
    assert is_entry(event, shared(event))
    assert event not in OVER_HTTP or is_entry(event, over_http(event))
    assert not is_entry(event, FOREIGN)
    assert not is_entry("Stop" if event != "Stop" else "Setup", spawned(event))


@pytest.mark.parametrize(
    ("scope", "name", "kind", "events"),
    [
        ("local", "settings.local.json", spawned, SECONDS),
        ("project", "settings.json", shared, SECONDS),
        ("local", "settings.local.json", over_http, OVER_HTTP),
    ],
)
def test_uninstall_takes_every_one_out_and_leaves_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scope: Any, name: str, kind: Any, events: Any
):
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    monkeypatch.setattr(places, "MANAGED", tmp_path / "etc" / "managed-settings.json")
    monkeypatch.setattr(config, "MANAGED", tmp_path / "etc" / "policy.yaml")
    keep_address(socket_path().parent, Address(15001, TOKEN))  # by which entries over HTTP are known to be its own
    file = tmp_path / "shop" / ".claude" / name
    file.parent.mkdir(parents=True)
    file.write_bytes(json.encode(settings(kind, events)))
    apply(plan_uninstall(tmp_path / "shop", scope))
    assert json.decode(file.read_bytes()) == {"model": "opus", "hooks": {"Stop": [{"hooks": [FOREIGN]}]}}


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    home = Home(tmp_path)
    yield home
    home.end()


def test_the_program_that_they_name_is_there_and_answers_every_event(home: Home):
    assert client_file() == CLIENT
    home.policy("{id: no-push, command: git push, deny: Not today.}")
    for file in EVENT_FILES:
        event = json.decode(file.read_bytes())
        if event["hook_event_name"] not in SECONDS:
            continue
        given = {"cwd": str(home.project), "transcript_path": "", "session_id": "s1"}
        ended = home.ask(json.encode({**event, **given}), event["hook_event_name"])
        assert b"did not answer" not in ended.stdout + ended.stderr, file.stem
        assert ended.returncode == 0, (file.stem, ended)
