"""The MCP proxy as a host: it raises the events itself, in the process that carries the verdict out."""

from __future__ import annotations

from interlock.event import EVENTS
from interlock.hosts.base.host import Host, event_without_entry
from interlock.hosts.mcp import dialect

__all__ = ["MCP"]

_WHY = "the proxy raises it in its own process"

MCP = Host(
    name=dialect.HOST,
    title=dialect.TITLE,
    dialect=dialect,
    events={name: event_without_entry(name, dialect, _WHY) for name in EVENTS},
    spawns=False,
)
