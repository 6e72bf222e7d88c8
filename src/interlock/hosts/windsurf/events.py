"""Windsurf's events: one row for each that has entries."""

from __future__ import annotations

from interlock.hosts.base.host import HostEvent, events_with
from interlock.hosts.windsurf.dialect import DIALECT

__all__ = ["EVENTS"]

# Nothing says how long it waits, what it does then, or how to make it wait longer: this is short enough to be safe.
_LIMIT = 30

EVENTS = events_with(
    DIALECT,
    {
        "PreToolUse": HostEvent(failing="deny", seconds=_LIMIT, cap=True, exit_on_deny=True),
        "PostToolUse": HostEvent(failing="hold back", seconds=_LIMIT, cap=True),
        "UserPromptSubmit": HostEvent(seconds=_LIMIT, cap=True),
        "Stop": HostEvent(seconds=_LIMIT, cap=True),
    },
)
