"""Kiro's events: one row for each that has entries."""

from __future__ import annotations

from interlock.hosts.base.host import HostEvent, events_with
from interlock.hosts.kiro.dialect import DIALECT

__all__ = ["EVENTS"]

_LONG, _SHORT = 600, 60  # its own limits are 30 and 60 seconds, and entries may ask for more

EVENTS = events_with(
    DIALECT,
    {
        "PreToolUse": HostEvent(failing="deny", seconds=_LONG, exit_on_deny=True),
        "PostToolUse": HostEvent(failing="hold back", seconds=_LONG),
        "UserPromptSubmit": HostEvent(seconds=_LONG),
        "SessionStart": HostEvent(seconds=_SHORT),
    },
)
