"""Hosts that speak the flat dialect: they raise any event, and Interlock does not know their settings."""

from __future__ import annotations

from interlock.event import EVENTS
from interlock.hosts.base.host import Host, HostEvent
from interlock.hosts.flat import dialect

__all__ = ["FLAT"]

# Whoever calls `interlock hook flat` decides how long it waits, so no event has an entry or a time limit here.
_EVENT = HostEvent(failing="notice", why_not="the host itself calls `interlock hook flat`")
_DENY = HostEvent(failing="deny", why_not=_EVENT.why_not)

FLAT = Host(
    name="flat",
    title=dialect.TITLE,
    dialect=dialect,
    events={name: _DENY if "deny" in dialect.honours(name) else _EVENT for name in EVENTS},
)
