"""Hosts that speak the flat dialect: they raise any event, and Interlock does not know their settings."""

from __future__ import annotations

from interlock.event import EVENTS
from interlock.hosts.base.host import Host, HostEvent, event_without_entry
from interlock.hosts.flat import dialect

__all__ = ["FLAT"]

# Whoever calls `interlock hook flat` decides how long it waits, so no event has an entry or a time limit here.
_WHY = "the host itself calls `interlock hook flat`"
_EVENTS = {name: event_without_entry(name, dialect, _WHY) for name in EVENTS}
# A result has no field of its own in the flat form: one that must not be read is denied.
_RESULTS = ("PostToolUse", "PostToolUseFailure")

FLAT = Host(
    name="flat",
    title=dialect.TITLE,
    dialect=dialect,
    adopts=True,
    events={**_EVENTS, **{name: HostEvent(failing="deny", why_not=_WHY) for name in _RESULTS}},
)
