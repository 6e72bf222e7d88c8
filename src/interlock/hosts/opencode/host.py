"""OpenCode as a host."""

from __future__ import annotations

from interlock.hosts.base.host import Host
from interlock.hosts.opencode.dialect import DIALECT, SPEECH, TITLE, TOOLS, denied, sample
from interlock.hosts.opencode.driving import DRIVE
from interlock.hosts.opencode.events import EVENTS
from interlock.hosts.opencode.setup import SETUP

__all__ = ["OPENCODE"]

OPENCODE = Host(
    name="opencode",
    title=TITLE,
    dialect=DIALECT,
    events=EVENTS,
    tools=TOOLS,
    evidence="live",
    version="1.18.33",
    asks=False,
    setup=SETUP,
    sample=sample,
    speech=SPEECH,
    denied=denied,
    drive=DRIVE,
    unseen=("the results of calls that failed",),
)
