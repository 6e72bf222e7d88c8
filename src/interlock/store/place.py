"""The person's store: where it is, and how a lost one is begun anew."""

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
    """What remembers the record when its whole folder is gone."""
    return data_folder() / "record.anchor"


def open_store() -> SqliteStore:
    """The person's store. Raises InterlockError if it cannot be opened, was lost or put back to an earlier state."""
    store = read_store()
    try:
        store.check_witness()
    except StoreError:
        store.close()
        raise
    return store


def read_store() -> SqliteStore:
    """The person's store, to look at what is left of it: nothing is written to one that was put back or replaced."""
    return SqliteStore(store_file(), witness=witness_file())


def mend_record(by: str) -> Path | None:
    """Begin a new record where the last one was lost or is broken; where what is left of that was put.

    None: the record is whole, and only its witness was missing, which was written anew. Raises InterlockError if
    nothing is wrong, or something else than its loss: a full disk is no reason to put a record aside.
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
        pass  # the person knows, and begins anew
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
