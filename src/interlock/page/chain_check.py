"""Verify the chain of the record in the background: a large record takes a minute, and no view waits for that."""

from __future__ import annotations

import threading
from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from interlock.errors import InterlockError
from interlock.store.base import Store, Verification
from interlock.store.sqlite import SqliteStore

__all__ = ["ChainCheck", "ChainState"]


class ChainState(Struct, frozen=True):
    """What is known about the chain."""

    is_running: bool = False
    done: int = 0  # the record that was checked last, while it runs
    verified: float | None = None  # when the last check ended
    count: int = 0  # records that it checked
    problems: tuple[str, ...] = ()


class ChainCheck:
    """Checks the chain when it is asked to, one check at a time."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self._store = store
        self._clock = clock
        self._lock = threading.Lock()
        self._state = ChainState()

    @property
    def state(self) -> ChainState:
        with self._lock:
            return self._state

    def start(self) -> None:
        """Begin a check, unless one runs."""
        with self._lock:
            if self._state.is_running:
                return
            self._state = replace(self._state, is_running=True, done=0)
        threading.Thread(target=self._check, name="interlock-chain", daemon=True).start()

    def _check(self) -> None:
        try:
            found = self._verify()
            problems = tuple(found.problems)
            if not found.ok and not problems:
                problems = ("the record is not intact",)
            count = found.count
        except InterlockError as error:
            problems, count = (error.in_one_line(),), 0
        with self._lock:
            self._state = ChainState(verified=self._clock(), count=count, problems=problems)

    def _verify(self) -> Verification:
        if isinstance(self._store, SqliteStore):
            return self._store.verify(self._see)
        return self._store.verify()

    def _see(self, sequence: int) -> None:
        with self._lock:
            self._state = replace(self._state, done=sequence)
