"""Amp as a host."""

from __future__ import annotations

from collections.abc import Sequence

from interlock.hosts.amp.delegate import event_of_call
from interlock.hosts.amp.dialect import DIALECT, TITLE, TOOLS, denied, sample
from interlock.hosts.amp.driving import DRIVE
from interlock.hosts.amp.events import EVENTS
from interlock.hosts.amp.setup import SETUP
from interlock.hosts.base.host import Host

__all__ = ["AMP"]


def is_headless(argv: Sequence[str], has_terminal: bool | None) -> bool:
    """Whether it asks no person: it was given one task to do, or its output does not go to a terminal."""
    return has_terminal is False or any(word in ("-x", "--execute", "--no-tui") for word in argv)


AMP = Host(
    name="amp",
    title=TITLE,
    dialect=DIALECT,
    events=EVENTS,
    tools=TOOLS,
    evidence="live",
    version="0.0.1790142911",
    # Its models are on a server of its own, so only what it says about a call was seen.
    from_documents=("ask", "redact", "failed", "context", "stop"),
    is_headless=is_headless,
    envelope=event_of_call,
    setup=SETUP,
    sample=sample,
    denied=denied,
    drive=DRIVE,
)
