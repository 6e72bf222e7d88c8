"""Move what was read of a program to one place: findings in a command of the settings point at the whole command."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import fields, replace

from interlock.hook_lint.program import HookProgram, Span

__all__ = ["at_one_place"]


def at_one_place(program: HookProgram, text: str, span: Span) -> HookProgram:
    """The program as a part of a larger text, with everything in it at one place."""
    moved: HookProgram = _all_at(program, span)
    return replace(moved, text=text)


def _all_at(value: Any, span: Span) -> Any:
    if isinstance(value, Span):
        return span
    if isinstance(value, tuple):
        return tuple(_all_at(part, span) for part in value)
    if isinstance(value, Struct):
        return replace(value, **{one.name: _all_at(getattr(value, one.name), span) for one in fields(value)})
    return value
