"""What Interlock must know about any host: one value for each host, and one row for each of its events."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from interlock.effect import SafeDirection, safe_direction
from interlock.event import EVENTS
from interlock.hosts.base.denials import Denied
from interlock.hosts.base.driving import HostDrive, HostInquiry
from interlock.hosts.base.reply import Dialect
from interlock.hosts.base.samples import Sample
from interlock.hosts.base.setup import HostSetup
from interlock.hosts.base.speech import HostSpeech
from interlock.hosts.base.tools import NativeTool

__all__ = ["Evidence", "Failing", "Host", "HostEvent", "event_without_entry", "events_with"]

Evidence: TypeAlias = Literal["live", "protocol"]
"""How its dialect is known to be right: the host itself was driven, or its documentation was read."""

Failing: TypeAlias = Literal["deny", "block", "end turn", "hold back", "stop", "nothing", "last words", "notice"]
"""The form of the answer if the event was not judged: what the host understands as its safe direction."""


class HostEvent(Struct, frozen=True, kw_only=True):
    """One event of a host: its answer if it was not judged, how long the host waits, and whether it has an entry."""

    failing: Failing = "notice"
    seconds: int | None = None  # that Interlock's entry asks the host to wait; None: the event has no entry
    cap: bool = False  # the host waits no longer, whatever an entry asks for
    why_not: str = ""  # why it has none
    web: bool = False  # it may be sent over HTTP, which saves a process
    exit_on_deny: bool = False  # a denial is an exit code too, which nothing on stdout overrides


_FORMS: dict[SafeDirection, Failing] = {"deny": "deny", "withhold": "hold back", "pass": "notice"}


def event_without_entry(event_name: str, dialect: Dialect, why_not: str) -> HostEvent:
    """The row of an event that has no entry in any settings, and falls its safe way as far as the host honours it."""
    failing = _FORMS[safe_direction(event_name)]
    return HostEvent(
        failing="notice" if failing == "deny" and "deny" not in dialect.honours(event_name) else failing,
        why_not=why_not,
    )


def events_with(dialect: Dialect, wired: Mapping[str, HostEvent]) -> dict[str, HostEvent]:
    """The table of a host in whose settings these events have entries, and no others."""
    without = {
        name: event_without_entry(name, dialect, "the host does not raise it, or Interlock has no entry for it there")
        for name in EVENTS
    }
    return {**without, **wired}


class Host(Struct, frozen=True, kw_only=True):
    """A host: the name policies know it by, its dialect, its events, its tools, and how its calls are recognised.

    `tools` has those of its tools that policies know by another name, or in other fields. `recognises` is given the
    environment of a process that it spawned and the event that it sent: several hosts run each other's entries.
    """

    name: str
    title: str  # in sentences
    dialect: Dialect
    events: Mapping[str, HostEvent]
    tools: Mapping[str, NativeTool] = {}
    evidence: Evidence = "live"
    version: str = ""  # the one that was driven
    from_documents: tuple[str, ...] = ()  # columns of the matrix that could not be seen on the program that was driven
    asks: bool = True  # where a person sits in front of it, it shows them a question of a rule
    names_calls: bool = True  # a call and its result have the same id
    raises_failures_as_results: bool = False  # what a failed tool said comes as any other result
    is_headless: Callable[[Sequence[str], bool | None], bool] = lambda argv, has_terminal: has_terminal is False
    wait: float = 480.0  # seconds that a call can wait for a person's answer elsewhere, below the host's own limit
    spawns: bool = (
        True  # it starts a process for an event; else the verdict is carried out in the process that raised it
    )
    envelope: Callable[[bytes, Sequence[str]], bytes] | None = None  # the event of what it sends and says besides
    ends_event: str = ""  # the word after an event that it writes behind an entry's command, as a here-document
    setup: HostSetup | None = None  # None: whoever uses the host connects it
    sample: Sample | None = None  # a call as it would send it
    speech: HostSpeech = HostSpeech()  # … and what else it sends
    denied: Denied | None = None  # how it reads an answer to a call; given wherever it has a setup
    drive: HostDrive | HostInquiry | None = None  # None: it cannot be run without a person, or without its maker
    unseen: tuple[str, ...] = ()  # what it does without asking anybody, in words
    adopts: bool = False  # hooks of other programs that answer in its form can be made part of a policy
    recognises: Callable[[Mapping[str, str], Mapping[str, Any]], bool] = lambda environ, payload: False
