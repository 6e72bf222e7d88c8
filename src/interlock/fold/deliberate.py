"""Change, then judge: how participants are asked, and what each of them leaves to the next.

Every participant in an event (a rule, a Python hook, an external program, a callback) sees the input and the result as
the previous one left them. Only this module knows how.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

from msgspec import UNSET

from interlock.fold.calls import settle_input
from interlock.fold.draft import Answers, Draft, Round, in_order
from interlock.fold.results import settle_result, without_text
from interlock.verdict import JsonObject, Verdict, combine

__all__ = ["decide", "deliberate"]


def decide(original: JsonObject, ask: Callable[[Round], Answers], *, alone: bool, result: Any = UNSET) -> Verdict:
    """The verdict of the participants behind `ask`, which are asked as often as necessary."""
    rounds = deliberate(original, alone=alone, result=result)
    try:
        round_ = next(rounds)
        while True:
            round_ = rounds.send(ask(round_))
    except StopIteration as done:
        verdict: Verdict = done.value
        return verdict


def deliberate(original: JsonObject, *, alone: bool, result: Any = UNSET) -> Generator[Round, Answers, Verdict]:
    """Ask in rounds until what would run, or be read, has been judged; then combine.

    This is a generator, so that hooks can run here, in a worker process or on an event loop: it yields a Round and
    is sent the answers.
    """
    answers = dict((yield Round(Draft(original, result))))
    opinions = in_order(answers)
    for opinion in opinions:
        if opinion.change is not None:
            return (yield from settle_input(original, answers, alone))
    for opinion in opinions:
        if opinion.output is not UNSET:
            return (yield from settle_result(Draft(original, result), answers))
    if result is not UNSET and any(opinion.withhold is not None for opinion in opinions):
        opinions = without_text([Draft(original, result)], UNSET, opinions, notices=False)
    return combine(opinions, original, result)
