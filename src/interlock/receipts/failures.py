"""The output of a failed call as the result it would have been, so that rules on results can judge it.

Whether it must be hidden has to be known at once, because no host lets a hook replace the output of a failed call.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interlock.event import PostToolUse, PostToolUseFailure
from interlock.facts.tools import names_of, parse_mcp, shell_tools

__all__ = ["as_result", "has_known_shape"]


def _shell(text: str) -> Any:
    return {"stdout": text, "stderr": "", "interrupted": False, "isImage": False}


def _file(text: str) -> Any:
    lines = text.count("\n") + 1
    file = {"filePath": "", "content": text, "numLines": lines, "startLine": 1, "totalLines": lines}
    return {"type": "text", "file": file}


_SHAPES: dict[str, Callable[[str], Any]] = {
    **dict.fromkeys(shell_tools(), _shell),
    "Agent": lambda text: {"status": "completed", "content": [{"type": "text", "text": text}]},
    "Glob": lambda text: {"filenames": [text], "numFiles": 1, "truncated": False},
    "Grep": lambda text: {"mode": "content", "content": text, "filenames": [], "numFiles": 0},
    "Read": _file,
    "WebFetch": lambda text: {"url": "", "code": 0, "codeText": "", "result": text},
}


def has_known_shape(tool: str) -> bool:
    """Whether the tool's results have a known shape. If so, a rule that fails on `as_result` is itself at fault."""
    return not names_of(tool).isdisjoint(_SHAPES)


def as_result(event: PostToolUseFailure) -> PostToolUse:
    """The event that the same text would have raised as a result of this tool."""
    shape = next((_SHAPES[name] for name in names_of(event.tool_name) if name in _SHAPES), None)
    blocks = [{"type": "text", "text": event.error}] if parse_mcp(event.tool_name) else event.error
    return PostToolUse(
        **{name: getattr(event, name) for name in _SHARED},
        tool_response=shape(event.error) if shape is not None else blocks,
    )


_SHARED = (set(PostToolUseFailure.__struct_fields__) & set(PostToolUse.__struct_fields__)) - {"tool_response"}
