"""VS Code as a host."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interlock.hosts.base.host import Host
from interlock.hosts.vscode.dialect import DIALECT, SPEECH, TITLE, denied, sample
from interlock.hosts.vscode.events import EVENTS
from interlock.hosts.vscode.setup import SETUP
from interlock.hosts.vscode.tools import TOOLS

__all__ = ["VSCODE"]

# Each of these is in events of another host that looks nearly the same. Copilot CLI says why a turn ended.
_OF_OTHERS = ("permission_mode", "cursor_version", "conversation_id", "turn_id", "hookName", "sessionId", "stop_reason")
# What only VS Code sends with an event. Of the others, most have the file in which it keeps the session.
_OWN = {
    "PreToolUse": "tool_use_id",
    "PostToolUse": "tool_use_id",
    "SubagentStart": "agent_id",
    "SubagentStop": "agent_id",
    "Stop": "stop_hook_active",
}


def _recognises(environ: Mapping[str, str], payload: Mapping[str, Any]) -> bool:
    name = payload.get("hook_event_name")
    if "timestamp" not in payload or any(key in payload for key in _OF_OTHERS):
        return False
    if name in _OWN:
        return _OWN[name] in payload
    if name == "SessionStart" and payload.get("source") != "new":
        return False  # Gemini's, which has the same fields
    return name in ("SessionStart", "UserPromptSubmit", "PreCompact") and "transcript_path" in payload


VSCODE = Host(
    name="vscode",
    title=TITLE,
    dialect=DIALECT,
    events=EVENTS,
    tools=TOOLS,
    evidence="protocol",
    is_headless=lambda argv, has_terminal: False,  # it has a window, and no terminal
    setup=SETUP,
    sample=sample,
    speech=SPEECH,
    denied=denied,
    unseen=(
        "what an existing task, a test, a notebook cell or a VS Code command does",
        "the other fields of an argument that has both a `scheme` and a `path`: only the path is sent",
        "corrections that VS Code makes to an edit that does not fit the file",
    ),
    recognises=_recognises,
)
