"""Try a call: judge what a person typed as a session would be judged. Nothing is run, and nothing is recorded."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeAlias

from msgspec import UNSET, DecodeError, Struct, json

from interlock.errors import InterlockError, Source
from interlock.facts.shapes import commands_in
from interlock.page.rulebook import Rulebook
from interlock.policy.engine import Step
from interlock.store.base import Store
from interlock.store.glance import GlanceStore
from interlock.testing.events import call_of, payload_for
from interlock.testing.trial import TRIAL_CALL, CallTrial, Explanation, hooks_for, words_of

__all__ = ["MOST_TEXT", "Attempt", "TracedRule", "TriedCall", "try_call"]

JsonObject: TypeAlias = dict[str, Any]
MOST_TEXT = 20_000  # characters of a call that somebody may want to try
_ALONE = "try"  # the session of a call that is tried in none


class Attempt(Struct, frozen=True, kw_only=True):
    """What a person typed: a shell command, or a tool's input as JSON or as its main field."""

    tool: str = "Bash"
    text: str = ""
    session: str = ""  # whose state it is judged in; none: that of a session which has just begun


class TracedRule(Struct, frozen=True):
    """What became of one rule: `fired`, `failed` or `no match`."""

    rule: str
    outcome: str
    why: str
    said: str
    source: Source | None

    @property
    def place(self) -> str:
        if self.source is None or " (own " in self.source.file:
            return "built in"
        return f"{Path(self.source.file).name}:{self.source.line}"


class TriedCall(Struct, frozen=True, kw_only=True):
    """The verdict on a call that nobody made, with the trace. `error` says why there is none."""

    attempt: Attempt
    error: str = ""
    tool: str = ""
    decision: str = ""
    reasons: tuple[tuple[str, str], ...] = ()  # text, and the rule that says it
    changes: tuple[tuple[str, str, str, str], ...] = ()  # field, before, after, rule
    told: str = ""
    notices: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    trace: tuple[TracedRule, ...] = ()
    rules: int = 0  # in force
    seconds: float = 0.0
    not_asked: tuple[str, ...] = ()  # hooks and checks, which would run something

    @property
    def speaking(self) -> list[TracedRule]:
        """The rules that had something to say."""
        return [one for one in self.trace if one.outcome != "no match"]

    @property
    def silent(self) -> list[TracedRule]:
        """The rules that were looked at and did not apply."""
        return [one for one in self.trace if one.outcome == "no match"]


def try_call(attempt: Attempt, book: Rulebook, store: Store) -> TriedCall:
    """Judge a call by the rules of a project, in the state of a session if one is named."""
    try:
        tool, given = _call(attempt)
    except InterlockError as error:
        return TriedCall(attempt=attempt, error=error.in_one_line())
    fields: JsonObject = {"tool_name": tool, "tool_input": given, "tool_use_id": TRIAL_CALL, "cwd": book.project}
    raw = payload_for("PreToolUse", {}, **fields, session_id=attempt.session or _ALONE)
    trial = CallTrial(book.judges, Path(book.project), store=GlanceStore(store) if attempt.session else None)
    try:
        found = trial.judge(raw)
    finally:
        trial.close()
    hooks = [f"the hook {name}" for name in hooks_for(found.event, book.judges)]
    checks = [f"the `run` check of {name}" for name in trial.skipped_checks]
    return _outcome_of(attempt, found, tool, given, book, (*dict.fromkeys(hooks), *checks))


def _call(attempt: Attempt) -> tuple[str, JsonObject]:
    text, tool = attempt.text.strip(), attempt.tool.strip()
    if not text:
        raise InterlockError("there is nothing to judge", help="type a command, or a tool's input")
    if len(text) > MOST_TEXT:
        raise InterlockError(f"this is longer than {MOST_TEXT:,} characters", help="try the part that matters")
    if not tool:
        raise InterlockError("no tool is named", help="write Bash for a shell command")
    try:
        f"{tool}{text}".encode()
    except UnicodeEncodeError as error:
        raise InterlockError("the call is not valid UTF-8") from error
    if tool == "Bash" and not text.startswith("{"):
        return call_of(text)
    return call_of({tool: _input(text)})


def _input(text: str) -> Any:
    if not text.startswith("{"):
        return text
    try:
        return json.decode(text)
    except (DecodeError, RecursionError) as error:
        raise InterlockError(f"the input is not JSON: {error}") from error


def _outcome_of(
    attempt: Attempt, found: Explanation, tool: str, given: JsonObject, book: Rulebook, not_asked: tuple[str, ...]
) -> TriedCall:
    verdict = found.verdict
    return TriedCall(
        attempt=attempt,
        tool=tool,
        decision=verdict.decision or "none",
        reasons=tuple((reason.text, reason.by) for reason in verdict.reasons),
        changes=tuple((one.field, _text_of(one.before), _text_of(one.after), one.by or "") for one in verdict.changes),
        told=verdict.told or "",
        notices=tuple(verdict.notices),
        errors=tuple(verdict.errors),
        commands=tuple(" ".join(one.text.split()) for one in commands_in(tool, given) if one.text),
        trace=tuple(map(_trace_of, found.steps)),
        rules=sum(len(policy.rules) for policy in book.judges),
        seconds=found.seconds,
        not_asked=not_asked,
    )


def _trace_of(step: Step) -> TracedRule:
    return TracedRule(step.rule, step.outcome, " ".join(step.detail.split()), words_of(step.opinion), step.source)


def _text_of(value: Any) -> str:
    if value is UNSET:
        return ""
    return value if isinstance(value, str) else json.encode(value).decode()
