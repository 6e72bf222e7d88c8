"""Let another part of the program answer: questions wait in a queue until a task, a thread or a page takes them."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import AsyncIterator
from concurrent.futures import Future

from interlock.approvals.approval import Approval, Request
from interlock.errors import InterlockError

__all__ = ["Queue", "Waiting"]


class Waiting:
    """A question that is waiting for its answer."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self._future: Future[Approval] = Future()
        self._lock = threading.Lock()

    @property
    def over(self) -> bool:
        """Whether it was answered, or no one is waiting for the answer any more."""
        return self._future.done()

    def answer(self, approval: Approval) -> None:
        """Answer it, from any thread. Raises InterlockError if it is over: a late yes must not seem to have counted."""
        # The lock lets one of two threads that answer at once win, and the other learn that it was too late.
        with self._lock:
            if self._future.done() or not self._future.set_running_or_notify_cancel():
                raise InterlockError("this question is over: it was answered already, or its time is up")
            self._future.set_result(approval)

    async def answered(self) -> Approval:
        return await asyncio.wrap_future(self._future)


class Queue:
    """An approver whose questions another task answers: `async for waiting in queue: waiting.answer(…)`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: deque[Waiting] = deque()
        self._takers: deque[Future[Waiting]] = deque()

    async def approve(self, request: Request) -> Approval:
        waiting = Waiting(request)
        self._hand_over(waiting)
        return await waiting.answered()

    def waiting(self) -> list[Waiting]:
        """The questions that have not been taken yet, the oldest first."""
        with self._lock:
            return [one for one in self._waiting if not one.over]

    async def take(self) -> Waiting:
        """The next question, as soon as there is one. The task that takes it must answer it."""
        with self._lock:
            while self._waiting:
                found = self._waiting.popleft()
                if not found.over:
                    return found
            taker: Future[Waiting] = Future()
            self._takers.append(taker)
        return await asyncio.wrap_future(taker)

    def __aiter__(self) -> AsyncIterator[Waiting]:
        return self

    async def __anext__(self) -> Waiting:
        return await self.take()

    def _hand_over(self, waiting: Waiting) -> None:
        with self._lock:
            while self._takers:
                taker = self._takers.popleft()
                # A task that was cancelled while it waited must not swallow the question.
                if taker.set_running_or_notify_cancel():
                    taker.set_result(waiting)
                    return
            self._waiting.append(waiting)
