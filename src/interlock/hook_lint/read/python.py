"""Read hook programs in Python."""

from __future__ import annotations

from interlock.hook_lint.program import HookProgram

__all__ = ["read_python"]


def read_python(file: str, text: str) -> list[HookProgram]:
    """The program in a file."""
    return [HookProgram(file=file, text=text, language="python", unread="not read yet")]
