"""Read hook programs in JavaScript and TypeScript."""

from __future__ import annotations

from interlock.hook_lint.program import HookProgram, Language

__all__ = ["read_javascript"]


def read_javascript(file: str, text: str, *, typescript: bool = False) -> list[HookProgram]:
    """The program in a file, and the callbacks that it registers."""
    language: Language = "typescript" if typescript else "javascript"
    return [HookProgram(file=file, text=text, language=language, unread="not read yet")]
