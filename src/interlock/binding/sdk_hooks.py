"""Hooks already in the SDK options: run in order and read strictly; a failure never lets a call through."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from interlock.binding.onloop import calling
from interlock.errors import InterlockError, Source, text_of
from interlock.event import EVENTS, Event, ToolEvent, payload_of
from interlock.facts.results import event_after, with_meaning
from interlock.facts.tools import names_of
from interlock.fold import Answers, Draft, Opinions, Round, ask_in_order
from interlock.hooks.hearing import Speech, hearing
from interlock.hooks.silence import SilentHook, Utterance, break_silence, is_silent, reasons_in
from interlock.hosts import dialect_of
from interlock.hosts.base.reading import Output
from interlock.hosts.claude_code.fields import event_after_fields
from interlock.policy.situation import Situation
from interlock.process import seconds_left
from interlock.verdict import Opinion, failure

__all__ = ["Callback", "SdkHooks", "adopt"]

JsonObject: TypeAlias = dict[str, Any]
Callback: TypeAlias = Callable[[Any, str | None, Any], Awaitable[Any]]

_MOST_SECONDS = 600.0
_NAMES = re.compile(r"[A-Za-z0-9_|, -]*")
# The field that the host compares with a matcher; for other events a matcher means nothing.
_ABOUT: dict[str, str] = {
    **{name: "tool_name" for name, kind in EVENTS.items() if issubclass(kind, ToolEvent)},
    "UserPromptExpansion": "command_name",
    "SessionStart": "source",
    "SessionEnd": "reason",
    "Setup": "trigger",
    "StopFailure": "error",
    "SubagentStart": "agent_type",
    "SubagentStop": "agent_type",
    "Notification": "notification_type",
    "PreCompact": "trigger",
    "PostCompact": "trigger",
    "PreModelSwitch": "to_model",
    "PostModelSwitch": "to_model",
    "Elicitation": "mcp_server_name",
    "ElicitationResult": "mcp_server_name",
    "ConfigChange": "source",
    "InstructionsLoaded": "load_reason",
}
_SAFE_NAMES = {"continue_": "continue", "async_": "async"}


class _Hook(Struct, frozen=True):
    """One of the person's own callbacks."""

    event: str
    function: Callback
    matches: Callable[[Event], bool]
    name: str
    source: Source | None
    seconds: float

    def __str__(self) -> str:
        return f"hook `{self.name}` ({self.source})" if self.source is not None else f"hook `{self.name}`"


def adopt(hooks: Mapping[str, Iterable[Any]]) -> SdkHooks:
    """A panel of the callbacks in SDK options. Raises InterlockError for a matcher that would never match."""
    return SdkHooks(
        _Hook(event, function, _matching(event, matcher.matcher), *_name_of(function), _seconds(matcher.timeout))
        for event, matchers in hooks.items()
        for matcher in matchers
        for function in matcher.hooks
    )


class SdkHooks:
    """A panel of SDK callbacks; each sees what the previous one left. It is asked in a worker thread of their loop."""

    def __init__(self, hooks: Iterable[_Hook]) -> None:
        self._hooks: dict[str, list[_Hook]] = {}
        for hook in hooks:
            self._hooks.setdefault(hook.event, []).append(hook)

    def __bool__(self) -> bool:
        return bool(self._hooks)

    def ask(self, situation: Situation, round_: Round) -> Answers:
        hooks = enumerate(self._applied_to(situation.event))
        return ask_in_order(round_, ((number, partial(self._opinions_of, hook, situation)) for number, hook in hooks))

    def _applied_to(self, event: Event) -> Iterator[_Hook]:
        return (hook for hook in self._hooks.get(event.hook_event_name, ()) if hook.matches(event))

    def _opinions_of(self, hook: _Hook, situation: Situation, draft: Draft) -> Opinions:
        opinion = self._opinion_of(
            hook, event_after_fields(draft.carried, event_after(situation.event, draft)), situation
        )
        return () if opinion == Opinion(by=hook.name, source=hook.source) else (opinion,)

    def _opinion_of(self, hook: _Hook, event: Event, situation: Situation) -> Opinion:
        name = event.hook_event_name
        try:
            seconds = seconds_left(situation.started, hook.seconds, name)
            answer, speech = _call(hook, payload_of(event), seconds)
            written = _as_bytes(answer)
            reading = dialect_of("claude-code").read(name, Output(written), by=hook.name)
        except InterlockError as error:
            return failure(name, hook.name, f"{hook} failed", error.in_one_line(), hook.source)
        except Exception as error:  # noqa: BLE001 - a person's hook: whatever it raises is a failed check
            return failure(name, hook.name, f"{hook} raised {type(error).__name__}", text_of(error), hook.source)
        notes = [f"{hook}: {mistake}" for mistake in reading.mistakes] if reading.opinion.error is None else []
        if is_silent(reading.opinion):
            utterances = (*_utterances(speech), Utterance("answered with the reason", reasons_in(written)))
            meant = break_silence(_silent_hook(hook), event, utterances)
            if meant is not None:
                return meant
        said = [*([reading.opinion.notice] if reading.opinion.notice else []), *notes]
        return replace(with_meaning(event, reading.opinion), source=hook.source, notice="\n".join(said) or None)


def _call(hook: _Hook, payload: JsonObject, seconds: float) -> tuple[Any, Speech]:
    """What a callback returns when called as the SDK would call it, and what it said in the meantime."""

    async def call() -> tuple[Any, Speech]:
        with hearing() as speech:
            return await hook.function(payload, payload.get("tool_use_id"), {"signal": None}), speech

    try:
        found: tuple[Any, Speech] = calling.get()(call, seconds)
    except TimeoutError:
        raise InterlockError(f"it did not answer within {seconds:g} s") from None
    return found


def _utterances(speech: Speech) -> Iterator[Utterance]:
    yield Utterance("printed", speech.text("stdout"))
    yield Utterance("logged", speech.text("log"))
    yield Utterance("said", speech.text("stderr"))


def _silent_hook(hook: _Hook) -> SilentHook:
    return SilentHook(str(hook), hook.name, hook.source, "return a deny instead of {}")


def _as_bytes(answer: Any) -> bytes:
    """An answer as the host would get it. Raises InterlockError for anything that is not an answer."""
    if not isinstance(answer, dict):
        what = "None" if answer is None else f"`{repr(answer)[:80]}`"
        raise InterlockError(f"it returned {what}", help="return {} for no opinion, or a decision")
    named = {_SAFE_NAMES.get(key, key): value for key, value in answer.items()}
    try:
        return json.dumps(named, allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise InterlockError(f"its answer is not JSON: {error}") from error


def _matching(event_name: str, matcher: str | None) -> Callable[[Event], bool]:
    field = _ABOUT.get(event_name)
    if matcher in (None, "", "*") or field is None:
        return lambda event: True
    if not isinstance(matcher, str):
        raise InterlockError(f"a matcher of {event_name} is not a text: `{repr(matcher)[:80]}`")
    if _NAMES.fullmatch(matcher):
        meant = {name.strip() for name in re.split(r"[|,]", matcher)}
        return lambda event: not meant.isdisjoint(_words(event, field))
    try:
        pattern = re.compile(matcher)
    except re.error as error:
        raise InterlockError(
            f"the matcher `{matcher}` of {event_name} is not a regular expression ({error}), so it matches nothing",
            help="write `.*` where you mean anything",
        ) from error
    return lambda event: any(pattern.search(word) for word in _words(event, field))


def _words(event: Event, field: str) -> Iterable[str]:
    """What a matcher is compared with: a renamed tool keeps its old name as well."""
    word = str(getattr(event, field, ""))
    return names_of(word) if field == "tool_name" else (word,)


def _name_of(function: Any) -> tuple[str, Source | None]:
    code = getattr(function, "__code__", None)
    name = str(getattr(function, "__name__", type(function).__name__))
    return name, Source(code.co_filename, code.co_firstlineno) if code is not None else None


def _seconds(timeout: float | None) -> float:
    return _MOST_SECONDS if timeout is None else float(timeout)
