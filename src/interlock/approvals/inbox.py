"""Wait for people's answers, whichever process they give them in."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from contextlib import closing
from typing import Protocol

from msgspec.structs import replace

from interlock.errors import InterlockError
from interlock.files.processes import has_ended
from interlock.store.asking import GIVING_UP, ApprovalRequest
from interlock.store.base import Entry, Store

__all__ = ["Inbox", "Teller", "settle_abandoned"]

_LOOKS = 0.04  # seconds between two looks: an answer must reach the call within 100 ms
_NEEDED = 0.4  # seconds between two checks of whether a call still needs its answer
_LONGEST = 5.0  # seconds without a look of one's own, in case that the shared one has failed


def _never() -> bool:
    return False


class Teller(Protocol):
    """Whoever tells people of requests. Neither function waits for anything, nor fails."""

    def announce(self, id: str) -> None: ...

    def conclude(self, id: str) -> None: ...


class _Waiter:
    """One call that waits."""

    def __init__(self, id: str, is_over: Callable[[], bool]) -> None:
        self.id = id
        self.is_over = is_over
        self.news = threading.Event()


class Inbox:
    """The requests in one store. All calls that wait share one thread that looks for answers."""

    def __init__(self, store: Callable[[], Store], teller: Teller | None = None) -> None:
        """`teller` tells people of each request that begins to wait here, and how it ended."""
        self._store = store
        self._teller = teller
        self._lock = threading.Lock()
        self._waiters: set[_Waiter] = set()
        self._looking = False
        self._newcomers = False  # somebody may have been answered before the thread knew of them

    def wait(self, id: str, is_over: Callable[[], bool] = _never) -> ApprovalRequest:
        """The request once it is answered, or as it is when its time is up or nobody needs the answer any more."""
        waiter = _Waiter(id, is_over)
        is_told = False
        try:
            while True:
                request = self._read(id)
                left = request.until - time.time()
                if request.status != "waiting" or left <= 0 or is_over():
                    return request
                if self._teller is not None and not is_told:
                    self._teller.announce(id)
                    is_told = True
                with self._lock:
                    waiter.news.clear()
                    self._waiters.add(waiter)
                    self._newcomers = True
                    self._begin()
                waiter.news.wait(min(left, _LONGEST))
        finally:
            with self._lock:
                self._waiters.discard(waiter)
            if self._teller is not None and is_told:
                self._teller.conclude(id)

    def _read(self, id: str) -> ApprovalRequest:
        request = self._store().request(id)
        if request is None:
            raise InterlockError(f"the request {id} is gone from the store")
        if request.answered is not None and request.answered > request.until + GIVING_UP:
            return replace(request, status="waiting")  # the store kept the answer for the next try
        return request

    def _begin(self) -> None:
        if not self._looking:
            threading.Thread(target=self._look, name="interlock-inbox", daemon=True).start()
            self._looking = True

    def _look(self) -> None:
        try:
            with closing(self._store().watch()) as watch:
                checked = time.monotonic()
                while self._goes_on():
                    if watch.has_changed() or self._newcomers:
                        self._wake_answered()
                    if time.monotonic() - checked > _NEEDED:
                        checked = time.monotonic()
                        self._wake_unneeded()
                    time.sleep(_LOOKS)
        except InterlockError:
            # Who waits reads the store themselves, fails with this error if it stays, and begins another look.
            with self._lock:
                self._looking = False
                for waiter in self._waiters:
                    waiter.news.set()

    def _goes_on(self) -> bool:
        with self._lock:
            self._looking = bool(self._waiters)
            return self._looking

    def _wake_answered(self) -> None:
        """Wake those whose request has an answer. The others sleep on: with hundreds of them, waking costs the most."""
        with self._lock:
            waiters, self._newcomers = list(self._waiters), False
        still = self._store().still_waiting({waiter.id for waiter in waiters})
        for waiter in waiters:
            if waiter.id not in still:
                waiter.news.set()

    def _wake_unneeded(self) -> None:
        with self._lock:
            waiters = list(self._waiters)
        for waiter in waiters:
            if waiter.is_over():
                waiter.news.set()


def settle_abandoned(store: Store, now: float, requests: Iterable[ApprovalRequest] | None = None) -> None:
    """Open the requests whose calls gave up without saying so, because their process was killed."""
    for request in store.requests(["waiting"]) if requests is None else requests:
        if request.status == "waiting" and (request.is_late_at(now) or has_ended(request.waiter)):
            record = {"event": "Abandoned", "session": request.session, "tool": request.tool, "request": request.id}
            store.commit(Entry(record=record, raw=b"", at=now, leaves=request.id))
