"""Windsurf as a host."""

from __future__ import annotations

from interlock.hosts.base.host import Host
from interlock.hosts.windsurf.dialect import DIALECT, MARK, TITLE, denied, sample
from interlock.hosts.windsurf.entry import event_of_entry
from interlock.hosts.windsurf.events import EVENTS
from interlock.hosts.windsurf.setup import SETUP
from interlock.hosts.windsurf.tools import TOOLS

__all__ = ["WINDSURF"]

WINDSURF = Host(
    name="windsurf",
    title=TITLE,
    dialect=DIALECT,
    events=EVENTS,
    tools=TOOLS,
    evidence="protocol",
    asks=False,
    names_calls=False,
    wait=20.0,
    envelope=event_of_entry,
    setup=SETUP,
    sample=sample,
    denied=denied,
    unseen=(
        "code searches, web searches, fetched pages and the browser",
        "what a command printed and what a file contains: only the results of MCP tools come with their content",
        "the calls of Devin Local, the other agent in the same program",
    ),
    recognises=lambda environ, payload: MARK in payload,
)
