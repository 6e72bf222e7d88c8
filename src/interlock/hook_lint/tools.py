"""Which tools a hook is for: those that its matchers name, or that it compares the tool's name with."""

from __future__ import annotations

from interlock.hook_lint.wiring import HookSubject

__all__ = ["TOOL_NAME", "tools_of"]

TOOL_NAME = ("tool_name",)


def tools_of(subject: HookSubject) -> tuple[str, ...]:
    """The tools that a hook is for; empty if it may be for all."""
    compared = [value for one in subject.program.comparisons if one.path == TOOL_NAME for value in one.values]
    return tuple(dict.fromkeys(compared or subject.tools or ()))
