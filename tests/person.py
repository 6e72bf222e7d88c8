"""A person who answers a request that waits in a store, as another process would."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from interlock.approvals.answers import approve, reject
from interlock.store.asking import ApprovalRequest
from interlock.store.base import Store
from interlock.store.sqlite import SqliteStore


class Person:
    """Somebody who does something about the first request that comes to a store, in a thread of their own."""

    def __init__(self, place: Path, does: Callable[[SqliteStore, ApprovalRequest], object]) -> None:
        self._place = place
        self._does = does
        self.asked: list[ApprovalRequest] = []
        self._thread = threading.Thread(target=self._answer)

    def __enter__(self) -> Person:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.join(60)

    def _answer(self) -> None:
        limit = time.monotonic() + 40
        while not self._place.exists() and time.monotonic() < limit:
            time.sleep(0.005)
        with closing(SqliteStore(self._place)) as store:
            while not (found := store.requests(["waiting"])) and time.monotonic() < limit:
                time.sleep(0.005)
            self.asked += found
            self._does(store, found[0])


def yes(store: Store, request: ApprovalRequest, **parts: Any) -> None:
    approve(store, request, by="ann", at=time.time(), **parts)


def no(store: Store, request: ApprovalRequest, note: str | None = None) -> None:
    reject(store, request, by="ann", at=time.time(), note=note)


def statuses(place: Path) -> list[str]:
    """What became of each request."""
    with closing(SqliteStore(place)) as store:
        return [one.status for one in store.requests()]
