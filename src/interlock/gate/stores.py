"""The store of a gate: the person's own, one at a path, or one that was lent and is left open."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from msgspec.structs import replace

from interlock.projects import open_store
from interlock.store.base import Entry, Store
from interlock.store.memory import MemoryStore
from interlock.store.sqlite import SqliteStore

__all__ = ["Unwritten", "opener", "waits_for_disk"]


def opener(store: Store | Path | None, mark: str) -> Callable[[], Store]:
    """Opens the store, once. `mark` sets the answers kept there apart from those of others."""
    opened: list[Store] = []

    def open_() -> Store:
        if not opened:
            if store is None:
                found: Store = open_store()
            else:
                found = SqliteStore(store) if isinstance(store, Path) else store
            lent = store is not None and not isinstance(store, Path)
            opened.append(cast("Store", _Shared(found, mark, lent)))
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


class _Shared(_Other):
    """A store that others use too: not closed if it was lent, and with keys of our own for what we answered."""

    def __init__(self, store: Store, mark: str, lent: bool) -> None:
        super().__init__(store)
        self._mark = f"{mark} " if mark else ""
        self._lent = lent

    def commit(self, entry: Entry) -> int:
        if entry.once is not None and self._mark:
            entry = replace(entry, once=self._mark + entry.once)
        return self._store.commit(entry)

    def answer_to(self, once: str) -> bytes | None:
        return self._store.answer_to(self._mark + once)

    def close(self) -> None:
        if not self._lent:
            self._store.close()


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
