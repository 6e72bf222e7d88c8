"""The order of a policy's rules: as they are written, but a rule that asks `fired("…")` comes after those it names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from interlock.policy.rule import Rule

__all__ = ["CircularRules", "in_order", "with_awaited"]

T = TypeVar("T")


class CircularRules(Exception):  # noqa: N818 - it names what was found
    """Rules that wait for each other."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        super().__init__(" → ".join(rule.id for rule in rules))
        self.rules = rules


def in_order(listed: Sequence[T], rule_of: Callable[[T], Rule]) -> list[T]:
    """The rules, each after those it waits for, and otherwise as they were. Raises CircularRules."""
    if not any(rule_of(one).awaits for one in listed):
        return list(listed)
    named: dict[str, list[int]] = {}  # a pack that is used twice has every rule twice
    for place, one in enumerate(listed):
        named.setdefault(rule_of(one).id, []).append(place)
    found: dict[int, T] = {}

    def add(place: int, waiting: tuple[int, ...]) -> None:
        if place in waiting:
            raise CircularRules([rule_of(listed[one]) for one in (*waiting[waiting.index(place) :], place)])
        for name in sorted(rule_of(listed[place]).awaits):
            for other in named.get(name, ()):
                if other not in found:
                    add(other, (*waiting, place))
        found.setdefault(place, listed[place])

    for place in range(len(listed)):
        add(place, ())
    return list(found.values())


def with_awaited(rule: Rule, rules: Iterable[Rule]) -> set[str]:
    """The ids of a rule and of all rules that it waits for, directly or through others."""
    named = {one.id: one for one in rules}
    found: set[str] = set()
    waiting = [rule]
    while waiting:
        one = waiting.pop()
        if one.id not in found:
            found.add(one.id)
            waiting += [named[name] for name in one.awaits if name in named]
    return found
