"""Events for tests, as a host would send them."""

from __future__ import annotations

import json
from typing import Any

BASE = {
    "session_id": "s-1",
    "transcript_path": "/home/dev/.claude/s-1.jsonl",
    "cwd": "/home/dev/shop",
    "permission_mode": "default",
}


def payload(event: str, **fields: Any) -> dict[str, Any]:
    return {**BASE, "hook_event_name": event, **fields}


def call(tool: str, **given: Any) -> dict[str, Any]:
    """A PreToolUse payload."""
    return payload("PreToolUse", tool_name=tool, tool_input=given, tool_use_id="toolu_1")


def result(tool: str, response: Any, **given: Any) -> dict[str, Any]:
    """A PostToolUse payload."""
    return payload("PostToolUse", tool_name=tool, tool_input=given, tool_use_id="toolu_1", tool_response=response)


def request(tool: str, **given: Any) -> dict[str, Any]:
    """A PermissionRequest payload."""
    return payload("PermissionRequest", tool_name=tool, tool_input=given)


def raw(event: dict[str, Any]) -> bytes:
    return json.dumps(event).encode()


def bash(command: str, **more: Any) -> bytes:
    return raw(call("Bash", command=command, **more))
