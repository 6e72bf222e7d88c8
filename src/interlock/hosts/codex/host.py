"""Codex as a host."""

from __future__ import annotations

from interlock.hosts.base.host import Host
from interlock.hosts.codex.dialect import DIALECT, SPEECH, TITLE, TOOLS, denied, sample
from interlock.hosts.codex.driving import DRIVE
from interlock.hosts.codex.events import EVENTS
from interlock.hosts.codex.setup import SETUP

__all__ = ["CODEX"]

CODEX = Host(
    name="codex",
    title=TITLE,
    dialect=DIALECT,
    events=EVENTS,
    tools=TOOLS,
    evidence="live",
    version="0.166.0",
    asks=False,
    setup=SETUP,
    sample=sample,
    speech=SPEECH,
    denied=denied,
    drive=DRIVE,
    unseen=(
        "input that is typed into a running program",
        "web searches that OpenAI runs",
        "the results of calls that failed",
    ),
    recognises=lambda environ, payload: "turn_id" in payload,
)
