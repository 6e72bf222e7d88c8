"""Claude Code's tools as hooks see them: their fields, and which of them a hook is for."""

from __future__ import annotations

from interlock.hook_lint.wiring import HookSubject

__all__ = ["OPTIONAL_FIELDS", "tools_of"]

# Fields that a call may have and that get lost if a changed input leaves them out.
OPTIONAL_FIELDS: dict[str, set[str]] = {
    "Bash": {"timeout", "description", "run_in_background"},
    "Read": {"offset", "limit"},
    "Edit": {"replace_all"},
    "Grep": {"path", "glob", "output_mode"},
    "Glob": {"path"},
}


def tools_of(subject: HookSubject) -> tuple[str, ...]:
    """The tools that a hook is for: those its matchers name, and those it compares the tool's name with."""
    compared = [value for one in subject.program.comparisons if one.path == ("tool_name",) for value in one.values]
    named = list(subject.tools or ())
    return tuple(dict.fromkeys([*(compared or named)]))
