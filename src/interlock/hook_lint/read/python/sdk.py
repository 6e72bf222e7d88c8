"""What callbacks of the Agent SDK have in common in every language: how they are registered, called and ended."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from interlock.hook_lint.program import Ending, OutputPart, Registration, Span
from interlock.hook_lint.read.python.endings import ending_of
from interlock.hook_lint.read.python.machine import Flow, HookReader
from interlock.hook_lint.read.python.notes import Notes
from interlock.hook_lint.read.python.rendering import json_of
from interlock.hook_lint.read.python.state import WayState
from interlock.hook_lint.read.python.values import EventPart, Known, OwnFunction, PyValue, Some, alternatives

__all__ = [
    "ARGUMENTS",
    "FoundCallbacks",
    "SdkCallback",
    "endings_of_return",
    "hook_registration",
    "permission_registration",
    "register",
    "start_callback",
]

_SENT = {"continue_": "continue", "async_": "async"}
# What the SDK calls each kind of callback with.
ARGUMENTS: dict[str, tuple[PyValue, ...]] = {
    "callback": (EventPart(), Some(key=1), Some(key=2)),
    "permission": (EventPart(("tool_name",)), EventPart(("tool_input",)), Some(key=2)),
}
_SENT = {"continue_": "continue", "async_": "async"}


class SdkCallback(Struct):
    """A callback, the state in which it was given to the SDK, and under what."""

    func: OwnFunction
    state: WayState
    mode: str
    registered: list[Registration]


FoundCallbacks = dict[Any, SdkCallback]
"""The callbacks of a file, by the nodes of their functions."""


def register(found: FoundCallbacks, func: OwnFunction, state: WayState, mode: str, one: Registration) -> None:
    entry = found.setdefault(func.node, SdkCallback(func, state, mode, []))
    if one not in entry.registered:
        entry.registered.append(one)


def hook_registration(
    span: Span, event: str, state: WayState, *, matcher: PyValue, timeout: PyValue, on_failure: PyValue
) -> Registration:
    """A callback under an event, as far as its options are known."""
    name, seconds, failure = (json_of(one, state) for one in (matcher, timeout, on_failure))
    return Registration(
        span=span,
        event=event,
        matcher=name if isinstance(name, str) else None,
        timeout=seconds if isinstance(seconds, int | float) else None,
        on_failure=failure if isinstance(failure, str) else "",
    )


def permission_registration(
    span: Span, state: WayState, *, allowed_tools: PyValue, permission_mode: PyValue
) -> Registration:
    """A callback that is asked for permission, and what is set beside it."""
    allowed, mode = (
        json_of(one if one is not None else Known(None), state) for one in (allowed_tools, permission_mode)
    )
    return Registration(
        span=span,
        allowed_tools=tuple(name for name in allowed if isinstance(name, str)) if isinstance(allowed, list) else (),
        permission_mode=mode if isinstance(mode, str) else "",
    )


def start_callback(machine: HookReader, found: SdkCallback) -> WayState:
    """Make a machine ready to read one callback, and return the state in which the callback begins."""
    machine.notes = Notes(machine.source)
    machine.mode = "permission" if found.mode == "permission" else "callback"
    machine.flow, machine.steps = Flow(), 0
    return found.state.fresh_start()


def endings_of_return(machine: HookReader, value: PyValue, state: WayState, place: Any, shown: Any) -> Iterator[Ending]:
    """The endings of a `return`, one for each value that it may give. `shown` is the part that gives the value."""
    for one in alternatives(value):
        said: tuple[OutputPart, ...] = ()
        if not isinstance(one, Known) or one.value is not None:
            given = _as_sent(json_of(one, state))
            said = (OutputPart(stream="return", span=machine.source.span(shown), value=given),)
        yield ending_of("return", machine.source.span(place), state, said=said)


def _as_sent(value: Any) -> Any:
    """An answer with the names that the SDK sends: `continue` and `async` are words of Python."""
    return {_SENT.get(key, key): part for key, part in value.items()} if isinstance(value, dict) else value
