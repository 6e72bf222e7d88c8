"""Cline's events: one row for each that has a script."""

from __future__ import annotations

from interlock.hosts.base.host import HostEvent, events_with
from interlock.hosts.cline.dialect import DIALECT

__all__ = ["EVENTS"]

_LIMIT = 28  # the extension ends a hook after 30 seconds, and the SDK after 120; no setting changes that

EVENTS = events_with(
    DIALECT,
    {
        "PreToolUse": HostEvent(failing="deny", seconds=_LIMIT, cap=True),
        "PostToolUse": HostEvent(failing="hold back", seconds=_LIMIT, cap=True),
    },
)
