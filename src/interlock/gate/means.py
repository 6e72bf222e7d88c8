"""How a gate waits: on the caller's event loop, or in plain code without one."""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from functools import partial
from time import monotonic
from typing import Any, Protocol, TypeAlias, TypeVar

from interlock.approvals.approval import Approval, Approver, Request
from interlock.approvals.inbox import Inbox
from interlock.approvals.threads import in_thread, within
from interlock.errors import InterlockError
from interlock.gate.judges import Handover, Judge
from interlock.hooks.run import waiting
from interlock.hosts import Reply, dialect_of
from interlock.judging.asking import BY_HOST, Asks
from interlock.store.asking import ApprovalRequest

__all__ = ["InlineMeans", "Means", "OnLoop", "driven"]

T = TypeVar("T")
JsonObject: TypeAlias = dict[str, Any]
Run: TypeAlias = Callable[[JsonObject], Any]


class Means(Protocol):
    """What the life of a call waits for."""

    async def judge(self, event_name: str, raw: bytes, asks: Asks = BY_HOST) -> Reply:
        """The answer to one event, or the answer for a failure if none comes in time."""

    async def judge_to_the_end(self, event_name: str, raw: bytes) -> Reply:
        """The same, even if the caller is cancelled in the meantime."""

    async def ask(self, approver: Approver, request: Request, seconds: float) -> Approval:
        """A person's answer. Raises TimeoutError."""

    async def wait(self, inbox: Inbox, id: str) -> ApprovalRequest:
        """A request in the inbox once it is answered, or as it is when its time is up."""

    async def race(
        self, approver: Approver, request: Request, seconds: float, inbox: Inbox, id: str
    ) -> Approval | ApprovalRequest:
        """The first answer of the two. Raises what the approver raises if there is none in the inbox either."""

    async def do(self, task: Callable[[], None]) -> None:
        """Do something that waits for the disk."""

    async def run(self, run: Run, given: JsonObject) -> Any:
        """What the tool returns."""


def driven(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine that never waits, to its end."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        value: T = done.value
        return value
    finally:
        coroutine.close()
    raise InterlockError("a call that should have run at once waited for something")


def _answer(judge: Judge, event_name: str, raw: bytes, asks: Asks = BY_HOST) -> Reply:
    return judge.answer_failure(raw) if event_name == "PostToolUseFailure" else judge.answer(raw, asks)


def _late(event_name: str, seconds: float) -> Reply:
    return dialect_of("claude-code").fail(event_name, f"the check of this event did not end within {seconds:g} s")


class OnLoop:
    """Waits on the running event loop. Blocking work runs in a thread; async hooks run on this loop."""

    def __init__(self, judge: Judge, seconds: float) -> None:
        self._judge = judge
        self._seconds = seconds
        self._left_alone: set[asyncio.Task[Reply]] = set()

    async def judge(self, event_name: str, raw: bytes, asks: Asks = BY_HOST) -> Reply:
        if self._judge.quick:
            return _answer(self._judge, event_name, raw, asks)
        loop, until = asyncio.get_running_loop(), monotonic() + self._seconds
        token = waiting.set(partial(_wait_on, loop, until))
        handover = Handover(self._judge, partial(_answer, self._judge, event_name, raw, asks))
        try:
            async with asyncio.timeout(self._seconds) as limit:
                return await in_thread(handover.run)
        except TimeoutError:
            if not limit.expired():
                raise
            handover.abandon()
            return _late(event_name, self._seconds)
        except asyncio.CancelledError:
            handover.abandon()
            raise
        finally:
            waiting.reset(token)

    async def judge_to_the_end(self, event_name: str, raw: bytes) -> Reply:
        if self._judge.quick:
            return _answer(self._judge, event_name, raw)
        task = asyncio.get_running_loop().create_task(self.judge(event_name, raw))
        self._left_alone.add(task)
        task.add_done_callback(self._left_alone.discard)
        return await asyncio.shield(task)

    async def ask(self, approver: Approver, request: Request, seconds: float) -> Approval:
        return await within(partial(approver.approve, request), seconds)

    async def wait(self, inbox: Inbox, id: str) -> ApprovalRequest:
        is_over = threading.Event()
        try:
            return await in_thread(partial(inbox.wait, id, is_over.is_set))
        finally:
            is_over.set()  # whoever was cancelled needs no answer any more

    async def race(
        self, approver: Approver, request: Request, seconds: float, inbox: Inbox, id: str
    ) -> Approval | ApprovalRequest:
        approval = asyncio.ensure_future(self.ask(approver, request, seconds))
        answer = asyncio.ensure_future(self.wait(inbox, id))
        try:
            return await _first_answer(approval, answer)
        finally:
            approval.cancel()
            answer.cancel()

    async def do(self, task: Callable[[], None]) -> None:
        await in_thread(task)

    async def run(self, run: Run, given: JsonObject) -> Any:
        result = run(given)
        return await result if inspect.isawaitable(result) else result


def _wait_on(loop: asyncio.AbstractEventLoop, until: float, coroutine: Coroutine[Any, Any, Any]) -> Any:
    """Run a coroutine on a loop that belongs to another thread, and wait for it here."""
    try:
        future: Future[Any] = asyncio.run_coroutine_threadsafe(coroutine, loop)
    except RuntimeError:
        coroutine.close()
        raise
    try:
        return future.result(max(0.0, until - monotonic()))
    except TimeoutError:
        if future.done():
            raise  # the hook's own error
        future.cancel()
        raise InterlockError("it did not answer in time") from None


async def _first_answer(
    approval: asyncio.Future[Approval], request: asyncio.Future[ApprovalRequest]
) -> Approval | ApprovalRequest:
    """The first of two answers. One that fails, or ends without an answer, leaves it to the other."""
    both: set[asyncio.Future[Any]] = {approval, request}
    await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
    if not (_is_given(request) or (approval.done() and approval.exception() is None)):
        await asyncio.wait(both)
    return request.result() if _is_given(request) else approval.result()


def _is_given(request: asyncio.Future[ApprovalRequest]) -> bool:
    return request.done() and request.exception() is None and request.result().status in ("yes", "no")


class InlineMeans:
    """Waits in the calling thread. Coroutines that need an event loop get one in a second thread."""

    def __init__(self, judge: Judge, seconds: float, *, hooks: bool) -> None:
        self._judge = judge
        self._seconds = seconds
        self._hooks = hooks
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None

    async def judge(self, event_name: str, raw: bytes, asks: Asks = BY_HOST) -> Reply:
        if not self._hooks:
            return _answer(self._judge, event_name, raw, asks)
        # A second more than the limit inside, which should be the one that expires.
        return self._beside(self._judging(event_name, raw, asks), self._seconds + 1.0)

    async def judge_to_the_end(self, event_name: str, raw: bytes) -> Reply:
        return await self.judge(event_name, raw)

    async def ask(self, approver: Approver, request: Request, seconds: float) -> Approval:
        on_loop = OnLoop(self._judge, self._seconds)
        return self._beside(on_loop.ask(approver, request, seconds), seconds + 1.0)

    async def wait(self, inbox: Inbox, id: str) -> ApprovalRequest:
        return inbox.wait(id)

    async def race(
        self, approver: Approver, request: Request, seconds: float, inbox: Inbox, id: str
    ) -> Approval | ApprovalRequest:
        on_loop = OnLoop(self._judge, self._seconds)
        return self._beside(on_loop.race(approver, request, seconds, inbox, id), seconds + 1.0)

    async def do(self, task: Callable[[], None]) -> None:
        task()

    async def run(self, run: Run, given: JsonObject) -> Any:
        return run(given)

    def close(self) -> None:
        """End the loop in the second thread, if there is one."""
        with self._lock:
            loop, self._loop = self._loop, None
        if loop is not None:
            loop.call_soon_threadsafe(loop.stop)

    async def _judging(self, event_name: str, raw: bytes, asks: Asks) -> Reply:
        return await OnLoop(self._judge, self._seconds).judge(event_name, raw, asks)

    def _beside(self, coroutine: Coroutine[Any, Any, T], seconds: float) -> T:
        """Run a coroutine on the second thread's loop. It has its own time limit; the one here only catches bugs."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._running()).result(seconds)

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                loop = self._loop = asyncio.new_event_loop()
                threading.Thread(target=_serve, args=(loop,), daemon=True).start()
            return self._loop


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    try:
        loop.run_forever()
    finally:
        loop.close()
