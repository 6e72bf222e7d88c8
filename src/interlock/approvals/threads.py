"""Wait in an event loop for what blocks: in a thread that nobody waits for once the waiting is over."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from typing import Any, TypeVar

__all__ = ["in_thread"]

T = TypeVar("T")


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
