"""The event that most rows are about, as a host sends it."""

from __future__ import annotations

import json
from typing import Any

__all__ = ["EVENT", "encoded"]

EVENT: dict[str, Any] = {
    "session_id": "5d1f7a52-93a6-4c0e-8f5e-6a4f8d0b7c11",
    "transcript_path": "/home/dev/.claude/projects/shop/5d1f7a52.jsonl",
    "cwd": "/home/dev/shop",
    "prompt_id": "9c6b3f0e-5a41-4d0e-9d4c-0e1b7a2f6d3e",
    "permission_mode": "default",
    "hook_event_name": "PreToolUse",
    "tool_name": "Bash",
    "tool_input": {"command": "npm test -- --watch=false", "description": "Run the tests", "timeout": 120000},
    "tool_use_id": "toolu_01A09q90qw90lq917835lq9",
}


def encoded(event: dict[str, Any]) -> bytes:
    """An event as the real client writes it, without spaces."""
    return json.dumps(event, separators=(",", ":")).encode()
