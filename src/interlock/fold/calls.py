"""Settle a changed input: which participants judge it again, and which allows still count."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from msgspec import json
from msgspec.structs import replace

from interlock.fold.draft import Answers, Draft, Opinions, Round, drafts_of, in_order
from interlock.verdict import STRICTNESS, JsonObject, Loss, Opinion, Verdict, combine

__all__ = ["settle_input"]


def settle_input(original: JsonObject, answers: dict[int, Opinions], alone: bool) -> Generator[Round, Answers, Verdict]:
    """Have every participant judge what would run, and the original too: another hook can undo Interlock's change.

    Each change is made once. A hook that changes calls may also check them, so it is asked again like the others.
    """
    start = Draft(original)
    seen, final = drafts_of(start, answers, Round(start))
    changers = [number for number in sorted(answers) if _changes(answers[number])]
    first, last = changers[0], changers[-1]
    saw_original = {number: said for number, said in answers.items() if number <= first}

    # Participants after the last change have seen what would run; the others are asked again.
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
            settled[number] = tuple(_deny_late_change(opinion, final) for opinion in said)
    verdict = _with_losses(combine(in_order(settled), original), dropped)
    if alone or verdict.decision == "deny":
        return verdict

    saw_original |= yield Round(start, "judge", start=first + 1)
    denials = [opinion for opinion in in_order(saw_original) if opinion.decision == "deny"]
    if denials:
        named = [replace(one, change=None, reason=_name_safe_call(one.reason, final.input)) for one in denials]
        return _with_losses(combine([*verdict.opinions, *named], original), dropped)
    if verdict.decision != "allow":
        return verdict
    # The original may run after all, so an allow counts only if the original is allowed too.
    held = combine(in_order(saw_original)).decision == "allow"
    for number, said in list(settled.items()):
        if _allows(said) and not (held and _allows(saw_original.get(number, ()))):
            dropped += [opinion for opinion in said if opinion.decision == "allow"]
            settled[number] = _without_allow(said)
    return _with_losses(combine(in_order(settled), original), dropped)


def _changes(opinions: Opinions) -> bool:
    return any(opinion.change is not None for opinion in opinions)


def _allows(opinions: Opinions) -> bool:
    return any(opinion.decision == "allow" for opinion in opinions)


def _allows_exactly(opinions: Opinions, asked: Draft, final: Draft) -> bool:
    """Whether a participant allows what it was asked about and changes it to exactly what would run."""
    return _allows(opinions) and _same_json(asked.after(opinions).input, final.input)


def _same_json(one: Any, other: Any) -> bool:
    # 1, 1.0 and True are equal in Python, but not to a tool.
    return json.encode(one, order="sorted") == json.encode(other, order="sorted")


def _later_changes(draft: Draft, answers: Answers, number: int) -> Draft:
    """The call as a participant saw it, with the changes of later participants and without its own."""
    for later in sorted(answers):
        if later > number:
            draft = draft.after(answers[later])
    return draft


def _without_allow(opinions: Opinions) -> Opinions:
    return tuple(
        replace(opinion, decision=None, reason=None) if opinion.decision == "allow" else opinion for opinion in opinions
    )


def _with_losses(verdict: Verdict, dropped: list[Opinion]) -> Verdict:
    """The verdict, with a note about every allow that does not count."""
    if not dropped:
        return verdict
    names = ", ".join(dict.fromkeys(f"`{opinion.by}`" for opinion in dropped))
    loss = Loss("allow", f"no decision: {names} did not allow every input that could run")
    return replace(verdict, lowered=(*verdict.lowered, loss))


def _stricter(opinions: Opinions, *, than: Opinions) -> Opinions:
    """The part of a changing participant's opinion on the outcome that is stricter than what it said before."""
    before = max(STRICTNESS[opinion.decision] for opinion in than)
    return tuple(replace(opinion, change=None) for opinion in opinions if STRICTNESS[opinion.decision] > before)


def _deny_late_change(opinion: Opinion, final: Draft) -> Opinion:
    """A change requested after all changes were made. Each is made only once, so this one becomes a deny."""
    if opinion.change is None or _same_json(final.after((opinion,)).input, final.input):
        return replace(opinion, change=None)
    fields = ", ".join(f"`{name}`" for name in opinion.change)
    message = f"{opinion.by} would change {fields} again after a later hook changed the call; put it behind that hook"
    return replace(opinion, change=None, decision="deny", reason=message, error=message)


def _name_safe_call(reason: str | None, changed: JsonObject) -> str:
    safe = json.encode(changed).decode()
    return f"{reason or 'This call is denied.'} Make this call instead: {safe}"
