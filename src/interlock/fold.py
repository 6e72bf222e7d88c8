"""Change, then judge: how those who have opinions are asked, and what each of them leaves to the next.

Everybody who is asked about an event (a rule, a Python hook, an external program, a callback) sees what the one before
left of the input and of the result. This is the one place that knows how.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from typing import Any, Literal, TypeAlias

from msgspec import UNSET, Struct, json
from msgspec.structs import replace

from interlock.removal import Removal, adds_words, removes_words
from interlock.verdict import STRICTNESS, JsonObject, Loss, Opinion, Verdict, apply_change, combine, merge_output

__all__ = ["EVERYBODY", "Answers", "Draft", "Opinions", "Round", "ask_in_order", "decide", "deliberate"]

Opinions: TypeAlias = tuple[Opinion, ...]
Answers: TypeAlias = Mapping[int, Opinions]
Mode: TypeAlias = Literal["change", "judge", "redact"]
EVERYBODY = 1 << 60
_MOST_PASSES = 4  # over a result: two who undo each other's work would go on for ever


class Draft(Struct, frozen=True, omit_defaults=True):
    """A call as those asked so far leave it: the input that would run and the result that would be read."""

    input: JsonObject
    result: Any = UNSET
    carried: JsonObject = {}  # what the host is told beside it, by its own names

    def after(self, opinions: Iterable[Opinion]) -> Draft:
        """The call with what these opinions change in it."""
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
    """A question to everyone who may have an opinion: about which call, to whom, and which changes count.

    Participants are numbered in policy order; those from `start` up to `stop` are asked. The answer holds the
    opinions of each that has any. `change`: each sees what the one before it left. `judge`: all see the same.
    `redact`: the changes are done, and a result may only lose more.
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
    """The opinions of numbered participants, each asked about what the one before it left."""
    answers: dict[int, Opinions] = {}
    draft = round_.draft
    for number, ask in participants:
        if round_.asks(number) and (said := ask(draft)):
            answers[number] = said
            draft = round_.fold(draft, said)
    return answers


def decide(original: JsonObject, ask: Callable[[Round], Answers], *, alone: bool, result: Any = UNSET) -> Verdict:
    """The verdict of those behind `ask`, asked as often as it takes."""
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

    A generator, so that hooks may be run here, in a worker process or on an event loop: it yields a Round and is
    sent the answers.
    """
    answers = dict((yield Round(Draft(original, result))))
    opinions = _in_order(answers)
    if any(opinion.change is not None for opinion in opinions):
        return (yield from _settle_input(original, answers, alone))
    if any(opinion.output is not UNSET for opinion in opinions):
        return (yield from _settle_result(Draft(original, result), answers))
    if result is not UNSET and any(opinion.withhold is not None for opinion in opinions):
        opinions = _without([Draft(original, result)], UNSET, opinions, notices=False)
    return combine(opinions, original, result)


def _in_order(answers: Answers) -> list[Opinion]:
    return [opinion for number in sorted(answers) for opinion in answers[number]]


def _drafts(first: Draft, answers: Answers, round_: Round) -> tuple[dict[int, tuple[Draft, Draft]], Draft]:
    """What each participant that spoke saw and left, and what was left in the end."""
    seen: dict[int, tuple[Draft, Draft]] = {}
    draft = first
    for number in sorted(answers):
        after = round_.fold(draft, answers[number])
        seen[number] = (draft, after)
        draft = after
    return seen, draft


# --- the input that would run --------------------------------------------------------------------------------


def _settle_input(
    original: JsonObject, answers: dict[int, Opinions], alone: bool
) -> Generator[Round, Answers, Verdict]:
    """Have everybody judge what would run, and the original too: a hook beside ours can undo our change.

    Each change is made once. A hook that changes calls may hold a check as well, so it is asked again like the others.
    """
    start = Draft(original)
    seen, final = _drafts(start, answers, Round(start))
    changers = [number for number in sorted(answers) if _changes(answers[number])]
    first, last = changers[0], changers[-1]
    saw_original = {number: said for number, said in answers.items() if number <= first}

    # Whoever stands behind the last change has seen what would run; the others are asked again.
    again = yield Round(final, "judge", stop=last + 1)
    settled = dict(answers)
    dropped: list[Opinion] = []
    for number in sorted({*answers, *again}):
        said = again.get(number, ())
        if number in changers:
            own = answers[number]
            if number < last and _allows(own) and not _allows_exactly(said, final, final):
                without_own = _later_changes(seen[number][0], answers, number)
                remade = yield Round(without_own, "judge", start=number, stop=number + 1)
                if not _allows_exactly(remade.get(number, ()), without_own, final):
                    dropped += [opinion for opinion in own if opinion.decision == "allow"]
                    own = _without_allow(own)
            settled[number] = own + _stricter(said, than=answers[number])
        elif number < last:
            settled[number] = tuple(_unsettled(opinion, final) for opinion in said)
    verdict = _with_losses(combine(_in_order(settled), original), dropped)
    if alone or verdict.decision == "deny":
        return verdict

    saw_original |= yield Round(start, "judge", start=first + 1)
    denials = [opinion for opinion in _in_order(saw_original) if opinion.decision == "deny"]
    if denials:
        named = [replace(one, change=None, reason=_name_safe_call(one.reason, final.input)) for one in denials]
        return _with_losses(combine([*verdict.opinions, *named], original), dropped)
    if verdict.decision != "allow":
        return verdict
    # The original may run after all: an allow that does not hold for it would be one that nobody gave.
    held = combine(_in_order(saw_original)).decision == "allow"
    for number, said in list(settled.items()):
        if _allows(said) and not (held and _allows(saw_original.get(number, ()))):
            dropped += [opinion for opinion in said if opinion.decision == "allow"]
            settled[number] = _without_allow(said)
    return _with_losses(combine(_in_order(settled), original), dropped)


def _changes(opinions: Opinions) -> bool:
    return any(opinion.change is not None for opinion in opinions)


def _allows(opinions: Opinions) -> bool:
    return any(opinion.decision == "allow" for opinion in opinions)


def _allows_exactly(opinions: Opinions, asked: Draft, final: Draft) -> bool:
    """Whether a participant allows what it was asked about and makes of it exactly what would run."""
    return _allows(opinions) and _same_json(asked.after(opinions).input, final.input)


def _same_json(one: Any, other: Any) -> bool:
    # 1, 1.0 and True are equal to Python and not to a tool.
    return json.encode(one, order="sorted") == json.encode(other, order="sorted")


def _later_changes(draft: Draft, answers: Answers, number: int) -> Draft:
    """The call as a participant saw it, with the changes of those behind it and without its own."""
    for later in sorted(answers):
        if later > number:
            draft = draft.after(answers[later])
    return draft


def _without_allow(opinions: Opinions) -> Opinions:
    return tuple(
        replace(opinion, decision=None, reason=None) if opinion.decision == "allow" else opinion for opinion in opinions
    )


def _with_losses(verdict: Verdict, dropped: list[Opinion]) -> Verdict:
    """The verdict with a word about every allow that does not count."""
    if not dropped:
        return verdict
    names = ", ".join(dict.fromkeys(f"`{opinion.by}`" for opinion in dropped))
    loss = Loss("allow", f"no decision: {names} did not allow every input that could run")
    return replace(verdict, lowered=(*verdict.lowered, loss))


def _stricter(opinions: Opinions, *, than: Opinions) -> Opinions:
    """What a participant that made its change says of the outcome, as far as it goes beyond what it said before."""
    before = max(STRICTNESS[opinion.decision] for opinion in than)
    return tuple(replace(opinion, change=None) for opinion in opinions if STRICTNESS[opinion.decision] > before)


def _unsettled(opinion: Opinion, final: Draft) -> Opinion:
    """A change wished for only after the changes were done: each is made once, so this one denies."""
    if opinion.change is None or _same_json(final.after((opinion,)).input, final.input):
        return replace(opinion, change=None)
    fields = ", ".join(f"`{name}`" for name in opinion.change)
    message = f"{opinion.by} would change {fields} again after a later hook changed the call; put it behind that hook"
    return replace(opinion, change=None, decision="deny", reason=message, error=message)


def _name_safe_call(reason: str | None, changed: JsonObject) -> str:
    safe = json.encode(changed).decode()
    return f"{reason or 'This call is denied.'} Make this call instead: {safe}"


# --- the result that would be read -----------------------------------------------------------------------------


def _settle_result(start: Draft, answers: dict[int, Opinions]) -> Generator[Round, Answers, Verdict]:
    """Have everybody look at the result as it would be read, until nobody takes anything more out of it.

    Whoever spoke before the last change is asked again: what they would remove may have come back with it, and what
    they said may quote what is gone. Each addition is made once, so only a removal counts from now on.
    """
    round_ = Round(start)
    seen, final = _drafts(start, answers, round_)
    drafts = [start, *(after for _, after in seen.values())]
    left = {number: after for number, (_, after) in seen.items()}
    heard: dict[int, Opinions] = dict(answers)
    stop = max(number for number in answers if any(one.output is not UNSET for one in answers[number]))
    contested: list[Opinion] = []
    for _ in range(_MOST_PASSES):
        round_ = Round(final, "redact", stop=stop)
        again = yield round_
        passed, after = _drafts(final, again, round_)
        for number in [number for number in heard if number < stop] + [n for n in again if n not in heard]:
            before = left.get(number, start)
            heard[number] = _heard_again(heard.get(number, ()), again.get(number, ()), before, after)
        left |= {number: draft for number, (_, draft) in passed.items()}
        drafts += [draft for _, draft in passed.values()]
        if after.result is final.result:
            break
        final, stop = after, EVERYBODY
    else:
        contested = [_contest(again)]
    opinions = _without(drafts, final.result, _in_order(heard) + contested)
    if any(opinion.withhold is not None for opinion in opinions):
        opinions = _without(drafts, UNSET, opinions, notices=False)
    return replace(combine(opinions, start.input, start.result), output=final.result)


def _heard_again(before: Opinions, again: Opinions, left: Draft, final: Draft) -> Opinions:
    """A participant's opinions after it was asked about a later result: all it decided, and its newest words.

    One that has nothing to say of the later result keeps its words, unless they quote what was removed since. One
    that cannot judge it fails only where something was added that it has not seen.
    """
    if any(one.error is not None for one in again) and not adds_words(left.result, final.result):
        again = tuple(one for one in again if one.error is None)
    if not again:
        return before if left.result is final.result else _without_quotes(before, left, final)
    decided = [replace(one, context=None, carried=None, notice=one.notice if one.error else None) for one in before]
    words = [replace(one, set=None, output=UNSET, change=None) for one in again]
    return (*(one for one in decided if one != Opinion(by=one.by, source=one.source, policy=one.policy)), *words)


def _without_quotes(opinions: Opinions, left: Draft, final: Draft) -> Opinions:
    """The opinions without the texts that quote what was removed since."""
    if not any(_tells(opinion) for opinion in opinions):
        return opinions
    removal = Removal([left.result], final.result)

    def quiet(text: str | None) -> str | None:
        return None if text is not None and removal.quotes(text) else text

    return tuple(replace(one, context=quiet(one.context), notice=quiet(one.notice)) for one in opinions)


def _tells(opinion: Opinion) -> bool:
    said = (opinion.context, opinion.notice, opinion.reason, opinion.carried)
    return any(part is not None for part in said)


def _without(drafts: list[Draft], final: Any, opinions: list[Opinion], *, notices: bool = True) -> list[Opinion]:
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
