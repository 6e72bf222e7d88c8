"""Run other people's coroutines on the client's event loop, each under a limit that does not depend on its good will.

A coroutine may swallow its cancellation, be cancelled by itself, or hold up the whole loop. So the clock is kept
outside of it: in the thread that waits for it, or in another task.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import Future, wait
from contextvars import ContextVar
from functools import partial
from time import monotonic
from typing import Any, TypeAlias

import anyio
import anyio.from_thread

from interlock.approvals.threads import finish, within

__all__ = ["Call", "call_on_loop", "caller", "calling", "in_time"]

Call: TypeAlias = Callable[[Callable[[], Awaitable[Any]], float], Any]

# How the thread that judges an event calls back to the loop that the event came from.
calling: ContextVar[Call] = ContextVar("calling")


def caller() -> Call:
    """What calls a coroutine function on the loop that runs now, from any thread. Raises TimeoutError if it is late."""
    try:
        return partial(call_on_loop, asyncio.get_running_loop())
    except RuntimeError:  # trio
        return lambda function, seconds: anyio.from_thread.run(_in_scope, function, seconds)


def call_on_loop(loop: asyncio.AbstractEventLoop, function: Callable[[], Awaitable[Any]], seconds: float) -> Any:
    """What a coroutine function returns on a loop that another thread runs."""
    until = monotonic() + seconds
    coroutine = finish(function)
    try:
        future: Future[tuple[Any, float]] = asyncio.run_coroutine_threadsafe(coroutine, loop)
    except RuntimeError:  # the loop is closed
        coroutine.close()
        raise
    wait([future], timeout=seconds)
    if not future.done():
        future.cancel()
        raise TimeoutError
    value, at = future.result()
    if at > until:  # it held up the loop, and answered when its time was over
        raise TimeoutError
    return value


async def in_time(function: Callable[[], Awaitable[Any]], seconds: float) -> Any:
    """What a coroutine function returns on this loop. Raises TimeoutError if it is late."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:  # trio
        return await _in_scope(function, seconds)
    return await within(function, seconds)


async def _in_scope(function: Callable[[], Awaitable[Any]], seconds: float) -> Any:
    """The same by the cancellation of another loop than asyncio's."""
    with anyio.move_on_after(seconds) as scope:
        value = await function()
        if not scope.cancel_called:
            return value
    raise TimeoutError
