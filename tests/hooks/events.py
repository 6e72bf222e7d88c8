"""Events as a host sends them, and hooks files as a person writes them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

from msgspec import json

from interlock.hooks.run import HookSet
from interlock.service import Reply, handle

BASE = {"session_id": "s1", "transcript_path": "/t.jsonl", "cwd": "/w", "permission_mode": "default"}


def event(name: str, /, **fields: Any) -> bytes:
    """One event of any name."""
    return json.encode({**BASE, "hook_event_name": name, **fields})


def pre(tool: str = "Bash", /, **given: Any) -> bytes:
    """A call that is about to run."""
    return event("PreToolUse", tool_name=tool, tool_input=given, tool_use_id="c1")


def post(tool: str, given: dict[str, Any], response: Any, **fields: Any) -> bytes:
    """A call that has run."""
    return event("PostToolUse", tool_name=tool, tool_input=given, tool_use_id="c1", tool_response=response, **fields)


def shell_result(stdout: str) -> dict[str, Any]:
    """What Bash returns."""
    return {"stdout": stdout, "stderr": "", "interrupted": False, "isImage": False}


def said(reply: Reply) -> Any:
    """The JSON document of an answer."""
    return json.decode(reply.stdout)


def written(folder: Path, text: str, name: str = "guards.py") -> Path:
    """A hooks file holding `text`."""
    file = folder / name
    file.write_text(dedent(text), encoding="utf-8")
    return file


def answer(raw: bytes, *functions: Callable[..., Any], host: str = "claude-code", **options: Any) -> Reply:
    """The answer of these hooks, run in this process."""
    hooks = HookSet(functions)
    try:
        return handle(host, raw, hooks, **options)
    finally:
        hooks.close()


def named(function: Callable[..., Any]) -> str:
    """A hook as messages name it: with file and line."""
    code = function.__code__
    return f"hook `{function.__name__}` ({code.co_filename}:{code.co_firstlineno})"


def denial(reply: Reply) -> str:
    """The reason of an answer that is a deny of Claude Code's, and nothing else."""
    document = said(reply)
    reason: str = document["hookSpecificOutput"]["permissionDecisionReason"]
    output = {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": reason}
    assert document == {"hookSpecificOutput": output}
    assert (reply.exit_code, reply.stderr) == (2, reason)
    return reason
