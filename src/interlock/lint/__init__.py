"""Checks of policies that load without errors: rules that do nothing, or say something wrong. One file per check."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from interlock.lint import advice, allows, dead, host, idle, inbox, programs, sets, shadows, unreadable
from interlock.lint.finding import PolicyFinding
from interlock.policy.load import Policy

__all__ = ["CHECKS", "PolicyFinding", "lint"]

CHECKS: tuple[Callable[[Policy], Iterator[PolicyFinding]], ...] = (
    dead.find,
    allows.find,
    idle.find,
    shadows.find,
    host.find,
    sets.find,
    advice.find,
    unreadable.find,
    programs.find,
    inbox.find,
)


def lint(policy: Policy) -> Iterator[PolicyFinding]:
    """Everything the checks find, in the order of the rules."""
    found = [finding for check in CHECKS for finding in check(policy)]
    yield from sorted(found, key=lambda finding: (finding.source.file, finding.source.line))
