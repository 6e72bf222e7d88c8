"""Panels: the rules of a policy as one, and several panels in order as one."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from interlock.fold import Answers, Opinions, Round
from interlock.hooks.run import Asked, Panel
from interlock.policy.engine import Engine, Tracer, brief_of
from interlock.policy.history import WROTE
from interlock.policy.moment import Situation
from interlock.policy.rule import Rule
from interlock.probe.world import World
from interlock.verdict import Opinion

__all__ = ["Panels", "RulePanel"]

_STRIDE = 1 << 24  # more participants than any panel has


class RulePanel:
    """The rules of a policy, asked with what they may know of the world."""

    def __init__(
        self,
        engine: Engine,
        world: World,
        *,
        brief: bool = False,
        trace: Tracer | None = None,
        host: str | None = None,
    ) -> None:
        self._host = host
        self._engine = engine
        self._world = world
        self._trace = trace
        self._uses_branch = any(_uses_branch(rule) for rule, _ in engine.rules)
        self._brief = brief_of([rule for rule, _ in engine.rules]) if brief else ""

    def ask(self, asked: Asked, round_: Round) -> Answers:
        answers = dict(self._engine.judge(self.situation(asked), round_, self._trace))
        if self._brief and asked.event.hook_event_name in ("SessionStart", "SubagentStart"):
            answers[len(self._engine.rules)] = (Opinion(by="brief", context=self._brief),)
        return answers

    def situation(self, asked: Asked) -> Situation:
        world = self._world
        places = world.places(asked.event)
        return Situation(
            event=asked.event,
            host=self._host or asked.host,
            places=places,
            now=asked.now or world.now(),
            state=asked.state or {},
            unknown=asked.unknown,
            branch=world.branch(places.project) if self._uses_branch else "",
            user=world.user(),
            history=asked.history,
            wrote=(asked.state or {}).get(WROTE, {}),
            files=world,
            run=lambda command, timeout: world.run(command, asked.left(timeout), asked.raw, places.cwd),
        )


def _uses_branch(rule: Rule) -> bool:
    named = any(condition.branch is not None for condition in (rule.condition, *rule.unless))
    return named or any(expression.uses("branch") for expression in rule.expressions)


class Panels(Struct):
    """Several panels, one after the other: each sees what the one before it left."""

    panels: Sequence[Panel]

    def ask(self, asked: Asked, round_: Round) -> Answers:
        answers: dict[int, Opinions] = {}
        draft = round_.draft
        for place, panel in enumerate(self.panels):
            offset = place * _STRIDE
            if round_.stop <= offset or round_.start >= offset + _STRIDE:
                continue
            said = panel.ask(asked, Round(draft, round_.mode, max(0, round_.start - offset), round_.stop - offset))
            for number in sorted(said):
                answers[offset + number] = said[number]
                draft = round_.fold(draft, said[number])
        return answers
