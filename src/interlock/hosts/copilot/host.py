"""Copilot CLI as a host."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from interlock.hosts.base.host import Host
from interlock.hosts.copilot.dialect import DIALECT, SPEECH, TITLE, denied, sample
from interlock.hosts.copilot.driving import DRIVE
from interlock.hosts.copilot.events import EVENTS
from interlock.hosts.copilot.setup import SETUP
from interlock.hosts.copilot.tools import TOOLS

__all__ = ["COPILOT"]


def _is_headless(argv: Sequence[str], has_terminal: bool | None) -> bool:
    """Whether it answers its own prompts with no, because there is nobody to show them to."""
    given = argv[1:]
    return has_terminal is False or any(word in ("-p", "--prompt") or word.startswith("--prompt=") for word in given)


# Where Copilot names the file in which it keeps the session. VS Code does so at every event.
_WITH_TRANSCRIPT = ("SubagentStart", "SubagentStop")


def _recognises(environ: Mapping[str, str], payload: Mapping[str, Any]) -> bool:
    """VS Code sends nearly the same, and names its calls, its subagents, and the file in which it keeps the session."""
    if "hookName" in payload:
        return "toolName" in payload
    if "timestamp" not in payload or {"permission_mode", "tool_use_id", "agent_id"} & payload.keys():
        return False
    name = payload.get("hook_event_name")
    if name == "Stop":
        return "stop_reason" in payload
    return "transcript_path" not in payload or ("COPILOT_CLI" in environ and name in _WITH_TRANSCRIPT)


COPILOT = Host(
    name="copilot",
    title=TITLE,
    dialect=DIALECT,
    events=EVENTS,
    tools=TOOLS,
    evidence="live",
    version="1.0.102",
    names_calls=False,
    is_headless=_is_headless,
    setup=SETUP,
    sample=sample,
    speech=SPEECH,
    denied=denied,
    drive=DRIVE,
    recognises=_recognises,
)
