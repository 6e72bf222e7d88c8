"""VS Code's calls as they are judged."""

from __future__ import annotations

from typing import Any

from msgspec import json

from interlock.event import ToolEvent
from interlock.hosts.vscode.dialect import DIALECT

ABOUT = {"timestamp": "2026-01-02T03:04:05.678Z", "session_id": "s", "cwd": "/w/project"}
Judged = list[tuple[str, dict[str, Any]]]


def event_of(tool: str, given: Any) -> ToolEvent:
    call = {"tool_name": tool, "tool_input": given, "tool_use_id": "c"}
    event = DIALECT.decode(json.encode({**ABOUT, "hook_event_name": "PreToolUse", **call}))
    assert isinstance(event, ToolEvent)
    return event


def judged(tool: str, given: Any) -> Judged:
    event = event_of(tool, given)
    if event.parts is None:
        return [(event.tool_name, event.tool_input)]
    return [(part.tool_name, part.tool_input) for part in event.parts]
