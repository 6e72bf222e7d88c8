"""What Interlock must know about any host: one value for each host, and one row for each of its events."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from interlock.hosts.base.reply import Dialect

__all__ = ["Failing", "Host", "HostEvent"]

Failing: TypeAlias = Literal["deny", "block", "end turn", "hold back", "stop", "nothing", "last words", "notice"]
"""The form of the answer if the event was not judged: what the host understands as its safe direction."""


class HostEvent(Struct, frozen=True, kw_only=True):
    """One event of a host: its answer if it was not judged, how long the host waits, and whether it has an entry."""

    failing: Failing = "notice"
    seconds: int | None = None  # that Interlock's entry asks the host to wait; None: the event has no entry
    why_not: str = ""  # why it has none
    web: bool = False  # it may be sent over HTTP, which saves a process
    exit_on_deny: bool = False  # a denial is an exit code too, which nothing on stdout overrides


class Host(Struct, frozen=True, kw_only=True):
    """A host: the name policies know it by, its dialect, its events, its tools, and how its calls are recognised.

    `tools` maps the names of its tools to those that policies use. `recognises` is given the environment of a process
    that it spawned and the event that it sent: several hosts run each other's entries.
    """

    name: str
    title: str  # in sentences
    dialect: Dialect
    events: Mapping[str, HostEvent]
    tools: Mapping[str, str] = {}
    spawns: bool = (
        True  # it starts a process for an event; else the verdict is carried out in the process that raised it
    )
    recognises: Callable[[Mapping[str, str], Mapping[str, Any]], bool] = lambda environ, payload: False
