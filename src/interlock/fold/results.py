"""Settle a changed result: every participant judges it again until nothing more is removed."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from interlock.fold.draft import EVERYBODY, Answers, Draft, Opinions, Round, drafts_of, in_order
from interlock.fold.removal import Removal, adds_words
from interlock.verdict import Opinion, Verdict, combine

__all__ = ["settle_result", "without_text"]

_MOST_PASSES = 4  # over a result: two participants that undo each other's changes would never finish


def settle_result(start: Draft, answers: dict[int, Opinions]) -> Generator[Round, Answers, Verdict]:
    """Have every participant judge the result as it would be read, until none removes anything more.

    Participants that answered before the last change are asked again: text that they would remove may have come back,
    and their messages may quote text that is gone. Each addition is made once; from now on only removals count.
    """
    round_ = Round(start)
    seen, final = drafts_of(start, answers, round_)
    drafts = [start, *(after for _, after in seen.values())]
    left = {number: after for number, (_, after) in seen.items()}
    heard: dict[int, Opinions] = dict(answers)
    stop = max(number for number in answers if any(one.output is not UNSET for one in answers[number]))
    contested: list[Opinion] = []
    for _ in range(_MOST_PASSES):
        round_ = Round(final, "redact", stop=stop)
        again = yield round_
        passed, after = drafts_of(final, again, round_)
        for number in [number for number in heard if number < stop] + [n for n in again if n not in heard]:
            before = left.get(number, start)
            heard[number] = _newest_words(heard.get(number, ()), again.get(number, ()), before, after)
        left |= {number: draft for number, (_, draft) in passed.items()}
        drafts += [draft for _, draft in passed.values()]
        if after.result is final.result:
            break
        final, stop = after, EVERYBODY
    else:
        contested = [_contest(again)]
    opinions = without_text(drafts, final.result, in_order(heard) + contested)
    if any(opinion.withhold is not None for opinion in opinions):
        opinions = without_text(drafts, UNSET, opinions, notices=False)
    return replace(combine(opinions, start.input, start.result), output=final.result)


def _newest_words(before: Opinions, again: Opinions, left: Draft, final: Draft) -> Opinions:
    """A participant's opinions after it was asked about a later result: all its decisions, and its newest messages.

    If it says nothing about the later result, its messages stay unless they quote what has been removed since. If it
    cannot judge that result, it fails only if something was added that it has not seen.
    """
    if any(one.error is not None for one in again) and not adds_words(left.result, final.result):
        again = tuple(one for one in again if one.error is None)
    if not again:
        return before if left.result is final.result else _without_quotes(before, left, final)
    decided = [replace(one, context=None, carried=None, notice=one.notice if one.error else None) for one in before]
    words = [replace(one, set=None, output=UNSET, change=None) for one in again]
    return (*(one for one in decided if one != Opinion(by=one.by, source=one.source, policy=one.policy)), *words)


def _without_quotes(opinions: Opinions, left: Draft, final: Draft) -> Opinions:
    """The opinions without the texts that quote what has been removed since."""
    if not any(_tells(opinion) for opinion in opinions):
        return opinions
    removal = Removal([left.result], final.result)

    def quiet(text: str | None) -> str | None:
        return None if text is not None and removal.quotes(text) else text

    return tuple(replace(one, context=quiet(one.context), notice=quiet(one.notice)) for one in opinions)


def _tells(opinion: Opinion) -> bool:
    said = (opinion.context, opinion.notice, opinion.reason, opinion.carried)
    return any(part is not None for part in said)


def without_text(drafts: list[Draft], final: Any, opinions: list[Opinion], *, notices: bool = True) -> list[Opinion]:
    """The opinions without any text that was in a draft of the result and is not in the final one."""
    if not any(_tells(opinion) for opinion in opinions):
        return opinions
    removal = Removal([draft.result for draft in drafts], final)

    def strip(text: str | None) -> str | None:
        return None if text is None else removal.strip(text)

    return [
        replace(
            opinion,
            context=strip(opinion.context),
            reason=strip(opinion.reason),
            notice=strip(opinion.notice) if notices else opinion.notice,
            carried=None if opinion.carried is None else removal.strip_value(opinion.carried),
        )
        for opinion in opinions
    ]


def _contest(again: Answers) -> Opinion:
    names = dict.fromkeys(one.by for said in again.values() for one in said if one.output is not UNSET)
    message = f"{', '.join(f'`{name}`' for name in names)} undo each other's changes of this result"
    return Opinion(by="interlock", withhold=message, notice=message, error=message)
