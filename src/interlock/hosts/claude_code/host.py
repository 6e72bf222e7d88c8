"""Claude Code as a host."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interlock.hosts.base.denials import nested_in, object_in, string_in, text_of
from interlock.hosts.base.host import Host
from interlock.hosts.base.speech import HostSpeech, as_agent
from interlock.hosts.claude_code import dialect
from interlock.hosts.claude_code.command_line import is_headless
from interlock.hosts.claude_code.encode import TITLE
from interlock.hosts.claude_code.events import EVENTS
from interlock.policy.lookalikes import MODES

__all__ = ["CLAUDE_CODE", "denied"]

# Other hosts run the entries in `.claude/settings.json` too, and set variables of their own.
_OTHERS = ("COPILOT_PROJECT_DIR", "CURSOR_VERSION", "GEMINI_SESSION_ID")


def _recognises(environ: Mapping[str, str], payload: Mapping[str, Any]) -> bool:
    return "CLAUDECODE" in environ and not any(name in environ for name in _OTHERS)


def denied(code: int, stdout: bytes, stderr: bytes) -> str | None:
    """How it reads the only form in which Interlock denies a call to it."""
    said = nested_in(object_in(text_of(stdout)))
    return string_in(said, "permissionDecisionReason") if said.get("permissionDecision") == "deny" else None


# Policies are written in its names, so no tool needs another.
CLAUDE_CODE = Host(
    name="claude-code",
    title=TITLE,
    dialect=dialect,
    events=EVENTS,
    adopts=True,
    speech=HostSpeech(agent=as_agent, modes={mode: {"permission_mode": mode} for mode in MODES}, sources=True),
    denied=denied,
    recognises=_recognises,
    is_headless=lambda argv, has_terminal: is_headless(argv, has_terminal=has_terminal),
)
