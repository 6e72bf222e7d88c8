"""The MCP proxy as a host: it raises the events itself, in the process that carries the verdict out."""

from __future__ import annotations

from interlock.event import EVENTS
from interlock.hosts.base.host import Host, HostEvent
from interlock.hosts.mcp import dialect

__all__ = ["MCP"]

_IN_PROCESS = "the proxy raises it in its own process"

MCP = Host(
    name=dialect.HOST,
    title=dialect.TITLE,
    dialect=dialect,
    events={
        name: HostEvent(failing="deny" if dialect.honours(name) else "notice", why_not=_IN_PROCESS) for name in EVENTS
    },
    spawns=False,
)
