"""Wait in an event loop for what blocks or may never end; nothing is waited for once the waiting is over."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from contextvars import copy_context
from time import monotonic
from typing import Any, TypeVar

from interlock.errors import InterlockError

__all__ = ["finish", "in_thread", "within"]

T = TypeVar("T")

_MOMENT = 0.1


async def in_thread(function: Callable[[], T]) -> T:
    """What a function returns, run in a thread of its own with the caller's context.

    No pool: one that never returns must take no place from others, nor keep the process from ending.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()
    context = copy_context()

    def settle(set_: Callable[[Any], None], value: Any) -> None:
        if not future.done():
            set_(value)

    def run() -> None:
        try:
            outcome: tuple[Callable[[Any], None], Any] = future.set_result, context.run(function)
        except BaseException as error:  # noqa: BLE001 - a thread's border: it is raised again where it is awaited
            outcome = future.set_exception, _awaitable(error)
        with suppress(RuntimeError):  # the loop is closed, so nobody waits any more
            loop.call_soon_threadsafe(settle, *outcome)

    threading.Thread(target=run, daemon=True).start()
    return await future


def _awaitable(error: BaseException) -> BaseException:
    """A future cannot carry StopIteration, which would end whoever awaits it in silence."""
    return RuntimeError(repr(error)) if isinstance(error, StopIteration) else error


async def within(function: Callable[[], Awaitable[T]], seconds: float) -> T:
    """What a coroutine function returns in time. Raises TimeoutError if it is late, whatever it does about it.

    A late one is cancelled and has a moment to put its things away; it may not care. One that held up the loop and
    then answered is late too.
    """
    until = monotonic() + seconds
    task = asyncio.ensure_future(finish(function))
    task.add_done_callback(lambda done: done.cancelled() or done.exception())  # nobody may be left to look at it
    try:
        await asyncio.wait({task}, timeout=seconds)
    finally:
        task.cancel()
    if not task.done():
        await asyncio.wait({task}, timeout=_MOMENT)
        raise TimeoutError
    value, at = task.result()
    if at > until:
        raise TimeoutError
    return value


async def finish(function: Callable[[], Awaitable[T]]) -> tuple[T, float]:
    """What a coroutine function returns, and when. What would end its task or the loop becomes an error of its own."""
    try:
        return await function(), monotonic()
    except asyncio.CancelledError as error:
        raise InterlockError("it was cancelled") from error
    except TimeoutError as error:
        raise InterlockError("it gave up waiting") from error
    except SystemExit as error:
        raise InterlockError("it called sys.exit()") from error
