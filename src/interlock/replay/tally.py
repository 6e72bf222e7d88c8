"""Count what a policy would have done: in all, for each rule, and for each session."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import Literal, TypeAlias

from msgspec import UNSET, Struct, field

from interlock.facts.secrets import redact
from interlock.replay.playback import Hindsight, Scene
from interlock.replay.shapes import commands_meant, line_of, shape_of
from interlock.replay.steps import PastPrompt
from interlock.verdict import Opinion

__all__ = ["EFFECTS", "Effect", "Example", "ReplayTally", "RuleTally", "SessionTally", "Shape", "effects_of"]

Effect: TypeAlias = Literal["denied", "asked", "changed", "allowed", "told", "observed", "failed"]
EFFECTS: tuple[Effect, ...] = ("denied", "asked", "changed", "allowed", "told", "observed", "failed")
_DECISIONS: dict[str | None, Effect] = {"deny": "denied", "ask": "asked", "defer": "asked", "allow": "allowed"}
_MOST_SHAPES = 500  # of one rule; further ones are counted together
_MOST_LINE = 2_000  # characters that are kept of an example
_MOST_GROUPS = 1000
_OTHER = "other calls"


class Example(Struct, frozen=True):
    """One call, to be shown."""

    line: str
    place: str
    session: str
    outcome: str
    at: float
    effects: tuple[Effect, ...] = ()
    part: str = ""  # the command of a shell line that it is about, if that is known


class Shape(Struct):
    """Calls of one shape that a rule was about."""

    shape: str
    example: Example
    count: int = 0


class RuleTally(Struct):
    """What one rule would have done."""

    rule: str
    effects: Counter[Effect] = field(default_factory=Counter)
    ran: int = 0  # of what it would have stopped, how much really ran
    calls: int = 0
    stops: int = 0
    shapes: dict[str, Shape] = field(default_factory=dict)
    sessions: set[str] = field(default_factory=set)
    error: str = ""  # of the first call on which the rule failed

    def most_frequent(self) -> list[Shape]:
        """Its shapes, the most frequent first."""
        return sorted(self.shapes.values(), key=lambda shape: (shape.shape == _OTHER, -shape.count, shape.shape))


class SessionTally(Struct):
    """What would have happened in one session."""

    session: str
    project: str
    calls: int = 0
    stops: int = 0


class ReplayTally:
    """Counts one judge's verdicts."""

    def __init__(self, judge: int = 0, keep: str | None = None, most_kept: int = 10_000) -> None:
        """`keep` is the rule whose calls are all kept, up to a limit."""
        self._judge = judge
        self._keep = keep
        self._most_kept = most_kept
        self.calls = 0
        self.prompts = 0
        self.outcomes: Counter[str] = Counter()
        self.effects: Counter[Effect] = Counter()
        self.rules: dict[str, RuleTally] = {}
        # Rules that ask about the same call, where no rule denies it: only without all of them it would pass.
        self.asked_together: Counter[frozenset[str]] = Counter()
        self.sessions: dict[tuple[str, str], SessionTally] = {}
        self.projects: set[str] = set()
        self.kept: list[Example] = []
        self.error = ""  # why the first call could not be judged, and where it is
        self.first = float("inf")
        self.last = 0.0

    @property
    def stops(self) -> int:
        """How many calls would have been denied or asked about."""
        return self.effects["denied"] + self.effects["asked"]

    @property
    def stops_per_100(self) -> float:
        return 100 * self.stops / self.calls if self.calls else 0.0

    def add(self, scene: Scene) -> None:
        """Count one call or prompt."""
        hindsight = scene.said[self._judge]
        effects = set(_effects_in_all(hindsight))
        if "failed" in effects and not self.error:
            why = next(error for verdict in hindsight.verdicts for error in verdict.errors)
            self.error = f"{redact(why)[:_MOST_LINE]} ({scene.what.around.place})"
        if isinstance(scene.what, PastPrompt):
            self.prompts += 1
        else:
            self._count_call(scene, effects)
        by_rule: dict[str, set[Effect]] = {}
        for opinion, effect in effects_of(hindsight):
            by_rule.setdefault(opinion.by, set()).add(effect)
            if effect == "failed" and opinion.error:
                rule = self.rules.setdefault(opinion.by, RuleTally(opinion.by))
                rule.error = rule.error or opinion.error
        for by, found in by_rule.items():
            self._count_rule(by, found, scene)
        if hindsight.call.decision == "ask":
            asking = frozenset(by for by, found in by_rule.items() if "asked" in found)
            if asking in self.asked_together or len(self.asked_together) < _MOST_GROUPS:
                self.asked_together[asking] += 1

    def _count_call(self, scene: Scene, effects: set[Effect]) -> None:
        at = scene.what.around.at
        self.first, self.last = min(self.first, at), max(self.last, at)
        self.calls += 1
        self.outcomes[scene.outcome] += 1
        self.effects.update(effects)
        self.projects.add(scene.project)
        key = scene.session, scene.project
        session = self.sessions.setdefault(key, SessionTally(*key))
        session.calls += 1
        session.stops += bool(effects & {"denied", "asked"})

    def _count_rule(self, by: str, effects: set[Effect], scene: Scene) -> None:
        rule = self.rules.setdefault(by, RuleTally(by))
        rule.calls += 1
        rule.effects.update(effects)
        rule.sessions.add(scene.session)
        if effects & {"denied", "asked"}:
            rule.stops += 1
            rule.ran += scene.outcome in ("ran", "failed")
        reason = reason_of(by, scene.said[self._judge])
        shape = shape_of(scene.what, reason)
        if shape not in rule.shapes and len(rule.shapes) >= _MOST_SHAPES:
            shape = _OTHER
        known = rule.shapes.get(shape)
        if known is None:
            known = rule.shapes[shape] = Shape(shape, example_of(scene, effects, reason))
        known.count += 1
        if by == self._keep and len(self.kept) < self._most_kept:
            self.kept.append(example_of(scene, effects, reason))


def effects_of(hindsight: Hindsight) -> Iterator[tuple[Opinion, Effect]]:
    """What each rule did to a call and its result."""
    for verdict in hindsight.verdicts:
        for opinion in verdict.opinions:
            for effect in _effects(opinion):
                yield opinion, effect


def _effects(opinion: Opinion) -> Iterable[Effect]:
    if opinion.error is not None:
        return ("failed",)
    if opinion.would is not None:
        return ("observed",)
    found: list[Effect] = [_DECISIONS[opinion.decision]] if opinion.decision is not None else []
    if opinion.change is not None or opinion.output is not UNSET or opinion.withhold is not None:
        found.append("changed")
    if opinion.context is not None or opinion.notice is not None:
        found.append("told")
    return found


def _effects_in_all(hindsight: Hindsight) -> Iterator[Effect]:
    """What would have become of a call: one decision, and whether it or its result would have been changed."""
    if hindsight.call.decision is not None:
        yield _DECISIONS[hindsight.call.decision]
    for verdict in hindsight.verdicts:
        if verdict.changes or verdict.output is not UNSET or verdict.withheld is not None:
            yield "changed"
        if verdict.errors:
            yield "failed"


def reason_of(rule: str, hindsight: Hindsight) -> str:
    """What a rule said about a call."""
    said = [one.reason for one in hindsight.call.opinions if one.by == rule and one.reason is not None]
    return said[0] if said else ""


def example_of(scene: Scene, effects: Collection[Effect], reason: str = "") -> Example:
    """A call to be shown, without the secrets that it contains."""
    what, around = scene.what, scene.what.around
    meant = commands_meant(what, reason)
    return Example(
        line=redact(line_of(what))[:_MOST_LINE],
        place=around.place,
        session=scene.session,
        outcome=scene.outcome,
        at=around.at,
        effects=tuple(effect for effect in EFFECTS if effect in effects),
        part=redact(" ".join(meant[0].text.split()))[:_MOST_LINE] if meant else "",
    )
