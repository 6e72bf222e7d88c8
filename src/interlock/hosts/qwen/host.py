"""Qwen Code as a host."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from interlock.hosts.base.command_lines import gives_prompt
from interlock.hosts.base.host import Host
from interlock.hosts.qwen.dialect import DIALECT, SPEECH, TITLE, denied, sample
from interlock.hosts.qwen.driving import DRIVE
from interlock.hosts.qwen.events import EVENTS
from interlock.hosts.qwen.setup import SETUP
from interlock.hosts.qwen.tools import TOOLS

__all__ = ["QWEN"]


def _is_headless(argv: Sequence[str], has_terminal: bool | None) -> bool:
    # Without a person it answers its own questions with no.
    return has_terminal is False or gives_prompt(argv)


def _recognises(environ: Mapping[str, str], payload: Mapping[str, Any]) -> bool:
    """Every program that it starts has its variable, also another host. None of them sends both of these."""
    return "QWEN_CODE_SESSION_ID" in environ and payload.keys() >= {"timestamp", "permission_mode"}


QWEN = Host(
    name="qwen",
    title=TITLE,
    dialect=DIALECT,
    events=EVENTS,
    tools=TOOLS,
    evidence="live",
    version="0.24.4",
    is_headless=_is_headless,
    wait=50.0,
    setup=SETUP,
    sample=sample,
    speech=SPEECH,
    denied=denied,
    drive=DRIVE,
    recognises=_recognises,
)
