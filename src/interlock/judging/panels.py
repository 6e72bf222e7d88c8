"""Several panels as one: each sees what the previous one left."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from msgspec import Struct

from interlock.event import ToolEvent
from interlock.facts.results import result_of
from interlock.fold import Answers, Opinions, Round, decide
from interlock.judging.parts import judge_parts
from interlock.policy.situation import Panel, Situation
from interlock.verdict import Verdict

__all__ = ["Nobody", "Panels", "deliberate"]

# Participants are numbered across all panels (decision 4). Each panel gets a range larger than any panel needs, so that
# the numbers do not depend on how many participants the panels before it have.
_STRIDE = 1 << 24


def deliberate(situation: Situation, panel: Panel, *, alone: bool) -> Verdict:
    """The verdict of all participants of a panel, asked in as many rounds as it takes."""
    event = situation.event
    if isinstance(event, ToolEvent) and event.parts:
        return judge_parts(situation, event, lambda part: deliberate(part, panel, alone=alone))
    original = event.tool_input if isinstance(event, ToolEvent) else {}
    return decide(original, partial(panel.ask, situation), alone=alone, result=result_of(event))


class Nobody:
    """A panel without opinions."""

    def ask(self, situation: Situation, round_: Round) -> Answers:
        return {}


class Panels(Struct):
    """Several panels, one after the other."""

    panels: Sequence[Panel]

    def ask(self, situation: Situation, round_: Round) -> Answers:
        answers: dict[int, Opinions] = {}
        draft = round_.draft
        for place, panel in enumerate(self.panels):
            offset = place * _STRIDE
            # A later round may ask only some of the participants; none of this panel's are among them.
            if round_.stop <= offset or round_.start >= offset + _STRIDE:
                continue
            said = panel.ask(situation, Round(draft, round_.mode, max(0, round_.start - offset), round_.stop - offset))
            for number in sorted(said):
                answers[offset + number] = said[number]
                draft = round_.fold(draft, said[number])
        return answers
