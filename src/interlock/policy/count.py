"""How many rules policies have: counted in one way, for every message that says it."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from interlock.policy.load import Policy

__all__ = ["RuleCount", "count_rules"]


class RuleCount(Struct, frozen=True):
    """The rules that act, and those that only observe."""

    active: int
    observing: int = 0

    @property
    def total(self) -> int:
        return self.active + self.observing

    def __str__(self) -> str:
        also = f", {self.observing} more only observe" if self.observing else ""
        return f"{self.active} rule{'s' * (self.active != 1)} active{also}"


def count_rules(policies: Iterable[Policy]) -> RuleCount:
    """The rules of these policies. A policy that observes makes all of its rules observe."""
    observe = [rule.observe or policy.observe for policy in policies for rule, _ in policy.rules]
    return RuleCount(len(observe) - sum(observe), sum(observe))
