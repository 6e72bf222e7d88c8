"""Connections for readers: few, kept open, each used by one thread at a time."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from interlock.store.base import StoreError
from interlock.store.errors import store_error
from interlock.store.schema import connect, file_identity

__all__ = ["Pool"]

_MOST = 8


class Pool:
    """Hands out connections inside a read transaction, so that all that is read is of one moment."""

    def __init__(self, path: Path, busy: float) -> None:
        self._path = path
        self._busy = busy
        self._free: list[sqlite3.Connection] = []
        self._identity = file_identity(path)
        self._room = threading.BoundedSemaphore(_MOST)
        self._lock = threading.Lock()
        self._closed = False

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection for a moment. Raises StoreError; one that failed is not used again."""
        with self._room:
            try:
                connection = self._taken()
            except (sqlite3.Error, OSError) as error:
                raise store_error(self._path, error) from error
            sound = False
            try:
                connection.execute("BEGIN")
                yield connection
                connection.execute("COMMIT")
                sound = True
            except sqlite3.Error as error:
                raise store_error(self._path, error) from error
            finally:
                self._give_back(connection, sound)

    def close(self) -> None:
        with self._lock:
            self._closed = True
            self._drop()

    def _taken(self) -> sqlite3.Connection:
        with self._lock:
            if self._closed:
                raise StoreError(f"the store {self._path} is closed")
            found = file_identity(self._path)
            if found != self._identity:
                self._drop()  # they would go on reading a file that has no name any more
                self._identity = found
            if self._free:
                return self._free.pop()
        return connect(self._path, self._busy)

    def _give_back(self, connection: sqlite3.Connection, sound: bool) -> None:
        with self._lock:
            if sound and not self._closed:
                self._free.append(connection)
                return
        with suppress(sqlite3.Error):
            connection.close()

    def _drop(self) -> None:
        for connection in self._free:
            with suppress(sqlite3.Error):
                connection.close()
        self._free.clear()
