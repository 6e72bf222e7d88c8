"""Run every check on what was gathered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from interlock.hook_lint.check import LintCheck, Subject
from interlock.hook_lint.checks import CHECKS
from interlock.hook_lint.finding import LintFinding
from interlock.hook_lint.gather import GatheredHooks

__all__ = ["lint_hooks"]


def lint_hooks(gathered: GatheredHooks, checks: Sequence[LintCheck] = CHECKS) -> list[LintFinding]:
    """What the checks find, in the order of the files and their lines, each once."""
    pairs = [(check, subject) for check in checks for subject in _subjects(gathered, check.about)]
    found = [finding for check, subject in pairs for finding in check.find(subject)]
    return sorted(dict.fromkeys(found), key=lambda one: (one.source.file, one.source.line, one.source.column, one.code))


def _subjects(gathered: GatheredHooks, about: Subject) -> Iterator[object]:
    match about:
        case "settings":
            yield from gathered.settings
        case "hook":
            yield from gathered.hooks
        case "output":
            yield from gathered.outputs
