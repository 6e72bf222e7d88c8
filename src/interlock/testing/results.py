"""A result as its tool would return it, made of a text: so that a person can try a rule about results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

__all__ = ["response_of"]

JsonObject: TypeAlias = dict[str, Any]


def _shell(given: JsonObject, text: str) -> JsonObject:
    return {"stdout": text, "stderr": "", "interrupted": False, "isImage": False, "noOutputExpected": False}


def _read(given: JsonObject, text: str) -> JsonObject:
    lines = text.count("\n") + 1
    counts = {"numLines": lines, "startLine": 1, "totalLines": lines}
    return {"type": "text", "file": {"filePath": given.get("file_path", ""), "content": text, **counts}}


def _fetch(given: JsonObject, text: str) -> JsonObject:
    about = {"bytes": len(text.encode("utf-8", "replace")), "code": 200, "codeText": "OK"}
    return {**about, "result": text, "durationMs": 0, "url": given.get("url", "")}


def _grep(given: JsonObject, text: str) -> JsonObject:
    return {"mode": "content", "numFiles": 0, "filenames": [], "content": text, "numLines": text.count("\n") + 1}


def _agent(given: JsonObject, text: str) -> JsonObject:
    return {"status": "completed", "prompt": given.get("prompt", ""), "content": [{"type": "text", "text": text}]}


def _glob(given: JsonObject, text: str) -> JsonObject:
    files = text.splitlines()
    return {"filenames": files, "durationMs": 0, "numFiles": len(files), "truncated": False}


# Tools of Claude Code whose results are objects. Every other tool, and every MCP tool, returns the text itself.
_SHAPES: dict[str, Callable[[JsonObject, str], JsonObject]] = {
    "Agent": _agent,
    "Bash": _shell,
    "Glob": _glob,
    "Grep": _grep,
    "PowerShell": _shell,
    "Read": _read,
    "Task": _agent,
    "WebFetch": _fetch,
}


def response_of(tool: str, given: JsonObject, result: Any) -> Any:
    """What the host reports if `tool` returns `result` for the input `given`. Anything but a text stays as it is."""
    shape = _SHAPES.get(tool)
    return shape(given, result) if shape is not None and isinstance(result, str) else result
