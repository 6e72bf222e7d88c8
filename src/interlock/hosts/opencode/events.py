"""OpenCode's events: one row for each that the plugin passes on."""

from __future__ import annotations

from interlock.hosts.base.host import HostEvent, events_with
from interlock.hosts.opencode.dialect import DIALECT

__all__ = ["EVENTS"]

_LONG = 600  # seconds until the plugin gives up; OpenCode itself waits for a plugin without an end

EVENTS = events_with(
    DIALECT,
    {
        "PreToolUse": HostEvent(failing="deny", seconds=_LONG),
        "PostToolUse": HostEvent(failing="hold back", seconds=_LONG),
        "UserPromptSubmit": HostEvent(seconds=_LONG),
    },
)
