"""Our entries: one for each event that matters, exactly as written, and known again."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from interlock.effect import can
from interlock.event import EVENTS
from interlock.hosts.claude_code.entries import entries_for, entry, is_entry, shared_entry
from interlock.hosts.claude_code.events import LEFT_OUT, WIRED
from interlock.hosts.claude_code.places import client_file, launcher_file, python, socket_path
from interlock.hosts.claude_code.recovery import TOLD_AT, direct
from interlock.process import event_seconds
from interlock.spawn import exchange

PLACES = (Path("/home/me/run/interlock-hook"), Path("/opt/py/lib/interlock/client.py"), Path("/home/me/run/socket"))


def test_an_entry_names_everything_by_its_absolute_path_and_blocks_when_it_fails():
    assert entry("PreToolUse", *PLACES) == {
        "type": "command",
        "command": "/home/me/run/interlock-hook",
        "args": [
            "-I",
            "-S",
            "/opt/py/lib/interlock/client.py",
            "PreToolUse",
            "/home/me/run/socket",
            "${CLAUDE_PROJECT_DIR}",
        ],
        "timeout": 600,
        "onFailure": "block",
    }


def test_an_entry_that_is_committed_holds_no_path_of_a_machine():
    assert shared_entry("SessionEnd") == {
        "type": "command",
        "command": "interlock",
        "args": ["client", "SessionEnd", "${CLAUDE_PROJECT_DIR}"],
        "timeout": 10,
        "onFailure": "block",
    }
    for event, handler in entries_for("project").items():
        places = re.findall(r"(?<![\w\"])/[\w./-]+", str(direct(handler) if event == TOLD_AT else handler))
        assert places == [], event
    # What the shell names is the same on every machine.
    found = set(re.findall(r"(?<![\w\"$])/[\w./-]+", str(entries_for("project")[TOLD_AT])))
    assert found - {"/../.."} == {"/dev/null", "/etc/claude-code/managed-settings.json", "/hooks"}


@pytest.mark.parametrize("scope", ["local", "project"])
def test_no_entry_is_a_shell_or_an_interpreter_that_would_read_the_event_as_its_program(scope):
    """Other hosts that read the settings leave out arguments."""
    for handler in entries_for(scope).values():
        assert handler["command"].rpartition("/")[2].partition(" ")[0] in ("interlock", "interlock-hook") or (
            handler["command"].startswith("set -- ") and "args" not in handler
        )


def test_every_event_is_wired_or_left_out_for_a_reason():
    assert WIRED.keys() | LEFT_OUT.keys() == EVENTS.keys()
    assert not WIRED.keys() & LEFT_OUT.keys()


def test_no_answer_of_ours_is_ever_taken_for_the_path_of_a_worktree():
    assert "WorktreeCreate" in LEFT_OUT


@pytest.mark.parametrize("event", WIRED)
def test_a_host_waits_longer_than_the_longest_check_of_a_policy(event: str):
    assert WIRED[event] > event_seconds(event) > can(event).seconds


def test_the_client_waits_longer_than_any_host_for_a_daemon_that_is_working():
    assert max(WIRED.values()) < exchange.MOST_BEATS * 2


@pytest.mark.parametrize("scope", ["local", "user", "managed"])
def test_the_entries_of_this_installation_lead_to_its_own_client_and_socket(scope):
    for event, handler in entries_for(scope).items():
        program = python() if event == TOLD_AT else launcher_file()
        assert handler == entry(event, program, client_file(), socket_path())
    assert entries_for(scope).keys() == WIRED.keys()
    assert client_file().is_file()
    assert python().is_absolute()


def test_an_entry_of_another_installation_is_known_as_ours():
    assert is_entry("PreToolUse", entry("PreToolUse", *PLACES))
    assert is_entry("PreToolUse", {**entry("PreToolUse", *PLACES), "timeout": 1})
    assert is_entry("Stop", shared_entry("Stop"))


@pytest.mark.parametrize(
    "handler",
    [
        {"type": "command", "command": "interlock client Stop"},
        {"type": "command", "command": "interlock", "args": ["hook", "claude-code"]},
        {"type": "command", "command": "/opt/py/bin/python", "args": ["-I", "-S", "/x/client.py", "Stop", "/s", "/p"]},
        {"type": "http", "url": "http://127.0.0.1:1/"},
        shared_entry("PreToolUse"),
    ],
)
def test_a_near_miss_is_somebody_elses(handler):
    assert not is_entry("Stop", handler)
