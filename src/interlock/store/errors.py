"""Say why the store failed, and what a person can do about it."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from interlock.store.base import StoreError

__all__ = ["in_words", "store_error"]


_FULL = ("the disk is full", "free some space, or move the store with its anchor to a larger disk")
_LOCKED = ("it is locked by another process", "end the process that holds it; nothing else is wrong")
_READ_ONLY = ("it is read-only here", "make the file and its folder writable for this user")
_CORRUPT = (
    "it is damaged or not a store",
    "move it and its anchor away to start a new one, or restore both from a backup",
)

_SQLITE = {
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_BUSY: _LOCKED,
    sqlite3.SQLITE_LOCKED: _LOCKED,
    sqlite3.SQLITE_PROTOCOL: _LOCKED,
    sqlite3.SQLITE_READONLY: _READ_ONLY,
    sqlite3.SQLITE_PERM: _READ_ONLY,
    sqlite3.SQLITE_CORRUPT: _CORRUPT,
    sqlite3.SQLITE_NOTADB: _CORRUPT,
}
_SYSTEM = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EFBIG: _FULL,
    errno.EACCES: _READ_ONLY,
    errno.EPERM: _READ_ONLY,
    errno.EROFS: _READ_ONLY,
    errno.ENOENT: ("it is missing", "put it back; without it nothing shows that the log was not rebuilt"),
}


def store_error(path: Path, error: sqlite3.Error | OSError) -> StoreError:
    """A description of one file's failure."""
    cause, help_ = _cause(path, error)
    return StoreError(f"the store {path} failed: {cause} ({error})", help=help_)


@contextmanager
def in_words(path: Path) -> Iterator[None]:
    """Turn any failure of one file into a StoreError."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise store_error(path, error) from error


def _cause(path: Path, error: sqlite3.Error | OSError) -> tuple[str, str | None]:
    if isinstance(error, OSError):
        return _SYSTEM.get(error.errno or 0, ("the file system refused", None))
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in _SQLITE:
        return _SQLITE[code]
    if code == sqlite3.SQLITE_CANTOPEN and not path.exists():
        return "it is gone", "put it back; `interlock doctor` says more"
    if code == sqlite3.SQLITE_CANTOPEN and not os.access(path.parent, os.W_OK):
        return _READ_ONLY
    if code == sqlite3.SQLITE_CANTOPEN:
        return "it cannot be opened", "see that its folder exists and is readable for this user"
    if code == sqlite3.SQLITE_IOERR:
        return "the disk failed or is full", "see that there is space left, and what the system's log says of the disk"
    return "SQLite refused", None
