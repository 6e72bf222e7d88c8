"""Cursor's events: which of them have entries, and how long it waits at each."""

from __future__ import annotations

from interlock.hosts.base.host import HostEvent, events_with
from interlock.hosts.cursor.dialect import DIALECT

__all__ = ["EVENTS", "WIRED"]

_LONG, _SHORT, _LAST = 600, 60, 10

# Cursor's name of an event → the policies'. One name that it does not know makes it ignore the whole file.
WIRED = {
    "preToolUse": "PreToolUse",
    "beforeShellExecution": "PreToolUse",
    "beforeMCPExecution": "PreToolUse",
    "beforeReadFile": "PreToolUse",
    "beforeTabFileRead": "PreToolUse",
    "postToolUse": "PostToolUse",
    "postToolUseFailure": "PostToolUseFailure",
    "beforeSubmitPrompt": "UserPromptSubmit",
    "sessionStart": "SessionStart",
    "sessionEnd": "SessionEnd",
    "stop": "Stop",
    "subagentStart": "SubagentStart",
    "subagentStop": "SubagentStop",
}

EVENTS = events_with(
    DIALECT,
    {
        "PreToolUse": HostEvent(failing="deny", seconds=_LONG),
        "PostToolUse": HostEvent(failing="hold back", seconds=_LONG),
        "PostToolUseFailure": HostEvent(failing="hold back", seconds=_LONG),
        "UserPromptSubmit": HostEvent(seconds=_LONG),
        "SessionStart": HostEvent(seconds=_SHORT),
        "SessionEnd": HostEvent(seconds=_LAST),
        "Stop": HostEvent(seconds=_LONG),
        "SubagentStart": HostEvent(seconds=_SHORT),
        "SubagentStop": HostEvent(seconds=_LONG),
    },
)
