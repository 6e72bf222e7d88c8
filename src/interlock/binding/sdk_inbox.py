"""Calls of the Agent SDK in the inbox: they wait for a person there, alone or beside the host's own question."""

from __future__ import annotations

import logging
import threading
from collections.abc import Awaitable, Callable
from functools import partial
from time import monotonic
from typing import Any, TypeAlias

import anyio
import anyio.to_thread
from msgspec.structs import replace

from interlock.approvals.following import MOST_ASKED
from interlock.gate.judges import Judge
from interlock.hosts import Reply
from interlock.judging.asking import Asks, waiting_text
from interlock.store.asking import ApprovalRequest

__all__ = ["SdkInbox"]

JudgeAgain: TypeAlias = Callable[[Asks], Awaitable[Reply]]
_MOST_THREADS = 1_000
_LEAST = 1.0  # seconds for a question that comes after another one
_log = logging.getLogger("interlock")


class SdkInbox:
    """The inbox as the callbacks of one client use it, on whichever event loop they run."""

    def __init__(self, judge: Judge, asks: Asks) -> None:
        self._judge = judge
        self.asks = asks
        self._threads: anyio.CapacityLimiter | None = None

    async def settle(self, tool: str, reply: Reply, asks: Asks, judge: JudgeAgain) -> Reply:
        """The final answer about a call that a person is asked about."""
        until = monotonic() + asks.seconds
        for _ in range(MOST_ASKED):
            if reply.request is None:
                return reply
            answer = await self._answer(tool, reply.request)
            left = max(_LEAST, until - monotonic())
            reply = await judge(replace(asks, seconds=left, answer=answer))
        if reply.request is not None:
            await self._do(partial(self._judge.leave, reply.request))
        return reply

    async def race(self, tool: str, judge: JudgeAgain, ask: Callable[[], Awaitable[Any]]) -> tuple[Reply | None, Any]:
        """The first of two answers: the verdict with the one of the inbox, or what `ask` returns. Raises as it does."""
        asks = replace(self.asks, beside=True, counted=True)
        reply = await judge(asks)
        if reply.request is None:
            return (reply, None) if reply.verdict.decision in ("allow", "deny") else (None, await ask())
        request, answer, other, failure = reply.request, list[ApprovalRequest](), list[Any](), list[Exception]()
        async with anyio.create_task_group() as tasks:

            async def in_inbox() -> None:
                found = await self._answer(tool, request)
                if found.status in ("yes", "no"):
                    answer.append(found)
                    tasks.cancel_scope.cancel()

            async def at_host() -> None:
                try:
                    other.append(await ask())
                except Exception as error:  # noqa: BLE001 - raised below, unless there is an answer in the inbox
                    failure.append(error)
                else:
                    tasks.cancel_scope.cancel()

            tasks.start_soon(in_inbox)
            tasks.start_soon(at_host)
        if answer:
            return await self.settle(tool, await judge(replace(asks, answer=answer[0])), asks, judge), None
        await self._do(partial(self._judge.drop, request))
        if other:
            return None, other[0]
        raise failure[0]

    async def _answer(self, tool: str, request: str) -> ApprovalRequest:
        _log.warning(waiting_text(tool, request))
        is_over = threading.Event()
        try:
            return await anyio.to_thread.run_sync(
                partial(self._judge.inbox.wait, request, is_over.is_set),
                abandon_on_cancel=True,
                limiter=self._limiter(),
            )
        except anyio.get_cancelled_exc_class():
            with anyio.CancelScope(shield=True):
                await self._do(partial(self._judge.leave, request))
            raise
        finally:
            is_over.set()

    def _limiter(self) -> anyio.CapacityLimiter:
        # The usual one has room for 40, and other code of the program needs it.
        if self._threads is None:
            self._threads = anyio.CapacityLimiter(_MOST_THREADS)
        return self._threads

    async def _do(self, task: Callable[[], None]) -> None:
        await anyio.to_thread.run_sync(task, limiter=self._limiter())
