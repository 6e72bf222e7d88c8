"""Connections for readers: few, kept open, each used by one thread at a time."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import SimpleQueue
from typing import TypeAlias, TypeVar

from interlock.store.base import StoreError
from interlock.store.errors import store_error
from interlock.store.schema import connect, file_identity

__all__ = ["Pool"]

_MOST = 8

T = TypeVar("T")
Identity: TypeAlias = tuple[int, int] | None


class Pool:
    """Hands out connections inside a read transaction, so that everything is read as of one moment."""

    def __init__(self, path: Path, busy: float) -> None:
        self._path = path
        self._busy = busy
        self._free: list[_Connection] = []
        self._identity = file_identity(path)
        self._lock = threading.Lock()
        self._open = 0
        self._waiting = 0
        self._returned: SimpleQueue[_Connection | None] = SimpleQueue()  # for waiting readers; None: open another
        self._closed = False

    def read(self, query: Callable[[sqlite3.Connection], T]) -> T:
        """The outcome of a one-statement query, which needs no transaction. Raises StoreError."""
        connection = self._take()
        sound = False
        try:
            found = query(connection)
            sound = True
        except sqlite3.Error as error:
            raise store_error(self._path, error) from error
        finally:
            self._give_back(connection, sound)
        return found

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection for the duration of the block. Raises StoreError; a connection that failed is not reused."""
        connection = self._take()
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

    def _take(self) -> _Connection:
        try:
            identity = file_identity(self._path)
            return self._found(identity) or self._open_connection(identity)
        except (sqlite3.Error, OSError) as error:
            raise store_error(self._path, error) from error

    def _found(self, identity: Identity) -> _Connection | None:
        """A free connection, or None if another may be opened. Waits if neither is possible."""
        with self._lock:
            self._refuse_if_closed()
            if identity != self._identity:
                self._drop()  # they would go on reading a file that was removed or replaced
                self._identity = identity
            if self._free:
                return self._free.pop()
            if self._open < _MOST:
                self._open += 1
                return None
            self._waiting += 1
        return self._returned.get()

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise StoreError(f"the store {self._path} is closed")

    def _open_connection(self, identity: Identity) -> _Connection:
        try:
            self._refuse_if_closed()  # while this caller waited
            connection = connect(self._path, self._busy, _Connection)
        except BaseException:
            self._give_back(None, sound=False)
            raise
        connection.identity = identity
        return connection

    def _give_back(self, connection: _Connection | None, sound: bool) -> None:
        with self._lock:
            kept = sound and connection is not None and not self._closed and connection.identity == self._identity
            if self._waiting:
                self._waiting -= 1
                self._returned.put(connection if kept else None)
            elif kept and connection is not None:
                self._free.append(connection)
            else:
                self._open -= 1
        if not kept and connection is not None:
            with suppress(sqlite3.Error):
                connection.close()

    def _drop(self) -> None:
        for connection in self._free:
            with suppress(sqlite3.Error):
                connection.close()
        self._open -= len(self._free)
        self._free.clear()


class _Connection(sqlite3.Connection):
    """A connection that knows which file it was opened for."""

    identity: Identity = None
