"""Cline as a host."""

from __future__ import annotations

from interlock.hosts.base.host import Host
from interlock.hosts.cline.dialect import DIALECT, SPEECH, TITLE, sample
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
    setup=SETUP,
    sample=sample,
    speech=SPEECH,
)
