"""The store of a gate: the person's own, one at a path, or one that was lent and is left open."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from interlock.store.base import Entry, Store
from interlock.store.memory import MemoryStore
from interlock.store.place import open_store
from interlock.store.sqlite import SqliteStore

__all__ = ["Unwritten", "opener", "waits_for_disk"]


def opener(store: Store | Path | None) -> Callable[[], Store]:
    """Opens the store, once."""
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


class _Other:
    """Another store with something done otherwise."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


class _Lent(_Other):
    """A store that somebody else closes."""

    def close(self) -> None:
        return None


class Unwritten(_Other):
    """A store that is only read: for judging what did not happen by the state there is."""

    @classmethod
    def of(cls, store: Store) -> Store:
        return cast("Store", cls(store))

    def commit(self, entry: Entry) -> int:
        return 0

    def inherit(self, parent: str | None, child: str) -> None:
        return None

    def close(self) -> None:
        return None
