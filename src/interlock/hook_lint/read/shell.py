"""Read hook programs in Shell."""

from __future__ import annotations

from interlock.hook_lint.program import HookProgram

__all__ = ["read_shell"]


def read_shell(file: str, text: str) -> list[HookProgram]:
    """The program in a file."""
    return [HookProgram(file=file, text=text, language="shell", unread="not read yet")]
