"""Cline as a host."""

from __future__ import annotations

from interlock.hosts.base.envelopes import field_from_entry
from interlock.hosts.base.host import Host
from interlock.hosts.cline.dialect import DIALECT, MARK, SPEECH, TITLE, denied, sample
from interlock.hosts.cline.events import EVENTS
from interlock.hosts.cline.setup import SETUP
from interlock.hosts.cline.tools import TOOLS

__all__ = ["CLINE"]

CLINE = Host(
    name="cline",
    title=TITLE,
    dialect=DIALECT,
    events=EVENTS,
    tools=TOOLS,
    evidence="protocol",
    asks=False,
    names_calls=False,  # the extension does not
    wait=20.0,
    envelope=field_from_entry("cwd"),
    setup=SETUP,
    sample=sample,
    denied=denied,
    unseen=("what most tools returned in the extension, which tells hooks only that there was a result",),
    recognises=lambda environ, payload: MARK in payload,
    speech=SPEECH,
)
