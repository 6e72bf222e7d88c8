"""Gemini CLI as a host."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from interlock.hosts.base.command_lines import gives_prompt
from interlock.hosts.base.host import Host
from interlock.hosts.gemini.dialect import DIALECT, NATIVE, SPEECH, TITLE, denied, sample
from interlock.hosts.gemini.driving import DRIVE
from interlock.hosts.gemini.events import EVENTS
from interlock.hosts.gemini.setup import SETUP
from interlock.hosts.gemini.tools import TOOLS

__all__ = ["GEMINI"]


def _is_headless(argv: Sequence[str], has_terminal: bool | None) -> bool:
    # Without a person it would wait for an answer to its question for ever.
    return has_terminal is False or gives_prompt(argv)


def _recognises(environ: Mapping[str, str], payload: Mapping[str, Any]) -> bool:
    """Every program that it starts has its variable, also another host, but none sends events of this form."""
    name = payload.get("hook_event_name")
    if "GEMINI_SESSION_ID" not in environ or "permission_mode" in payload:
        return False
    if not payload.keys() >= {"timestamp", "transcript_path"}:
        return False
    # VS Code calls the start of a session as Gemini does, and a new one `new`.
    return name in NATIVE.values() and (name != "SessionStart" or payload.get("source") != "new")


GEMINI = Host(
    name="gemini",
    title=TITLE,
    dialect=DIALECT,
    events=EVENTS,
    tools=TOOLS,
    evidence="live",
    version="0.61.0",
    names_calls=False,
    raises_failures_as_results=True,
    is_headless=_is_headless,
    setup=SETUP,
    sample=sample,
    speech=SPEECH,
    denied=denied,
    drive=DRIVE,
    recognises=_recognises,
)
