"""Opinions, and how they are combined into one verdict."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, TypeAlias

from msgspec import UNSET, Struct, UnsetType, field, json

from interlock.effect import safe_direction
from interlock.errors import Source

__all__ = [
    "Change",
    "Decision",
    "Loss",
    "Opinion",
    "Reason",
    "Verdict",
    "apply_change",
    "combine",
    "failure",
    "merge_change",
    "merge_output",
]

Decision: TypeAlias = Literal["allow", "ask", "defer", "deny"]
JsonObject: TypeAlias = dict[str, Any]

STRICTNESS: dict[Decision | None, int] = {None: 0, "allow": 1, "ask": 2, "defer": 3, "deny": 4}


class Opinion(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What one rule or hook says about one event. Every part is optional; without any part there is no opinion."""

    by: str = ""
    source: Source | None = None
    decision: Decision | None = None
    reason: str | None = None
    interrupt: bool = False
    change: JsonObject | None = None
    quiet: str | None = None
    output: Any = UNSET
    replaces: bool = False  # the output is the whole result, not fields to merge into it
    context: str | None = None
    notice: str | None = None
    desktop: bool = False  # the notice is shown on the person's desktop, too
    set: JsonObject | None = None
    policy: str | None = None  # the policy that the rule belongs to; each policy has its own state and firings
    error: str | None = None
    withhold: str | None = None  # what the model may read instead of the result
    approve: str | None = None  # where a person is asked, if it asks and its policy says where
    would: str | None = None  # what a rule that only observes would have said
    carried: JsonObject | None = None  # fields of a host's own answer that have no equivalent here, by their names


class Reason(Struct, frozen=True):
    """Why, in the words of the rule or hook that decided."""

    text: str
    by: str
    source: Source | None = None


class Change(Struct, frozen=True):
    """One field of the input that a rule or hook rewrote. An absent side is UNSET."""

    field: str
    before: Any = UNSET
    after: Any = UNSET
    by: str = ""
    quiet: str | None = None


class Loss(Struct, frozen=True):
    """A part of the verdict that the host would not have honoured, and what was done instead."""

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
        if len(self.reasons) < 2:
            return self.reasons[0].text if self.reasons else None
        return _number(self.decision, [reason.text for reason in self.reasons])

    @property
    def stop_reason(self) -> str | None:
        """Why the turn ends, in the words of the rules and hooks that end it."""
        stopping = [one.reason for one in self.opinions if one.interrupt and one.reason]
        return _number(None, list(dict.fromkeys(stopping))) or self.reason

    @property
    def told(self) -> str | None:
        """What the model is told in addition to the decision: changes that are not quiet, then context."""
        # A denied call does not run, so a note about its changes would describe something that never happened.
        if not self.changes and not self.context:
            return None
        running = () if self.decision == "deny" else self.changes
        parts = [note for change in running if (note := _change_note(change))]
        parts += self.context
        return "\n".join(parts) or None


def failure(event_name: str | None, by: str, message: str, detail: str = "", source: Source | None = None) -> Opinion:
    """The opinion of a check that failed: the event's safe direction, with a reason that names what failed.

    `detail` may quote what was being checked, so the text that replaces a withheld result contains only `message`.
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
    # 1, 1.0 and True are equal in Python, but not to a tool.
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
    """Combine opinions in order: deny > defer > ask > allow > none. All reasons for the winning decision are kept."""
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
    told: dict[str, list[str]] = {"withhold": [], "context": [], "notice": [], "error": []}
    winners: list[Opinion] = []
    interrupt = changed = False
    for opinion in heard:
        if opinion.decision == decision:
            winners.append(opinion)
        interrupt = interrupt or (opinion.interrupt and opinion.decision in (None, decision))
        changed = changed or opinion.output is not UNSET
        for name, texts in told.items():
            if (text := getattr(opinion, name)) is not None:
                texts.append(text)
    return Verdict(
        decision=decision,
        reasons=_reasons(winners),
        interrupt=interrupt,
        original=written,
        input=running,
        changes=tuple(changes),
        output=output if changed else UNSET,
        withheld="; ".join(told["withhold"]) if told["withhold"] else None,
        context=tuple(told["context"]),
        notices=tuple(told["notice"]),
        errors=tuple(told["error"]),
        opinions=heard,
    )


def _reasons(winners: Sequence[Opinion]) -> tuple[Reason, ...]:
    """Every reason once: two layers that use the same pack give the same reason."""
    found: dict[str, Reason] = {}
    for opinion in winners:
        if opinion.reason is not None:
            found.setdefault(opinion.reason, Reason(opinion.reason, opinion.by, opinion.source))
    return tuple(found.values())


def _number(decision: Decision | None, texts: Sequence[str]) -> str | None:
    if len(texts) < 2:
        return texts[0] if texts else None
    listed = " ".join(f"({number}) {_sentence(text)}" for number, text in enumerate(texts, 1))
    if decision != "deny":
        return listed
    return f"Denied: {listed} {'Both' if len(texts) == 2 else 'All'} must be resolved."


def _sentence(text: str) -> str:
    return text if text.rstrip()[-1:] in (".", "!", "?", "…", ":") else f"{text.rstrip()}."
