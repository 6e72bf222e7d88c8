"""Notice commits to a store's file, by whichever process."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from interlock.store.errors import store_error
from interlock.store.schema import connect, file_identity

__all__ = ["FileWatch"]


class FileWatch:
    """A connection that only asks SQLite whether the file was written to. For one thread at a time."""

    def __init__(self, path: Path, busy: float) -> None:
        self._path = path
        self._busy = busy
        self._connection: sqlite3.Connection | None = None
        self._seen: tuple[object, int] | None = None

    def has_changed(self) -> bool:
        """Whether anything was committed since the last call. Raises StoreError if the file cannot be read."""
        try:
            identity = file_identity(self._path)
            if self._connection is None or self._seen is None or self._seen[0] != identity:
                self.close()
                self._connection = connect(self._path, self._busy, sqlite3.Connection)
            (version,) = self._connection.execute("PRAGMA data_version").fetchone()
        except (sqlite3.Error, OSError) as error:
            raise store_error(self._path, error) from error
        found = identity, version
        is_new, self._seen = found != self._seen, found
        return is_new

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = None
