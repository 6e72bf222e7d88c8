"""What waits for an answer, read anew only when the store has changed."""

from __future__ import annotations

import hashlib
import math
import threading
import time
from collections.abc import Callable

from msgspec import Struct

from interlock.approvals.inbox import settle_abandoned
from interlock.store.asking import UNANSWERED, ApprovalRequest
from interlock.store.base import Store, StoreWatch

__all__ = ["Board", "WaitingList"]

_LOOKS = 5.0  # seconds


class WaitingList(Struct, frozen=True, kw_only=True):
    """The requests that nobody has answered, as of one moment. `mark` is another one if any of them is."""

    waiting: tuple[ApprovalRequest, ...]  # the one that gives up soonest first
    open: tuple[ApprovalRequest, ...]  # nobody waits for them any more, and a yes still counts; the newest first
    mark: str

    @property
    def newest(self) -> ApprovalRequest | None:
        return max(self.waiting, key=lambda one: (one.at, one.id), default=None)


class Board:
    """One store's unanswered requests, for all tabs and views."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._clock = clock
        self._lock = threading.Lock()
        self._watch: StoreWatch | None = None
        self._found: WaitingList | None = None
        self._until = 0.0  # when the first of those that wait gives up
        self._settled = 0.0  # when it was last looked whether those who wait are still there

    def look(self) -> WaitingList:
        """What waits now."""
        with self._lock:
            if self._watch is None:
                self._watch = self._store.watch()
            now = self._clock()
            if self._found is not None and now - self._settled >= _LOOKS:
                # A process that is killed says nothing, and nobody should answer for a call that is gone.
                settle_abandoned(self._store, now, self._found.waiting)
                self._settled = now
            # Asked first: a commit between the two is noticed the next time.
            if self._watch.has_changed() or self._found is None or now >= self._until:
                self._found = _sort(self._store.requests(UNANSWERED), now)
                self._until = self._found.waiting[0].until if self._found.waiting else math.inf
            return self._found

    def close(self) -> None:
        with self._lock:
            if self._watch is not None:
                self._watch.close()
            self._watch = None
            self._found = None


def _sort(requests: list[ApprovalRequest], now: float) -> WaitingList:
    waiting = [one for one in requests if one.status == "waiting" and one.until > now]
    still = {one.id for one in waiting}
    seen = ",".join(f"{one.id}{one.id in still}" for one in requests)
    return WaitingList(
        waiting=tuple(sorted(waiting, key=lambda one: (one.until, one.id))),
        open=tuple(one for one in reversed(requests) if one.id not in still),
        mark=hashlib.sha256(seen.encode()).hexdigest()[:16],
    )
