"""Our dispatcher entry for each event: which events have one, how long a host waits, and how it is recognised."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

from interlock.hosts.claude_code.address import WEB_EVENTS, Address, web_entry
from interlock.hosts.claude_code.places import Scope, client_file, python, socket_path

__all__ = ["LEFT_OUT", "PROJECT", "WIRED", "Entries", "Handler", "committed", "entries_for", "entry", "is_entry"]

Handler: TypeAlias = dict[str, Any]
Entries: TypeAlias = Mapping[str, Handler]

PROJECT = "${CLAUDE_PROJECT_DIR}"  # the host puts the project's folder in its place

# A policy may `run` checks of up to 500 seconds wherever it has a say; elsewhere it only looks on.
_LONG, _SHORT = 600, 60
WIRED: dict[str, int] = {
    "PreToolUse": _LONG,
    "PermissionRequest": _LONG,
    "PostToolUse": _LONG,
    "PostToolUseFailure": _LONG,
    "PostToolBatch": _LONG,
    "UserPromptSubmit": _LONG,  # the host's own limit is 30 seconds, after which the prompt passes
    "UserPromptExpansion": _LONG,
    "SessionStart": _SHORT,
    "SessionEnd": 10,  # the host waits for this one while a person waits for their shell
    "Setup": _SHORT,
    "Stop": _LONG,
    "StopFailure": _SHORT,
    "SubagentStart": _LONG,
    "SubagentStop": _LONG,
    "Notification": _SHORT,
    "PreCompact": _LONG,
    "PostCompact": _SHORT,
    "PreModelSwitch": _LONG,
    "PostModelSwitch": _SHORT,
    "PermissionDenied": _SHORT,
    "TeammateIdle": _LONG,
    "TaskCreated": _LONG,
    "TaskCompleted": _LONG,
    "Elicitation": _LONG,
    "ElicitationResult": _LONG,
    "ConfigChange": _LONG,
    "InstructionsLoaded": _SHORT,
    "WorktreeRemove": _SHORT,
    "CwdChanged": _SHORT,
    "DirectoryAdded": _SHORT,
}

LEFT_OUT: dict[str, str] = {
    "WorktreeCreate": "the host takes whatever an entry answers as the path of the new worktree",
    "MessageDisplay": "it is raised for every piece of text on its way to the screen, and decides nothing",
    "FileChanged": "it is raised only for the files that an entry's matcher names, and ours names none",
}


def entry(event: str, python: Path, client: Path, socket: Path) -> Handler:
    """Our entry for one event on this machine: no shell, no search path, nothing from the environment."""
    args = ["-I", "-S", str(client), event, str(socket), PROJECT]
    return {"type": "command", "command": str(python), "args": args, "timeout": WIRED[event], "onFailure": "block"}


def committed(event: str) -> Handler:
    """Our entry in a file that other machines read too: whoever has `interlock` on their path is guarded."""
    args = ["client", event, PROJECT]
    return {"type": "command", "command": "interlock", "args": args, "timeout": WIRED[event], "onFailure": "block"}


def entries_for(scope: Scope, address: Address | None = None) -> Entries:
    """What we write into a settings file of this scope; with an address, calls go there and save a process each."""
    if scope == "project":
        return {event: committed(event) for event in WIRED}
    spawned = {event: entry(event, python(), client_file(), socket_path()) for event in WIRED}
    if address is None:
        return spawned
    return spawned | {event: web_entry(event, address, WIRED[event]) for event in WIRED if event in WEB_EVENTS}


def is_entry(event: str, handler: Handler) -> bool:
    """Whether some installation of ours, perhaps another or an older one, has written this."""
    if handler.get("type") == "http":
        return re.fullmatch(rf"http://127\.0\.0\.1:\d+/hook/{event}", str(handler.get("url"))) is not None
    args = handler.get("args")
    if handler.get("type") != "command" or not isinstance(args, list):
        return False
    if handler.get("command") == "interlock":
        return args == ["client", event, PROJECT]
    return (
        len(args) == 6
        and args[:2] == ["-I", "-S"]
        and str(args[2]).endswith("/interlock/client.py")
        and args[3] == event
        and args[5] == PROJECT
    )
