"""The person's store: where it is, and how to start a new one if it was lost."""

from __future__ import annotations

import shutil
import time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from interlock.config.places import data_folder, state_folder
from interlock.errors import InterlockError
from interlock.files.private import private_folder
from interlock.store.base import Entry, RecordLost, StoreError
from interlock.store.sqlite import SqliteStore

__all__ = ["mend_record", "open_store", "read_store", "store_file", "witness_file"]


def store_file() -> Path:
    return state_folder() / "store" / "interlock.db"


def witness_file() -> Path:
    """The file that still attests the record when its whole folder is gone."""
    return data_folder() / "record.anchor"


def open_store() -> SqliteStore:
    """The person's store. Raises InterlockError if it cannot be opened, was lost or was reset to an earlier state."""
    store = read_store()
    try:
        store.check_witness()
    except StoreError:
        store.close()
        raise
    return store


def read_store() -> SqliteStore:
    """The person's store, for reading what is left of it: a store that was reset or replaced is not written to."""
    return SqliteStore(store_file(), witness=witness_file())


def mend_record(by: str) -> Path | None:
    """Begin a new record if the last one was lost or is broken, and return where its remains were moved.

    Returns None if the record is intact and only its witness was missing, which is then rewritten. Raises
    InterlockError if nothing is wrong, or if the problem is not a loss: a full disk must not cost a record.
    """
    try:
        with closing(open_store()) as store:
            if store.verify().ok:
                raise InterlockError("the record is not lost", help="`interlock log --verify` finds nothing wrong")
            if not witness_file().exists():
                store.commit(Entry(record={"event": "WriteWitness", "by": by}, raw=b"", at=time.time()))
                store.bear_witness()
                if store.verify().ok:
                    return None
    except RecordLost:
        pass  # the person knows, and begins a new record
    return _begin_record(by)


def _begin_record(by: str) -> Path:
    folder = store_file().parent
    away = folder / f"before-{datetime.now(UTC):%Y%m%dT%H%M%S%f}"
    left = [file for file in (*sorted(folder.glob("interlock.db*")), witness_file()) if file.exists()]
    try:
        private_folder(away)
        for file in left:
            shutil.move(file, away / file.name)
    except OSError as error:
        raise InterlockError(f"cannot put `{error.filename}` into `{away}`: {error.strerror}") from error
    with closing(open_store()) as store:
        about = {"event": "BeginRecord", "by": by, "before": str(away)}
        store.commit(Entry(record=about, raw=b"", at=time.time()))
    return away
