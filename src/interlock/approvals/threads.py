"""Wait in an event loop for functions that block or may never end, and stop waiting when the time is up."""

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

_MOMENT = 0.1  # seconds for a cancelled coroutine to clean up


async def in_thread(function: Callable[[], T]) -> T:
    """Run a function in its own thread with the caller's context, and return what it returns.

    There is no pool: a function that never returns must not use up a place that others need, and must not keep the
    process from ending.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()
    context = copy_context()

    def settle(set_: Callable[[Any], None], value: Any) -> None:
        if not future.done():  # the caller may have been cancelled meanwhile
            set_(value)

    def run() -> None:
        try:
            outcome: tuple[Callable[[Any], None], Any] = future.set_result, context.run(function)
        except BaseException as error:  # noqa: BLE001 - the edge of the thread: it is raised again where it is awaited
            outcome = future.set_exception, _awaitable(error)
        with suppress(RuntimeError):  # the loop is closed, so nothing is waiting any more
            loop.call_soon_threadsafe(settle, *outcome)

    threading.Thread(target=run, daemon=True).start()
    return await future


def _awaitable(error: BaseException) -> BaseException:
    """The error in a form that a future can carry: StopIteration would silently end the coroutine that awaits it."""
    return RuntimeError(repr(error)) if isinstance(error, StopIteration) else error


async def within(function: Callable[[], Awaitable[T]], seconds: float) -> T:
    """What a coroutine function returns, if it returns in time. Raises TimeoutError otherwise, whatever it does then.

    A late coroutine is cancelled and has a moment to clean up, which it may ignore. A coroutine that blocked the loop
    and answered after the deadline is late too.
    """
    until = monotonic() + seconds
    task = asyncio.ensure_future(finish(function))
    # asyncio prints a warning about an error that was never looked at, and a late task may have no one to look at it.
    task.add_done_callback(lambda done: done.cancelled() or done.exception())
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
    """What a coroutine function returns, and when. What would end its task or the loop becomes an InterlockError."""
    try:
        return await function(), monotonic()
    except asyncio.CancelledError as error:
        raise InterlockError("it was cancelled") from error
    except TimeoutError as error:
        raise InterlockError("it gave up waiting") from error
    except SystemExit as error:
        raise InterlockError("it called sys.exit()") from error
