"""Run Python hooks on an event, in this process."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Iterator
from contextvars import ContextVar
from functools import partial
from types import AsyncGeneratorType, CoroutineType, GeneratorType
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import UNSET, Struct
from msgspec.json import decode, encode
from msgspec.structs import replace

from interlock.effect import Effect, can, effects_of, explain_misplaced
from interlock.errors import InterlockError, text_of
from interlock.event import Event, McpServer, PostToolUse, ToolEvent, event_from, payload_of
from interlock.facts.results import event_after
from interlock.facts.tools import Kind, kind_of
from interlock.fold import Answers, Draft, Opinions, Round, ask_in_order
from interlock.hooks.hearing import Speech, hearing, listening
from interlock.hooks.load import unique_hooks
from interlock.hooks.opinions import is_json, listen, stop_listening, without_trust
from interlock.hooks.registry import Hook, hooks_of
from interlock.hooks.silence import SilentHook, Utterance, break_silence
from interlock.policy.situation import Situation
from interlock.verdict import Opinion, failure

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop

__all__ = ["Call", "HookSet", "waiting"]

JsonObject: TypeAlias = dict[str, Any]

# Runs the coroutines of async hooks if they belong on the caller's event loop; otherwise HookSet's own loop does.
waiting: ContextVar[Callable[[Coroutine[Any, Any, Any]], Any] | None] = ContextVar("waiting", default=None)
_CACHED_TOOLS = 1024


class Call(Struct, frozen=True):
    """The tool call in an event, as a hook sees it.

    `input` is what would run, `original` what the model wrote. After the call, `output` is what its result means, and
    `response` is the result as the host sent it.
    """

    tool: str
    input: JsonObject
    original: JsonObject
    id: str | None = None
    kind: Kind | None = None
    server: McpServer | None = None
    output: Any = None
    response: Any = None


class _Application(Struct, frozen=True):
    """A hook that applies to an event. `widened`: only by a short name, so its allow does not count."""

    hook: Hook
    widened: bool


class HookSet:
    """Hooks in order of registration, indexed by event and tool."""

    def __init__(self, hooks: Iterable[Hook | Callable[..., Any]]) -> None:
        self.hooks = unique_hooks(one for hook in hooks for one in _as_hooks(hook))
        self._by_event: dict[str, list[Hook]] = {}
        for hook in self.hooks:
            for event_name in hook.events:
                self._by_event.setdefault(event_name, []).append(hook)
        self._applied: dict[tuple[str, str], tuple[_Application, ...]] = {}
        self._loop: AbstractEventLoop | None = None
        self.on_start: Callable[[Hook], None] | None = None
        self.raw_output: Callable[[], str] | None = None  # what the hook wrote bypassing Python's streams

    def close(self) -> None:
        """Close the event loop on which async hooks ran."""
        if self._loop is not None:
            self._loop.close()
            self._loop = None

    def ask(self, situation: Situation, round_: Round) -> Answers:
        """Ask every hook that applies. In a round of changes, each sees what the previous one left."""
        hooks = self._applied_to(situation.event)
        if not hooks:
            return {}
        with listening():
            return ask_in_order(
                round_,
                ((number, partial(self._opinions_of, applied, situation)) for number, applied in enumerate(hooks)),
            )

    def _applied_to(self, event: Event) -> tuple[_Application, ...]:
        tool = event.tool_name if isinstance(event, ToolEvent) else ""
        key = (event.hook_event_name, tool)
        found = self._applied.get(key)
        if found is None:
            hooks = self._by_event.get(key[0], ())
            found = tuple(applied for hook in hooks if (applied := _apply(hook, tool)))
            if len(self._applied) >= _CACHED_TOOLS:  # a model may invent any number of names
                self._applied.clear()
            self._applied[key] = found
        return found

    def _opinions_of(self, applied: _Application, situation: Situation, draft: Draft) -> Opinions:
        hook = applied.hook
        event = event_after(situation.event, draft)
        event_name = situation.event.hook_event_name
        if self.on_start is not None:
            self.on_start(hook)
        built: list[Opinion] = []
        try:
            given = _arguments(hook, situation, event, draft)
            token = listen(built)
            with hearing() as speech:
                try:
                    said = self._collect(hook.function(**given))
                finally:
                    stop_listening(token)
            _check_untouched(given, situation, event, draft)
            if built:
                _check_returned(built, said)
            if said:
                return tuple([_sign(opinion, applied, event_name) for opinion in said])
            if not speech and self.raw_output is None:
                return ()
            meant = break_silence(_silent_hook(hook), event, self._utterances(speech))
            return () if meant is None else (meant,)
        except KeyboardInterrupt:
            raise
        except InterlockError as error:
            failed = failure(event_name, hook.name, f"{hook} failed", error.in_one_line(), hook.source)
        except BaseException as error:  # noqa: BLE001 - sys.exit() in a hook must not end the gate
            failed = failure(
                event_name, hook.name, f"{hook} raised {type(error).__name__}", text_of(error), hook.source
            )
        # A deny that it built before it failed still counts, even for events whose failures let the call pass.
        denials = [replace(one, by=hook.name, source=hook.source) for one in built if one.decision == "deny"]
        return (*(denials if "deny" in effects_of(event_name) else ()), failed)

    def _utterances(self, speech: Speech) -> Iterator[Utterance]:
        yield Utterance("printed", speech.text("stdout"), own=True)
        yield Utterance("logged", speech.text("log"))
        yield Utterance("said", speech.text("stderr"))
        if self.raw_output is not None:
            yield Utterance("said", self.raw_output())

    def _collect(self, said: Any) -> list[Opinion]:
        """The opinions in what a hook returned, run to its end if it is a generator or a coroutine."""
        if said is None:
            return []
        if isinstance(said, GeneratorType):
            said = _drain(said)
        elif isinstance(said, CoroutineType):
            return self._collect(self._wait(said))
        elif isinstance(said, AsyncGeneratorType):
            said = self._wait(_drain_async(said))
        if isinstance(said, Opinion):
            return [said]
        if isinstance(said, list | tuple):
            for one in said:
                if one is not None and not isinstance(one, Opinion):
                    raise _not_an_opinion(one)
            return [one for one in said if one is not None]
        raise _not_an_opinion(said)

    def _wait(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        import asyncio  # noqa: PLC0415 - imported only for async hooks

        wait = waiting.get()
        if wait is not None:
            return wait(coroutine)
        if self._loop is None or self._loop.is_closed():  # a hook may have closed it
            self._loop = asyncio.new_event_loop()
        try:
            return self._loop.run_until_complete(coroutine)
        finally:
            coroutine.close()


def _as_hooks(value: Hook | Callable[..., Any]) -> tuple[Hook, ...]:
    found = (value,) if isinstance(value, Hook) else hooks_of(value)
    if not found:
        raise InterlockError(f"`{getattr(value, '__name__', value)}` is not a hook", help="decorate it with @hook")
    return found


def _apply(hook: Hook, tool: str) -> _Application | None:
    if hook.kind is not None and not hook.kind.matches(kind_of(tool) or ""):
        return None
    match = "exact" if hook.tool is None else hook.tool.match(tool)
    return None if match is None else _Application(hook, match != "exact")


def _copy(value: Any) -> Any:
    return decode(encode(value))


def _arguments(hook: Hook, situation: Situation, event: Event, draft: Draft) -> JsonObject:
    """The arguments that the hook names. They are copies: changes made in place are detected, not applied."""
    given: JsonObject = {}
    for name in hook.arguments:
        if name == "call" and isinstance(event, ToolEvent) and isinstance(situation.event, ToolEvent):
            given["call"] = _call(situation.event, event, draft)
        elif name == "event":
            given["event"] = event_from(_copy(payload_of(event)))
        elif name == "state":
            if situation.state is None:
                raise InterlockError("it reads state, and nothing here keeps any")
            given["state"] = _copy(_by_short_name(situation.state))
        elif name == "host":
            given["host"] = situation.host
    return given


def _by_short_name(state: JsonObject) -> JsonObject:
    """State under the short names that hooks use; if several policies share a name, the lowest layer's variable."""
    found: JsonObject = {}
    for name, value in state.items():
        found.setdefault(name.rpartition("#")[2], value)
    return found


def _call(original: ToolEvent, event: ToolEvent, draft: Draft) -> Call:
    tool = event.tool_name
    running = _copy(draft.input)
    written = running if draft.input is original.tool_input else _copy(original.tool_input)
    call_id = getattr(event, "tool_use_id", None) or None
    if isinstance(event, PostToolUse):
        seen, response = _copy(draft.result), _copy(event.tool_response)
        return Call(tool, running, written, call_id, kind_of(tool), event.mcp_server, seen, response)
    return Call(tool, running, written, call_id, kind_of(tool), event.mcp_server)


def _check_untouched(given: JsonObject, situation: Situation, event: Event, draft: Draft) -> None:
    """Refuse changes made in place: they have no effect, and the hook's author believes that they do."""
    call = given.get("call")
    if call is not None and isinstance(situation.event, ToolEvent):
        original = situation.event.tool_input
        if call.input != draft.input or (call.original is not call.input and call.original != original):
            raise InterlockError("it changed call.input in place", help="return change(field=value) instead")
        if isinstance(event, PostToolUse) and (call.output != draft.result or call.response != event.tool_response):
            raise InterlockError("it changed call.output in place", help="return output(value) instead")
    if "state" in given and given["state"] != _by_short_name(situation.state or {}):
        raise InterlockError("it changed state in place", help="return set_state(name=value) instead")
    if "event" in given and given["event"] != event:
        raise InterlockError("it changed the event in place", help="return change(...) or output(...) instead")


def _check_returned(built: list[Opinion], said: list[Opinion]) -> None:
    for opinion in built:
        if opinion.decision != "allow" and not any(opinion is one for one in said):
            word = _word_of(opinion)
            raise InterlockError(f"it built a {word}() and did not return it", help=f"return or yield the {word}()")


def _effects_in(opinion: Opinion) -> Iterator[Effect]:
    if opinion.decision is not None:
        yield opinion.decision
    if opinion.change is not None:
        yield "change"
    if opinion.output is not UNSET:
        yield "output"
    if opinion.context is not None:
        yield "context"
    if opinion.interrupt:
        yield "interrupt"


def _word_of(opinion: Opinion) -> str:
    """The word that built an opinion."""
    return next(_effects_in(opinion), "notify" if opinion.set is None else "set_state")


def _sign(opinion: Opinion, applied: _Application, event_name: str) -> Opinion:
    """The opinion under its hook's name, refused if the event cannot do what it asks."""
    hook = applied.hook
    able = can(event_name)
    for effect in _effects_in(opinion):
        # If the event has no interrupt, the deny is kept and lowered; it must not be dropped for that.
        if effect not in able.effects and not (effect == "interrupt" and opinion.decision == "deny"):
            raise InterlockError(explain_misplaced(effect, event_name))
    if opinion.interrupt and opinion.decision != "deny" and not able.ends_turn:
        raise InterlockError(f"interrupt() ends no turn on {event_name}", help="return deny(reason, interrupt=True)")
    for part in (opinion.change, opinion.output, opinion.set):
        if part is not UNSET and not is_json(part):
            raise InterlockError("its opinion holds a value that JSON cannot carry exactly")
    signed = replace(opinion, by=hook.name, source=hook.source)
    return without_trust(signed, hook) if applied.widened else signed


def _drain(said: GeneratorType[Any, Any, Any]) -> list[Any]:
    """Everything a generator yields, and what it returns: a `return deny(...)` after a yield counts too."""
    found = []
    try:
        while True:
            found.append(next(said))
    except StopIteration as done:
        if done.value is not None:
            found += done.value if isinstance(done.value, list | tuple) else [done.value]
    return found


async def _drain_async(said: AsyncGeneratorType[Any, Any]) -> list[Any]:
    return [one async for one in said]


def _not_an_opinion(value: Any) -> InterlockError:
    return InterlockError(
        f"it returned `{repr(value)[:80]}`, which is not an opinion",
        help="return deny(...), ask(...), allow(), change(...), or None for no opinion",
    )


def _silent_hook(hook: Hook) -> SilentHook:
    return SilentHook(str(hook), hook.name, hook.source, "return deny(...) instead")
