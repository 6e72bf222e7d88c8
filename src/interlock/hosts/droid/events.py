"""Droid's events: one row for each that has an entry."""

from __future__ import annotations

from interlock.hosts.base.host import HostEvent, events_with
from interlock.hosts.droid.dialect import DIALECT

__all__ = ["EVENTS"]

_LONG, _SHORT, _LAST = 600, 60, 10

EVENTS = events_with(
    DIALECT,
    {
        "PreToolUse": HostEvent(failing="deny", seconds=_LONG, exit_on_deny=True),
        "PostToolUse": HostEvent(failing="hold back", seconds=_LONG),
        "UserPromptSubmit": HostEvent(seconds=_LONG),
        "SessionStart": HostEvent(seconds=_SHORT),
        "SubagentStop": HostEvent(seconds=_LONG),
        "Stop": HostEvent(seconds=_LONG),
        "SessionEnd": HostEvent(seconds=_LAST),
    },
)
