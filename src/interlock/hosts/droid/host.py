"""Droid as a host."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interlock.hosts.base.host import Host
from interlock.hosts.droid.dialect import DIALECT, MODES, SPEECH, TITLE, denied, sample
from interlock.hosts.droid.events import EVENTS
from interlock.hosts.droid.setup import SETUP
from interlock.hosts.droid.tools import TOOLS

__all__ = ["DROID"]


def _recognises(environ: Mapping[str, str], payload: Mapping[str, Any]) -> bool:
    return payload.get("permission_mode") in MODES


DROID = Host(
    name="droid",
    title=TITLE,
    dialect=DIALECT,
    events=EVENTS,
    tools=TOOLS,
    evidence="protocol",
    asks=False,
    names_calls=False,
    setup=SETUP,
    sample=sample,
    speech=SPEECH,
    denied=denied,
    unseen=("the results of calls that failed",),
    recognises=_recognises,
)
