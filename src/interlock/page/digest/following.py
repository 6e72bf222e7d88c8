"""Keep the digest up to date in a thread of its own, and let others know that there is something new."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing

from interlock.errors import InterlockError
from interlock.page.digest.intake import Digest
from interlock.store.base import StoreWatch

__all__ = ["DigestFollower"]

_LOOKS = 0.5  # seconds between two looks at the record
_LOOKS_FOR_PRUNING = 120  # looks between two checks whether old records are gone
_AFTER_ERROR = 5.0


class DigestFollower:
    """A thread that takes in what is new, for as long as the page runs."""

    def __init__(self, digest: Digest) -> None:
        self._digest = digest
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._follow, name="interlock-digest", daemon=True)

    def start(self) -> DigestFollower:
        self._thread.start()
        return self

    def stop(self) -> None:
        self._over.set()
        if self._thread.is_alive():
            self._thread.join()

    def _follow(self) -> None:
        while not self._over.is_set():
            try:
                with closing(self._digest.store.watch()) as watch:
                    self._watch(watch)
            except (InterlockError, sqlite3.Error, OSError):
                # The record cannot be read, or the disk is full. Views say how far the digest is.
                self._over.wait(_AFTER_ERROR)

    def _watch(self, watch: StoreWatch) -> None:
        is_behind = True
        looks = 0
        while not self._over.is_set():
            if is_behind or watch.has_changed():
                is_behind = self._digest.catch_up(steps=1)
            else:
                self._over.wait(_LOOKS)
                looks += 1
                if looks % _LOOKS_FOR_PRUNING == 0:
                    self._digest.forget_pruned()
