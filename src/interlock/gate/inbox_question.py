"""The question about one call in the inbox: it is answered there, or dropped because the call was decided elsewhere."""

from __future__ import annotations

from functools import partial
from time import monotonic
from types import TracebackType

from msgspec.structs import replace

from interlock.approvals.approval import Approval, Approver, Request
from interlock.approvals.following import MOST_ASKED
from interlock.gate.judges import Judge
from interlock.gate.means import Means
from interlock.hosts import Reply
from interlock.judging.asking import Asks
from interlock.store.asking import ApprovalRequest

__all__ = ["InboxQuestion"]

_LEAST = 1.0  # seconds for a question that comes after another one


class InboxQuestion:
    """A request that waits as long as the block that it is used in lasts. `id` is None if nobody is asked there."""

    def __init__(self, judge: Judge, means: Means, asks: Asks, raw: bytes, id: str | None) -> None:
        self.id = id
        self._judge = judge
        self._means = means
        self._asks = asks
        self._raw = raw
        self._until = monotonic() + asks.seconds

    async def __aenter__(self) -> InboxQuestion:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        id, self.id = self.id, None
        if id is None:
            return
        if kind is GeneratorExit:
            self._judge.leave(id)  # the caller is gone, and a generator that is being closed may not await anything
        elif kind is None or issubclass(kind, Exception):
            await self._means.do(partial(self._judge.drop, id))  # the call was decided elsewhere
        else:
            await self._means.do(partial(self._judge.leave, id))

    async def answer(self) -> ApprovalRequest:
        """The request as a person left it, or as it is when its time is up."""
        assert self.id is not None  # noqa: S101 - only then is it asked for
        return await self._means.wait(self._judge.inbox, self.id)

    async def first_answer(self, approver: Approver, question: Request, seconds: float) -> Approval | ApprovalRequest:
        """The first answer of an approver and, if a person is asked there, of the inbox."""
        if self.id is None:
            return await self._means.ask(approver, question, seconds)
        return await self._means.race(approver, question, seconds, self._judge.inbox, self.id)

    async def settle(self, answer: ApprovalRequest) -> tuple[Reply, ApprovalRequest]:
        """The verdict on the call with a person's answer, and that answer. What must be asked then is asked, too."""
        reply = await self._judge_again(answer)
        for _ in range(MOST_ASKED):
            if self.id is None:
                break
            answer = await self.answer()
            reply = await self._judge_again(answer)
        return reply, answer

    async def _judge_again(self, answer: ApprovalRequest) -> Reply:
        seconds = max(_LEAST, self._until - monotonic())
        asks = replace(self._asks, seconds=seconds, answer=answer, counted=True)
        reply = await self._means.judge("PreToolUse", self._raw, asks)
        self.id = reply.request
        return reply
