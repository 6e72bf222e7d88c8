"""A call as the participants asked so far have left it, and a question to those who may have an opinion on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, TypeAlias

from msgspec import UNSET, Struct
from msgspec.structs import replace

from interlock.fold.removal import removes_words
from interlock.verdict import JsonObject, Opinion, apply_change, merge_output

__all__ = ["EVERYBODY", "Answers", "Draft", "Opinions", "Round", "ask_in_order", "drafts_of", "in_order"]

Opinions: TypeAlias = tuple[Opinion, ...]
Answers: TypeAlias = Mapping[int, Opinions]
Mode: TypeAlias = Literal["change", "judge", "redact"]
EVERYBODY = 1 << 60


class Draft(Struct, frozen=True, omit_defaults=True):
    """A call as participants have left it so far: the input that would run and the result that would be read."""

    input: JsonObject
    result: Any = UNSET
    carried: JsonObject = {}  # further fields for the host, under its own names

    def after(self, opinions: Iterable[Opinion]) -> Draft:
        """The call with the changes of these opinions."""
        given, result, carried = self.input, self.result, self.carried
        for opinion in opinions:
            if opinion.change is not None:
                given = apply_change(given, opinion.change)
            if opinion.output is not UNSET:
                result = opinion.output if opinion.replaces else merge_output(result, opinion.output)
            if opinion.carried:
                carried = {**carried, **opinion.carried}
        same = given is self.input and result is self.result and carried is self.carried
        return self if same else Draft(given, result, carried)


class Round(Struct, frozen=True):
    """A question to participants who may have an opinion: about which call, to whom, and which changes count.

    Participants are numbered in policy order; those from `start` up to `stop` are asked. The answer contains the
    opinions of each one that has any. `change`: each sees what the previous one left. `judge`: all see the same.
    `redact`: the changes are done, and only more text may be removed from a result.
    """

    draft: Draft
    mode: Mode = "change"
    start: int = 0
    stop: int = EVERYBODY

    def asks(self, number: int) -> bool:
        return self.start <= number < self.stop

    def fold(self, draft: Draft, opinions: Opinions) -> Draft:
        """What is left to the next participant."""
        if self.mode == "judge" or not opinions:
            return draft
        after = draft.after(opinions)
        if self.mode == "change" or after is draft:
            return after
        lost = after.result != draft.result and removes_words(draft.result, after.result)
        return replace(draft, result=after.result) if lost else draft


def ask_in_order(round_: Round, participants: Iterable[tuple[int, Callable[[Draft], Opinions]]]) -> Answers:
    """The opinions of numbered participants, each asked about what the previous one left."""
    answers: dict[int, Opinions] = {}
    draft = round_.draft
    for number, ask in participants:
        if round_.asks(number) and (said := ask(draft)):
            answers[number] = said
            draft = round_.fold(draft, said)
    return answers


def in_order(answers: Answers) -> list[Opinion]:
    return [opinion for number in sorted(answers) for opinion in answers[number]]


def drafts_of(first: Draft, answers: Answers, round_: Round) -> tuple[dict[int, tuple[Draft, Draft]], Draft]:
    """What each participant with an opinion saw and left, and what was left in the end."""
    seen: dict[int, tuple[Draft, Draft]] = {}
    draft = first
    for number in sorted(answers):
        after = round_.fold(draft, answers[number])
        seen[number] = (draft, after)
        draft = after
    return seen, draft
