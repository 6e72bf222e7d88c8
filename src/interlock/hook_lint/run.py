"""Run every check on what was gathered."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from interlock.hook_lint.check import LintCheck
from interlock.hook_lint.checks import CHECKS
from interlock.hook_lint.finding import LintFinding
from interlock.hook_lint.gather import GatheredHooks
from interlock.hook_lint.run_output import CODES

__all__ = ["lint_hooks"]


def lint_hooks(gathered: GatheredHooks, checks: Sequence[LintCheck] = CHECKS) -> list[LintFinding]:
    """What the checks find, in the order of the files and their lines, each once."""
    found = [_fixable(one) for check in checks for subject in _subjects(gathered, check) for one in check.find(subject)]
    # What a hook printed once is the place of a mistake, and correcting it there would correct nothing.
    captured = [check for check in checks if check.code in CODES]
    found += [replace(one, fix=None) for check in captured for output in gathered.outputs for one in check.find(output)]
    return sorted(dict.fromkeys(found), key=lambda one: (one.source.file, one.source.line, one.source.column, one.code))


def _subjects(gathered: GatheredHooks, check: LintCheck) -> Sequence[object]:
    return gathered.settings if check.about == "settings" else gathered.hooks


def _fixable(finding: LintFinding) -> LintFinding:
    """A finding without a fix that would write JSON into YAML."""
    is_yaml = finding.fix is not None and bool(finding.fix.edits) and finding.fix.file.endswith(".md")
    return replace(finding, fix=None) if is_yaml else finding
