"""Register Python hooks. Their events, tools and arguments are checked as soon as they are decorated."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextvars import ContextVar
from types import FunctionType
from typing import Any, TypeVar

from msgspec import Struct

from interlock.errors import InterlockError, Source, suggest
from interlock.event import EVENTS, Event, ToolEvent
from interlock.facts.tools import KINDS
from interlock.policy.names import NamePattern, ToolPattern

__all__ = ["ARGUMENTS", "Hook", "collecting", "hook", "hooks_of"]

F = TypeVar("F", bound=Callable[..., Any])

# The arguments that a hook may name, and the events that have them.
ARGUMENTS: dict[str, tuple[type[Event], str]] = {
    "call": (ToolEvent, "the tool call: tool, input, original, id, kind, server; after it ran also output, response"),
    "event": (Event, "the whole event, typed"),
    "state": (Event, "what the session remembers"),
    "host": (Event, "which agent raised the event"),
}

_MARK = "__interlock_hook__"
_VARIADIC = 0x04 | 0x08  # CO_VARARGS | CO_VARKEYWORDS

collecting: ContextVar[list[Hook] | None] = ContextVar("collecting", default=None)


class Hook(Struct, frozen=True, kw_only=True):
    """One registered function."""

    name: str
    source: Source
    events: tuple[str, ...]
    function: Callable[..., Any]
    arguments: tuple[str, ...]
    tool: ToolPattern | None = None
    kind: NamePattern | None = None

    def __str__(self) -> str:
        return f"hook `{self.name}` ({self.source})"


def hook(
    event: str | Iterable[str],
    *,
    tool: str | Iterable[str] | None = None,
    kind: str | Iterable[str] | None = None,
    name: str | None = None,
) -> Callable[[F], F]:
    """Register a function for one or several events, and for tools by name, glob, /regex/ or kind.

    The function names the arguments it wants (`call`, `event`, `state`, `host`) and returns or yields
    opinions, or None.
    """

    if callable(event):
        raise InterlockError("@hook needs an event", _source_of(event), help='write @hook("PreToolUse")')

    def register(function: F) -> F:
        source = _source_of(function)
        try:
            made = _make(function, source, _names(event), tool, kind, name)
        except InterlockError as error:
            raise InterlockError(error.message, error.source or source, error.help) from error
        setattr(function, _MARK, (*hooks_of(function), made))
        found = collecting.get()
        if found is not None:
            found.append(made)
        return function

    return register


def hooks_of(value: Any) -> tuple[Hook, ...]:
    """The hooks that a function is registered as: one for each @hook on it."""
    found: tuple[Hook, ...] = getattr(value, _MARK, ()) if isinstance(value, FunctionType) else ()
    return found


def _make(
    function: Any,
    source: Source,
    events: tuple[str, ...],
    tool: str | Iterable[str] | None,
    kind: str | Iterable[str] | None,
    name: str | None,
) -> Hook:
    for event_name in events:
        _check_event(event_name)
    if (tool is not None or kind is not None) and not all(_carries(event, ToolEvent) for event in events):
        raise InterlockError("`tool` and `kind` need events that carry a call, such as PreToolUse or PostToolUse")
    called = name or function.__name__
    return Hook(
        name=called,
        source=source,
        events=events,
        function=function,
        arguments=_check_arguments(function, called, events),
        tool=None if tool is None else ToolPattern(tool),
        kind=None if kind is None else _kinds(kind),
    )


def _source_of(function: Any) -> Source:
    if not isinstance(function, FunctionType):
        raise InterlockError(f"@hook needs a plain function, not {type(function).__name__}")
    return Source(function.__code__.co_filename, function.__code__.co_firstlineno)


def _names(event: str | Iterable[str]) -> tuple[str, ...]:
    names = (event,) if isinstance(event, str) else tuple(event)
    if not names:
        raise InterlockError("@hook names no event", help='write @hook("PreToolUse")')
    return names


def _check_event(name: object) -> None:
    if name == "WorktreeCreate":
        raise InterlockError("WorktreeCreate cannot be hooked: its host takes any answer as a path")
    if name not in EVENTS:
        meant = suggest(str(name), list(EVENTS))
        raise InterlockError(f"unknown event `{name}`", help=f"did you mean `{meant}`?" if meant else None)


def _kinds(kind: str | Iterable[str]) -> NamePattern:
    pattern = NamePattern(kind)
    for one in pattern.patterns:
        if not any(NamePattern(one).matches(known) for known in KINDS):
            meant = suggest(one, list(KINDS))
            known_kinds = f"kinds are {', '.join(KINDS)}"
            raise InterlockError(
                f"`{one}` is not a kind of tool", help=f"did you mean `{meant}`?" if meant else known_kinds
            )
    return pattern


def _carries(event_name: str, kind: type[Event]) -> bool:
    return issubclass(EVENTS[event_name], kind)


def _check_arguments(function: Any, name: str, events: tuple[str, ...]) -> tuple[str, ...]:
    """The arguments to pass, read from the code object: `inspect` would cost more than everything else here."""
    code = function.__code__
    if code.co_flags & _VARIADIC:
        raise InterlockError(f"hook `{name}` takes *args or **kwargs", help="name the arguments it wants")
    if code.co_posonlyargcount:
        raise InterlockError(f"hook `{name}` takes positional-only arguments", help="remove the `/`")
    wanted = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    with_default = code.co_varnames[: code.co_argcount][code.co_argcount - len(function.__defaults__ or ()) :]
    optional = {*with_default, *(function.__kwdefaults__ or ())}
    for argument in wanted:
        if argument not in ARGUMENTS and argument not in optional:
            meant = suggest(argument, list(ARGUMENTS))
            raise InterlockError(
                f"hook `{name}` wants `{argument}`; it may want {', '.join(ARGUMENTS)}",
                help=f"did you mean `{meant}`?" if meant else None,
            )
        for event_name in events:
            if argument in ARGUMENTS and not _carries(event_name, ARGUMENTS[argument][0]):
                raise InterlockError(f"hook `{name}` wants `{argument}`, which {event_name} does not have")
    return tuple(argument for argument in wanted if argument in ARGUMENTS)
