"""VS Code's events: one row for each that has an entry in the file that it shares with Copilot CLI."""

from __future__ import annotations

from interlock.hosts.base.host import HostEvent, events_with
from interlock.hosts.vscode.dialect import DIALECT

__all__ = ["EVENTS"]

_LONG, _SHORT = 600, 60

EVENTS = events_with(
    DIALECT,
    {
        "PreToolUse": HostEvent(failing="deny", seconds=_LONG),
        "PostToolUse": HostEvent(failing="hold back", seconds=_LONG),
        "UserPromptSubmit": HostEvent(seconds=_LONG),
        "SessionStart": HostEvent(seconds=_SHORT),
        "Stop": HostEvent(seconds=_LONG),
    },
)
