"""A question as a person reads it: the call as it would run, how the model's own call differed, and why it is asked."""

from __future__ import annotations

import json
from typing import Any

from interlock.approvals.approval import Request

__all__ = ["diff_lines", "request_text", "visible"]

_ABSENT: Any = object()


def request_text(request: Request) -> str:
    """The whole question, one field a line. Nothing in it moves the cursor or looks like a line of Interlock's own."""
    lines = [f"Interlock asks about {visible(request.tool)}"]
    if request.reason:
        lines.append(f"  why   {_indent(request.reason)}")
    lines += [f"  runs  {visible(name)} = {_value(value)}" for name, value in request.input.items()]
    if not request.input:
        lines.append("  runs  without any input")
    changed = diff_lines(request)
    return "\n".join([*lines, *(["  changed from what the model wrote:"] if changed else []), *changed])


def diff_lines(request: Request) -> list[str]:
    """How the call differs from the model's own: for each changed field, the old value and the new one."""
    lines = []
    for name in {**request.original, **request.input}:
        before = request.original.get(name, _ABSENT)
        after = request.input.get(name, _ABSENT)
        if _same(before, after):
            continue
        by = ", ".join(dict.fromkeys(change.by for change in request.changes if change.field == name and change.by))
        if before is not _ABSENT:
            lines.append(f"  - {visible(name)} = {_value(before)}")
        if after is not _ABSENT:
            lines.append(f"  + {visible(name)} = {_value(after)}" + (f"   ({visible(by)})" if by else ""))
    return lines


def visible(text: str) -> str:
    """The text with every unprintable character written as an escape: a model may have written it.

    Control characters could move the cursor and overwrite the question that the person is answering.
    """
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def _value(value: Any) -> str:
    return visible(json.dumps(value, ensure_ascii=False))


def _indent(text: str) -> str:
    return "\n        ".join(visible(line) for line in text.splitlines())


def _same(before: Any, after: Any) -> bool:
    # 1, 1.0 and True are equal in Python, but not to a tool.
    if before is _ABSENT or after is _ABSENT:
        return before is after
    return json.dumps(before, sort_keys=True) == json.dumps(after, sort_keys=True)
