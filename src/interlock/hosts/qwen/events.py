"""Qwen Code's events: one row for each that has an entry."""

from __future__ import annotations

from interlock.hosts.base.host import HostEvent, events_with
from interlock.hosts.qwen.dialect import DIALECT

__all__ = ["EVENTS"]

# After that long it lets the call run, whatever limit the entry names: only the program behind it goes on.
_ANY, _BATCH, _LAST = 60, 15, 10

EVENTS = events_with(
    DIALECT,
    {
        "PreToolUse": HostEvent(failing="deny", seconds=_ANY, cap=True, exit_on_deny=True),
        "PermissionRequest": HostEvent(failing="deny", seconds=_ANY, cap=True),
        "PostToolUse": HostEvent(failing="hold back", seconds=_ANY, cap=True),
        "PostToolUseFailure": HostEvent(failing="hold back", seconds=_ANY, cap=True),
        "PostToolBatch": HostEvent(failing="block", seconds=_BATCH, cap=True),
        "UserPromptSubmit": HostEvent(seconds=_ANY, cap=True),
        "SessionStart": HostEvent(seconds=_ANY),
        "Stop": HostEvent(seconds=_ANY, cap=True),
        "SessionEnd": HostEvent(seconds=_LAST),
    },
)
