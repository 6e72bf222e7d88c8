"""Kiro as a host."""

from __future__ import annotations

from interlock.hosts.base.envelopes import field_from_entry
from interlock.hosts.base.host import Host
from interlock.hosts.kiro.dialect import DIALECT, TITLE, denied, sample
from interlock.hosts.kiro.events import EVENTS
from interlock.hosts.kiro.setup import SETUP
from interlock.hosts.kiro.tools import TOOLS

__all__ = ["KIRO"]

KIRO = Host(
    name="kiro",
    title=TITLE,
    dialect=DIALECT,
    events=EVENTS,
    tools=TOOLS,
    evidence="protocol",
    asks=False,
    names_calls=False,
    envelope=field_from_entry("session_id"),
    setup=SETUP,
    sample=sample,
    denied=denied,
    unseen=(
        "the calls of CLI 2.x agents whose file has no entry, and of its built-in agents",
        "what a command prints while it runs in the background, and what a Power does besides calling tools",
    ),
)
