"""The calls that the inbox shows: which wait, which one is selected, and which were answered a moment ago."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import lru_cache

from msgspec import json

from interlock.facts.shapes import line_of_call
from interlock.store.asking import UNANSWERED, ApprovalRequest, RequestStatus
from interlock.store.base import Store

__all__ = ["PendingCalls", "call_line"]

_WAITING: tuple[RequestStatus, ...] = ("waiting",)
_OPEN: tuple[RequestStatus, ...] = ("open",)
_MOST_WAITING, _MOST_OPEN = 500, 200
_STAYS = 5.0  # seconds that an answered request stays in the list, so that a person sees what became of it
_STILL = 0.4  # seconds without a yes after the selection moved by itself: nobody approves what they have not seen


class PendingCalls:
    """What is in the list. The selection stays on its call, whatever comes and goes around it."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._clock = clock
        self._group: dict[str, int] = {}  # 0: waited when last seen, 1: was open
        self._answered: dict[str, float] = {}
        self._moved = clock()
        self.requests: list[ApprovalRequest] = []
        self.selected: ApprovalRequest | None = None
        self.marked: set[str] = set()
        self.is_full = False

    @property
    def is_armed(self) -> bool:
        """Whether a yes counts: the selected call has been on the screen for a moment."""
        return self._clock() - self._moved >= _STILL

    def disarm(self) -> None:
        """Let no yes count for a moment: something has appeared that a person has not read yet."""
        self._moved = self._clock()

    @property
    def index(self) -> int:
        """Where in the list the selected call is."""
        selected = self.selected
        return next((at for at, one in enumerate(self.requests) if selected and one.id == selected.id), 0)

    def refresh(self) -> None:
        """Read what waits. A call that does not wait any more stays for a moment, with who answered it."""
        waiting = self._store.requests(_WAITING, newest=_MOST_WAITING)
        found = waiting + self._store.requests(_OPEN, newest=_MOST_OPEN)
        self.is_full = len(waiting) == _MOST_WAITING
        for one in found:
            self._group[one.id] = 1 if one.status == "open" else 0
        there = {one.id for one in found}
        selected = None if self.selected is None else self.selected.id
        for one in self.requests:
            if one.id in there:
                continue
            now = self._store.request(one.id)
            if now is not None and now.status not in UNANSWERED:
                self._answered.setdefault(one.id, self._clock())
                found.append(now)
            elif now is not None and (one.id == selected or one.id in self.marked):
                found.append(now)  # newer ones fill the list, but a person is looking at this one
        self._set(found)

    def forget_answered(self) -> bool:
        """Drop what was answered a while ago, except for the selected call; return whether there was any."""
        selected = None if self.selected is None else self.selected.id
        old = {id for id, at in self._answered.items() if self._clock() - at >= _STAYS and id != selected}
        if old:
            self._answered = {id: at for id, at in self._answered.items() if id not in old}
            self._set([one for one in self.requests if one.id not in old])
        return bool(old)

    def move(self, step: int) -> None:
        """Select another call; a person does this."""
        if self.requests:
            self.selected = self.requests[max(0, min(len(self.requests) - 1, self.index + step))]

    def advance(self) -> None:
        """Select the next call that waits, after a person has answered one."""
        rest = self.requests[self.index + 1 :] + self.requests[: self.index]
        following = next((one for one in rest if one.status in UNANSWERED), None)
        if following is not None:
            self.selected = following
            self._moved = self._clock()

    def mark(self, every: bool = False) -> str | None:
        """Mark the selected call, or take its mark away; with `every`, mark all of its shape. Returns why it cannot."""
        selected = self.selected
        if selected is None or selected.status not in UNANSWERED:
            return "There is no call to select."
        others = [one for one in self.requests if one.id in self.marked]
        if others and others[0].shape != selected.shape:
            return f"Only calls of one shape can be answered together; the others are `{others[0].shape}`."
        if every:
            alike = (one for one in self.requests if one.shape == selected.shape and one.status in UNANSWERED)
            self.marked = {selected.id} | ({one.id for one in alike} if selected.shape else set())
        elif others and not selected.shape and selected.id not in self.marked:
            return "This call can only be answered by itself."
        else:
            self.marked ^= {selected.id}
        return None

    def to_answer(self) -> list[ApprovalRequest]:
        """The marked calls that still wait."""
        return [one for one in self.requests if one.id in self.marked and one.status in UNANSWERED]

    def _set(self, found: list[ApprovalRequest]) -> None:
        at = self.index
        self.requests = sorted(found, key=lambda one: (self._group.get(one.id, 0), one.at, one.id))
        ids = {one.id: one for one in self.requests}
        self._group = {id: group for id, group in self._group.items() if id in ids}
        self.marked &= {one.id for one in self.requests if one.status in UNANSWERED}
        if self.selected is not None and self.selected.id in ids:
            self.selected = ids[self.selected.id]
            return
        self.selected = self.requests[min(at, len(self.requests) - 1)] if self.requests else None
        self._moved = self._clock()


@lru_cache(maxsize=1024)
def call_line(tool: str, body: bytes) -> str:
    """The call of a request in one line."""
    return line_of_call(tool, json.decode(body)["input"])
