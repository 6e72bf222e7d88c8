"""Run other people's coroutines on the client's event loop, each under a time limit that it cannot evade.

A coroutine may swallow its cancellation, cancel itself, or block the whole loop. So the time is measured outside it:
in the thread that waits for it, or in another task.
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

# How the thread that judges an event calls back to the loop from which the event came.
calling: ContextVar[Call] = ContextVar("calling")


def caller() -> Call:
    """A function that calls a coroutine function on the current loop from any thread, or raises TimeoutError."""
    try:
        return partial(call_on_loop, asyncio.get_running_loop())
    except RuntimeError:  # trio
        return lambda function, seconds: anyio.from_thread.run(_in_scope, function, seconds)


def call_on_loop(loop: asyncio.AbstractEventLoop, function: Callable[[], Awaitable[Any]], seconds: float) -> Any:
    """What a coroutine function returns when it runs on another thread's loop."""
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
    if at > until:  # it blocked the loop, and answered after its time was over
        raise TimeoutError
    return value


async def in_time(function: Callable[[], Awaitable[Any]], seconds: float) -> Any:
    """What a coroutine function returns when it runs on this loop. Raises TimeoutError if it is late."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:  # trio
        return await _in_scope(function, seconds)
    return await within(function, seconds)


async def _in_scope(function: Callable[[], Awaitable[Any]], seconds: float) -> Any:
    """The same, with the cancellation of a loop that is not asyncio's."""
    with anyio.move_on_after(seconds) as scope:
        value = await function()
        if not scope.cancel_called:
            return value
    raise TimeoutError
