"""Opinions, and how they become one verdict: change first, then judge what would run, then combine."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from msgspec import UNSET, Struct, UnsetType, field, json
from msgspec.structs import replace

from interlock.effect import safe_direction
from interlock.source import Source

__all__ = [
    "Change",
    "Decision",
    "Loss",
    "Opinion",
    "Reason",
    "Round",
    "Verdict",
    "apply_change",
    "combine",
    "deliberate",
    "failure",
    "merge_change",
    "merge_output",
]

Decision: TypeAlias = Literal["allow", "ask", "defer", "deny"]
JsonObject: TypeAlias = dict[str, Any]

STRICTNESS: dict[Decision | None, int] = {None: 0, "allow": 1, "ask": 2, "defer": 3, "deny": 4}


class Opinion(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What one rule or hook says about one event. Every part is optional; none at all is no opinion."""

    by: str = ""
    source: Source | None = None
    decision: Decision | None = None
    reason: str | None = None
    interrupt: bool = False
    change: JsonObject | None = None
    quiet: str | None = None
    output: Any = UNSET
    replaces: bool = False  # the output is the whole of it, not fields to merge
    context: str | None = None
    notice: str | None = None
    set: JsonObject | None = None
    policy: str | None = None  # the policy whose rule this is: its state and its firings are its own
    error: str | None = None
    withhold: str | None = None  # what the model may read instead of the result
    would: str | None = None  # what a rule that only observes would have said
    carried: JsonObject | None = None  # fields of a host's own answer that nothing else here stands for, by their names


class Reason(Struct, frozen=True):
    """Why, in the words of whoever said so."""

    text: str
    by: str
    source: Source | None = None


class Change(Struct, frozen=True):
    """One field of the input that somebody rewrote. An absent side is UNSET."""

    field: str
    before: Any
    after: Any
    by: str
    quiet: str | None = None


class Loss(Struct, frozen=True):
    """A part of the verdict the host would not have honoured, and what was done instead."""

    effect: str
    instead: str


class Verdict(Struct, frozen=True, kw_only=True):
    """The combination of all opinions about one event."""

    decision: Decision | None = None
    reasons: tuple[Reason, ...] = ()
    interrupt: bool = False
    original: JsonObject = field(default_factory=dict)  # what the model wrote
    input: JsonObject = field(default_factory=dict)  # what would run
    changes: tuple[Change, ...] = ()
    output: Any = UNSET
    withheld: str | None = None
    context: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    lowered: tuple[Loss, ...] = ()
    opinions: tuple[Opinion, ...] = ()

    @property
    def reason(self) -> str | None:
        """All reasons of the winning decision as one text, numbered when there are several."""
        return _numbered(self.decision, [reason.text for reason in self.reasons])

    @property
    def stop_reason(self) -> str | None:
        """Why the turn ends, in the words of whoever ends it."""
        stopping = [one.reason for one in self.opinions if one.interrupt and one.reason]
        return _numbered(None, list(dict.fromkeys(stopping))) or self.reason

    @property
    def told(self) -> str | None:
        """What the model is told beside the decision: changes that are not quiet, then context."""
        running = () if self.decision == "deny" else self.changes
        parts = [note for change in running if (note := _change_note(change))]
        parts += self.context
        return "\n".join(parts) or None


def failure(event_name: str | None, by: str, message: str, detail: str = "", source: Source | None = None) -> Opinion:
    """The opinion of something that failed: the event's safe direction, naming what failed.

    `detail` may quote what was being checked, so in place of a withheld result only `message` is shown.
    """
    error = f"{message}: {detail}" if detail else message
    match safe_direction(event_name):
        case "deny":
            return Opinion(by=by, source=source, decision="deny", reason=error, error=error)
        case "withhold":
            return Opinion(by=by, source=source, withhold=message, notice=error, error=error)
        case _:
            return Opinion(by=by, source=source, notice=error, error=error)


# --- changes -----------------------------------------------------------------------------------------------


def apply_change(value: JsonObject, change: JsonObject) -> JsonObject:
    """Merge a change into an object at the top level; null removes a field."""
    merged = {**value, **change}
    for name, new in change.items():
        if new is None:
            del merged[name]
    return merged


def merge_change(first: JsonObject, second: JsonObject) -> JsonObject:
    """One change that does what `first` and then `second` do."""
    return {**first, **second}


def merge_output(value: Any, output: Any) -> Any:
    """A map merges into a map at the top level; anything else replaces."""
    if isinstance(value, dict) and isinstance(output, dict):
        return apply_change(value, output)
    return output


def _record_changes(value: JsonObject, opinion: Opinion) -> list[Change]:
    return [
        Change(name, value.get(name, UNSET), UNSET if new is None else new, opinion.by, opinion.quiet)
        for name, new in (opinion.change or {}).items()
        if not _same(value.get(name, UNSET), UNSET if new is None else new)
    ]


def _same(before: Any, after: Any) -> bool:
    # 1, 1.0 and True are equal to Python and not to a tool.
    return before is after or (type(before) is type(after) and json.encode(before) == json.encode(after))


def _change_note(change: Change) -> str | None:
    if change.quiet is not None:
        return None
    if isinstance(change.after, UnsetType):
        return f"Interlock removed `{change.field}` from this call ({change.by})."
    after = json.encode(change.after).decode()
    if isinstance(change.before, UnsetType):
        return f"Interlock added `{change.field}` = {after} to this call ({change.by})."
    before = json.encode(change.before).decode()
    return f"Interlock changed `{change.field}` of this call from {before} to {after} ({change.by})."


# --- the decision ------------------------------------------------------------------------------------------


def combine(opinions: Iterable[Opinion], original: JsonObject | None = None, result: Any = UNSET) -> Verdict:
    """Combine opinions in order: deny > defer > ask > allow > none, and every reason of the winner is kept."""
    heard = tuple(opinions)
    written = original if original is not None else {}
    if not heard:
        return Verdict(original=written, input=written)
    running, output = written, result
    changes: list[Change] = []
    decision: Decision | None = None
    for opinion in heard:
        if STRICTNESS[opinion.decision] > STRICTNESS[decision]:
            decision = opinion.decision
        if opinion.change is not None:
            changes += _record_changes(running, opinion)
            running = apply_change(running, opinion.change)
        if opinion.output is not UNSET:
            output = opinion.output if opinion.replaces else merge_output(output, opinion.output)
    winners = [opinion for opinion in heard if opinion.decision == decision]
    return Verdict(
        decision=decision,
        reasons=tuple(Reason(o.reason, o.by, o.source) for o in winners if o.reason is not None),
        interrupt=any(opinion.interrupt for opinion in heard if opinion.decision in (None, decision)),
        original=written,
        input=running,
        changes=tuple(changes),
        output=output if any(o.output is not UNSET for o in heard) else UNSET,
        withheld=_joined([o.withhold for o in heard if o.withhold is not None]),
        context=tuple(o.context for o in heard if o.context is not None),
        notices=tuple(o.notice for o in heard if o.notice is not None),
        errors=tuple(o.error for o in heard if o.error is not None),
        opinions=heard,
    )


def _joined(texts: list[str]) -> str | None:
    return "; ".join(texts) if texts else None


def _numbered(decision: Decision | None, texts: Sequence[str]) -> str | None:
    if len(texts) < 2:
        return texts[0] if texts else None
    listed = " ".join(f"({number}) {_sentence(text)}" for number, text in enumerate(texts, 1))
    if decision != "deny":
        return listed
    return f"Denied: {listed} {'Both' if len(texts) == 2 else 'All'} must be resolved."


def _sentence(text: str) -> str:
    return text if text.rstrip()[-1:] in (".", "!", "?", "…", ":") else f"{text.rstrip()}."


# --- change, then judge ------------------------------------------------------------------------------------

Opinions: TypeAlias = tuple[Opinion, ...]
Answers: TypeAlias = Mapping[int, Opinions]
EVERYBODY = 1 << 60


class Round(Struct, frozen=True):
    """A question to everyone who may have an opinion: about which input, to whom, and whether changes count.

    Participants are numbered in policy order; those from `start` up to `stop` are asked. The answer holds the
    opinions of each that has any. While `changing`, each participant sees what the one before it left.
    """

    input: JsonObject
    changing: bool
    start: int = 0
    stop: int = EVERYBODY

    def asks(self, number: int) -> bool:
        return self.start <= number < self.stop


def deliberate(original: JsonObject, *, alone: bool, result: Any = UNSET) -> Generator[Round, Answers, Verdict]:
    """Ask in rounds until what would run has been judged, then combine.

    A generator, so that hooks may be run here, in a worker process or on an event loop: it yields a Round and is
    sent the answers. Each change is made once. Everybody judges the input that would run, and the original too,
    because a hook beside ours can undo our change; a hook that changes calls may hold a check as well.
    """
    answers = dict((yield Round(original, changing=True)))
    opinions = _in_order(answers)
    if all(opinion.change is None for opinion in opinions):
        return combine(opinions, original, result)

    changers = sorted(i for i, mine in answers.items() if any(opinion.change is not None for opinion in mine))
    first, last = changers[0], changers[-1]
    changed = combine(opinions, original).input
    saw_original = {i: mine for i, mine in answers.items() if i <= first}

    # Whoever stands behind the last change has seen what would run; the others are asked again.
    again = yield Round(changed, changing=False, stop=last + 1)
    for i in {*answers, *again}:
        if i in changers:
            answers[i] += _stricter(again.get(i, ()), than=answers[i])
        elif i < last:
            answers[i] = tuple(_unsettled(opinion) for opinion in again.get(i, ()))
    verdict = combine(_in_order(answers), original, result)
    if alone or verdict.decision == "deny":
        return verdict

    saw_original |= yield Round(original, changing=False, start=first + 1)
    denials = [opinion for opinion in _in_order(saw_original) if opinion.decision == "deny"]
    if not denials:
        return verdict
    named = [replace(opinion, change=None, reason=_name_safe_call(opinion.reason, changed)) for opinion in denials]
    return combine([*verdict.opinions, *named], original, result)


def _stricter(opinions: Opinions, *, than: Opinions) -> Opinions:
    """What a participant that made its change says of the result, as far as it goes beyond what it said before."""
    before = max(STRICTNESS[opinion.decision] for opinion in than)
    return tuple(replace(opinion, change=None) for opinion in opinions if STRICTNESS[opinion.decision] > before)


def _in_order(answers: Answers) -> list[Opinion]:
    return [opinion for number in sorted(answers) for opinion in answers[number]]


def _unsettled(opinion: Opinion) -> Opinion:
    """A change wished for only after the changes were done: each is made once, so this one denies."""
    if opinion.change is None:
        return opinion
    fields = ", ".join(f"`{name}`" for name in opinion.change)
    message = f"{opinion.by} would change {fields} again after a later hook changed the call; put it behind that hook"
    return replace(opinion, change=None, decision="deny", reason=message, error=message)


def _name_safe_call(reason: str | None, changed: JsonObject) -> str:
    safe = json.encode(changed).decode()
    return f"{reason or 'This call is denied.'} Make this call instead: {safe}"
