"""Amp's one event: a call that is about to run."""

from __future__ import annotations

from interlock.hosts.amp.dialect import DIALECT
from interlock.hosts.base.host import HostEvent, events_with

__all__ = ["EVENTS"]

# Amp still waited for its program after 40 seconds, and no limit of it is known.
EVENTS = events_with(DIALECT, {"PreToolUse": HostEvent(failing="deny", seconds=600, exit_on_deny=True)})
