"""Run every check on what was gathered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from interlock.hook_lint.check import LintCheck
from interlock.hook_lint.checks import CHECKS
from interlock.hook_lint.finding import LintFinding
from interlock.hook_lint.gather import GatheredHooks
from interlock.hook_lint.run_output import CODES

__all__ = ["lint_hooks"]


def lint_hooks(gathered: GatheredHooks, checks: Sequence[LintCheck] = CHECKS) -> list[LintFinding]:
    """What the checks find, in the order of the files and their lines, each once."""
    pairs = [(check, subject) for check in checks for subject in _subjects(gathered, check)]
    found = [_fixable(finding) for check, subject in pairs for finding in check.find(subject)]
    return sorted(dict.fromkeys(found), key=lambda one: (one.source.file, one.source.line, one.source.column, one.code))


def _fixable(finding: LintFinding) -> LintFinding:
    """A finding without a fix that would write JSON into YAML."""
    is_yaml = finding.fix is not None and bool(finding.fix.edits) and finding.fix.file.endswith(".md")
    return replace(finding, fix=None) if is_yaml else finding


def _subjects(gathered: GatheredHooks, check: LintCheck) -> Iterator[object]:
    match check.about:
        case "settings":
            yield from gathered.settings
        case "hook":
            yield from gathered.hooks
            if check.code in CODES:
                yield from gathered.outputs
