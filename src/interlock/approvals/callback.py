"""Ask a function."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from typing import Any

from interlock.approvals.approval import Approval, Request
from interlock.approvals.threads import in_thread

__all__ = ["Callback"]


class Callback:
    """An approver that calls a function, plain or async, which returns True, False or an Approval.

    A plain function runs in its own thread, so that it may wait without holding up the event loop.
    """

    def __init__(self, function: Callable[[Request], Any]) -> None:
        self._function = function

    async def approve(self, request: Request) -> Approval:
        if inspect.iscoroutinefunction(self._function):
            answer = await self._function(request)
        else:
            answer = await in_thread(lambda: self._function(request))
            if isinstance(answer, Awaitable):  # an object whose `__call__` is async looks like a plain function
                answer = await answer
        return Approval(answer) if isinstance(answer, bool) else answer
