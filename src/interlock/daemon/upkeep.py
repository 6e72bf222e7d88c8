"""Remove records that are older than the person wants to keep: once a day, and a while after the daemon started."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from interlock.config.settings import personal_policies, record_settings
from interlock.daemon.log import say
from interlock.policy.inbox_settings import RecordSettings
from interlock.receipts.retention import prune_before
from interlock.store.base import Store

__all__ = ["Upkeep"]

_FIRST = 60.0  # seconds after the start, when the first events have been answered
_EVERY = 86_400.0
_REST = 1.0  # seconds between two steps: a step takes some tens of milliseconds, in which no event is recorded


def _own_settings() -> RecordSettings:
    return record_settings(personal_policies())


class Upkeep:
    """A thread that looks at the record now and then. Without `record: {keep: …}`, it does nothing."""

    def __init__(self, store: Callable[[], Store], settings: Callable[[], RecordSettings] = _own_settings) -> None:
        self._store = store
        self._settings = settings
        self._over = threading.Event()

    @contextmanager
    def running(self) -> Iterator[None]:
        thread = threading.Thread(target=self._run, daemon=True, name="interlock-upkeep")
        thread.start()
        try:
            yield
        finally:
            self._over.set()
            thread.join(1.0)

    def look(self) -> int:
        """Remove what is too old, and return how many records that were."""
        keep = self._settings().keep
        if keep is None:
            return 0
        removed = prune_before(self._store(), time.time() - keep, by="record.keep", rest=self._rest)
        if removed:
            say(f"removed {removed} records that were older than the policy's `record.keep`")
        return removed

    def _rest(self) -> None:
        if self._over.wait(_REST):
            raise _Ending

    def _run(self) -> None:
        wait = _FIRST
        while not self._over.wait(wait):
            wait = _EVERY
            try:
                self.look()
            except _Ending:
                return
            except Exception as error:  # noqa: BLE001 - the edge of the thread: old records stay, and it is said
                say(f"old records could not be removed: {type(error).__name__}: {error}")


class _Ending(Exception):  # noqa: N818 - not a fault: the daemon stops
    """The daemon stops; the rest is removed another time."""
