"""From the question to the final answer: a call that a person is asked about waits, and is then judged again."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeAlias

from msgspec.structs import replace

from interlock.approvals.inbox import Inbox
from interlock.judging.asking import Asks
from interlock.service import Reply

__all__ = ["MOST_ASKED", "Respond", "after_answer"]

Respond: TypeAlias = Callable[[Asks], Reply]
"""Judges the event again, with what a person has answered."""

MOST_ASKED = 3  # times about one call: after a yes, something else may have to be asked by then
_LEAST = 1.0  # seconds for a question that comes after another one


def after_answer(
    inbox: Inbox, reply: Reply, asks: Asks, respond: Respond, is_over: Callable[[], bool] = lambda: False
) -> Reply:
    """The answer to the host, once a person has answered or nobody waits any more. May block for minutes."""
    until = time.monotonic() + asks.seconds
    for _ in range(MOST_ASKED):
        if reply.request is None:
            return reply
        answer = inbox.wait(reply.request, is_over)
        reply = respond(replace(asks, seconds=max(_LEAST, until - time.monotonic()), answer=answer))
    if reply.request is not None:
        # It could be asked about for ever. What was asked last stays open, and the call is denied.
        reply = respond(replace(asks, seconds=0.0, answer=inbox.wait(reply.request, lambda: True)))
    return reply
