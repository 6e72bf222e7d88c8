"""The store of a gate: the person's own, one at a given path, or the caller's, which is left open."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from interlock.store.base import Entry, Store
from interlock.store.memory import MemoryStore
from interlock.store.place import open_store
from interlock.store.sqlite import SqliteStore

__all__ = ["Unwritten", "is_shared", "opener", "waits_for_disk"]


def opener(store: Store | Path | None) -> Callable[[], Store]:
    """A function that opens the store on its first call only."""
    opened: list[Store] = []

    def open_() -> Store:
        if not opened:
            if store is None:
                found: Store = open_store()
            else:
                found = SqliteStore(store) if isinstance(store, Path) else store
            lent = store is not None and not isinstance(store, Path)
            opened.append(cast("Store", _Lent(found)) if lent else found)
        return opened[0]

    return open_


def waits_for_disk(store: Store | Path | None, record: bool) -> bool:
    return record and not isinstance(store, MemoryStore)


def is_shared(store: Store | Path | None) -> bool:
    """Whether other processes can open the store, and a person can answer in one of them."""
    return store is None or isinstance(store, Path | SqliteStore)


class _Other:
    """A store that forwards to another one and changes part of its behaviour."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


class _Lent(_Other):
    """A store that its owner closes, not the gate."""

    def close(self) -> None:
        return None


class Unwritten(_Other):
    """A store that is only read: it supplies the state for judging an event that did not happen."""

    @classmethod
    def of(cls, store: Store) -> Store:
        return cast("Store", cls(store))

    def commit(self, entry: Entry) -> int:
        return 0

    def inherit(self, parent: str | None, child: str) -> None:
        return None

    def close(self) -> None:
        return None
