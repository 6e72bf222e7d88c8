"""Wait for people's answers, whichever process they give them in."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import closing

from interlock.errors import InterlockError
from interlock.store.asking import ApprovalRequest
from interlock.store.base import Store

__all__ = ["Inbox"]

_LOOKS = 0.04  # seconds between two looks: an answer must reach the call within 100 ms


class Inbox:
    """The requests in one store. All calls that wait share one thread that looks for answers."""

    def __init__(self, store: Callable[[], Store]) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._news = threading.Condition(self._lock)
        self._waiting = 0
        self._looking = False
        self._turns = 0  # how often something was committed while somebody waited

    def wait(self, id: str, is_over: Callable[[], bool] = lambda: False) -> ApprovalRequest:
        """The request once it is answered, or as it is when its time is up or nobody needs the answer any more."""
        with self._lock:
            self._waiting += 1
            self._begin()
        try:
            return self._wait(id, is_over)
        finally:
            with self._lock:
                self._waiting -= 1

    def _wait(self, id: str, is_over: Callable[[], bool]) -> ApprovalRequest:
        while True:
            with self._lock:
                turn = self._turns
                self._begin()  # the thread may have ended with an error of the store, which may pass
            request = self._store().request(id)
            if request is None:
                raise InterlockError(f"the request {id} is gone from the store")
            left = request.until - time.time()
            if request.status != "waiting" or left <= 0 or is_over():
                return request
            with self._news:
                if self._turns == turn:
                    self._news.wait(min(left, 1.0))

    def _begin(self) -> None:
        if not self._looking:
            threading.Thread(target=self._look, name="interlock-inbox", daemon=True).start()
            self._looking = True

    def _look(self) -> None:
        try:
            with closing(self._store().watch()) as watch:
                while self._goes_on(watch.has_changed()):
                    time.sleep(_LOOKS)
        except InterlockError:
            # Who waits reads the store themselves, fails with this error if it stays, and begins another look.
            with self._lock:
                self._looking = False

    def _goes_on(self, has_changed: bool) -> bool:
        with self._news:
            if self._waiting == 0:
                self._looking = False
                return False
            if has_changed:
                self._turns += 1
                self._news.notify_all()
        return True
