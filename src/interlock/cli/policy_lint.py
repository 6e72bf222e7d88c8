"""What `interlock check` finds in policies, as findings of `interlock lint`, which runs nothing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from interlock.cli.check import look_at
from interlock.errors import Source
from interlock.hook_lint.finding import LintFinding

__all__ = ["lint_policies"]


def lint_policies(files: Sequence[Path]) -> list[LintFinding]:
    """The mistakes in policies and test files, each with its kind in place of a code."""
    problems = look_at(files, runs_hooks=False).everything() if files else []
    found = []
    for one in problems:
        place = one.source if one.source is not None else Source(str(files[0]), 1)
        source = Source(place.file, place.line, max(1, place.column))
        found.append(
            LintFinding(code=one.kind, source=source, message=one.message, help=one.help, severity=one.severity)
        )
    return sorted(found, key=lambda one: (one.source.file, one.source.line, one.source.column))
