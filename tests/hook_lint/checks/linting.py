"""Lint one program in tests, under entries of one event or as it was found."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from textwrap import dedent

from interlock.hook_lint.check import LintCheck
from interlock.hook_lint.checks import CHECKS
from interlock.hook_lint.gather import gather
from interlock.hook_lint.run import lint_hooks

__all__ = ["findings", "lint_file"]


def lint_file(folder: Path, text: str, code: str, name: str = "agent.py") -> list[tuple[int, str]]:
    """What the check with this code finds in a file: the line, and the message."""
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(dedent(text).lstrip("\n"), encoding="utf-8")
    return findings([file], code)


def findings(paths: Iterable[Path], code: str) -> list[tuple[int, str]]:
    return [(one.source.line, one.message) for one in lint_hooks(gather(paths), _checks(code))]


def _checks(code: str) -> list[LintCheck]:
    return [check for check in CHECKS if check.code == code]
