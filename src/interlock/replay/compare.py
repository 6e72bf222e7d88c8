"""Where two policies would have done different things with the same past."""

from __future__ import annotations

from collections import Counter
from typing import Literal, TypeAlias

from msgspec import UNSET, Struct, field

from interlock.replay.playback import Hindsight, Scene
from interlock.replay.shapes import shape_of
from interlock.replay.steps import PastPrompt
from interlock.replay.tally import Example, example_of, reason_of
from interlock.verdict import Verdict

__all__ = ["DIFFERENCES", "Comparison", "Difference", "DifferenceGroup", "difference_in"]

Difference: TypeAlias = Literal[
    "newly denied", "newly asked", "denied instead of asked", "asked instead of denied", "freed", "changed otherwise"
]
DIFFERENCES: tuple[Difference, ...] = (
    "newly denied", "newly asked", "denied instead of asked", "asked instead of denied", "freed", "changed otherwise",
)  # fmt: skip
_MOST_GROUPS = 2_000  # further ones are counted, but not shown
_STOPS = {"deny": "deny", "ask": "ask", "defer": "ask"}
_BY_DECISION: dict[tuple[str, str], Difference] = {
    ("", "deny"): "newly denied",
    ("", "ask"): "newly asked",
    ("ask", "deny"): "denied instead of asked",
    ("deny", "ask"): "asked instead of denied",
    ("ask", ""): "freed",
    ("deny", ""): "freed",
}


class DifferenceGroup(Struct):
    """Calls of one shape with the same difference for the same reason."""

    kind: Difference
    rules: tuple[str, ...]  # those that decide: under the new policy, or for freed calls under the other one
    shape: str
    example: Example
    count: int = 0


class Comparison(Struct):
    """Counts the differences between the first judge, the other policy, and the second, the new one."""

    counts: Counter[Difference] = field(default_factory=Counter)
    groups: dict[tuple[str, tuple[str, ...], str], DifferenceGroup] = field(default_factory=dict)
    calls: int = 0

    def add(self, scene: Scene) -> None:
        """Count one call or prompt."""
        self.calls += not isinstance(scene.what, PastPrompt)
        before, after = scene.said
        kind = difference_in(before, after)
        if kind is None:
            return
        self.counts[kind] += 1
        deciding = before if kind == "freed" else after
        rules = _deciding(deciding)
        reason = reason_of(rules[0], deciding) if rules else ""
        key = kind, rules, shape_of(scene.what, reason)
        group = self.groups.get(key)
        if group is None:
            if len(self.groups) >= _MOST_GROUPS:
                return
            group = self.groups[key] = DifferenceGroup(kind, rules, key[2], example_of(scene, (), reason))
        group.count += 1

    def of_kind(self, kind: Difference) -> list[DifferenceGroup]:
        """The groups of one kind, the largest first."""
        found = [group for group in self.groups.values() if group.kind == kind]
        return sorted(found, key=lambda group: (-group.count, group.shape))


def difference_in(before: Hindsight, after: Hindsight) -> Difference | None:
    """How two judgements differ, if they do."""
    was = _STOPS.get(before.call.decision or "", "")
    becomes = _STOPS.get(after.call.decision or "", "")
    if was != becomes:
        return _BY_DECISION[was, becomes]
    return None if _answers(before) == _answers(after) else "changed otherwise"


def _answers(hindsight: Hindsight) -> list[object]:
    """What a judge said, without the reasons: a text may be worded anew without a difference to the call."""
    return [_answer(verdict) for verdict in hindsight.verdicts]


def _answer(verdict: Verdict) -> object:
    output = None if verdict.output is UNSET else (verdict.output,)
    return verdict.decision, verdict.input, output, verdict.withheld, verdict.context, verdict.interrupt


def _deciding(hindsight: Hindsight) -> tuple[str, ...]:
    """The rules behind what a judge said."""
    decision = hindsight.call.decision
    opinions = [opinion for verdict in hindsight.verdicts for opinion in verdict.opinions]
    named = [one.by for one in opinions if decision is None or one.decision == decision]
    return tuple(dict.fromkeys(named))
