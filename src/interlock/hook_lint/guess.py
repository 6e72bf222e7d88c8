"""Guess of a program without an entry whether it is a hook, and of which event."""

from __future__ import annotations

from interlock.event import EVENTS
from interlock.hook_lint.program import HookProgram

__all__ = ["seems_a_hook"]

_FIELDS = ("tool_name", "tool_input", "hook_event_name", "hookSpecificOutput")


def seems_a_hook(program: HookProgram) -> tuple[str, ...]:
    """The events that a program seems to be for; empty if it does not seem to be a hook."""
    if program.mode != "command":
        return ("PreToolUse",)
    if not any(field in program.text for field in _FIELDS) and "/.claude/hooks/" not in program.file:
        return ()
    named = tuple(name for name in EVENTS if f'"{name}"' in program.text or f"'{name}'" in program.text)
    return named or ("PreToolUse",)
