"""The digest's file: its tables, and its connections. It is made again whenever it is not what it should be."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from interlock.errors import InterlockError
from interlock.files.private import private_folder
from interlock.page.digest.rows import COLUMNS
from interlock.page.digest.tallies import DAY, RULE_DAY, SESSION
from interlock.store.schema import file_identity

__all__ = ["DigestFile", "is_damage"]

VERSION = 3  # of the tables and of what is counted: raise it with either
_BUSY = 10.0
_NUMBERS = {"id", "last", "at", "answered_after", "took"}


def _column(name: str) -> str:
    if name == "id":
        return "id INTEGER PRIMARY KEY"
    return f"{name} {'' if name in _NUMBERS or name.startswith('is_') else 'TEXT'}"


def _counters(names: tuple[str, ...]) -> str:
    return ", ".join(f"{name} NOT NULL DEFAULT 0" for name in names)


_TABLES = f"""
CREATE TABLE digest (kind TEXT NOT NULL, last INTEGER NOT NULL, hash TEXT NOT NULL, first INTEGER NOT NULL);
CREATE TABLE entry ({", ".join(map(_column, COLUMNS))});
CREATE INDEX entry_at ON entry (at);
CREATE INDEX entry_listed ON entry (id) WHERE is_listed;
CREATE INDEX entry_session ON entry (session, id, mark);
CREATE INDEX entry_project ON entry (project, id) WHERE is_listed;
CREATE INDEX entry_decision ON entry (decision, id) WHERE is_listed;
CREATE INDEX entry_tool ON entry (tool, id) WHERE is_listed;
CREATE INDEX entry_stopped ON entry (id) WHERE is_stopped;
CREATE INDEX entry_asked ON entry (id) WHERE is_asked;
CREATE INDEX entry_changed ON entry (id) WHERE is_changed;
CREATE INDEX entry_note ON entry (id) WHERE is_listed AND NOT is_call;
CREATE INDEX entry_open ON entry (id) WHERE outcome = 'open';
CREATE INDEX entry_request ON entry (request) WHERE request != '';
CREATE INDEX entry_answered ON entry (at, project, day, answered_after) WHERE answered_after IS NOT NULL;
CREATE TABLE entry_rule (rule TEXT NOT NULL, id INTEGER NOT NULL, said TEXT NOT NULL, PRIMARY KEY (rule, id))
  WITHOUT ROWID;
CREATE INDEX entry_rule_id ON entry_rule (id);
CREATE TABLE day (day TEXT NOT NULL, project TEXT NOT NULL, {_counters(DAY)}, PRIMARY KEY (day, project))
  WITHOUT ROWID;
CREATE TABLE rule_day (
  rule TEXT NOT NULL, day TEXT NOT NULL, project TEXT NOT NULL, {_counters(RULE_DAY)},
  PRIMARY KEY (rule, day, project)) WITHOUT ROWID;
CREATE INDEX rule_day_day ON rule_day (day);
CREATE TABLE session (
  id TEXT PRIMARY KEY, project TEXT NOT NULL DEFAULT '', host TEXT NOT NULL DEFAULT '', title TEXT NOT NULL DEFAULT '',
  began REAL NOT NULL, last REAL NOT NULL, ended REAL, busy REAL NOT NULL DEFAULT 0, {_counters(SESSION)})
  WITHOUT ROWID;
CREATE INDEX session_last ON session (last);
CREATE INDEX session_project ON session (project, last);
"""


class DigestFile:
    """The file, with connections for readers and one for the writer."""

    def __init__(self, path: Path) -> None:
        """Open the file; make it if it is not there, or is not a digest that this version can use."""
        self.path = path
        self._lock = threading.Lock()
        self._free: list[sqlite3.Connection] = []
        self._generation = 0
        self._has_failed = False  # a reader found it damaged
        self._identity: tuple[int, int] | None = None
        self.writing = self._open()

    def is_sound(self) -> bool:
        """Whether the file is still the one that was opened, and nobody found it damaged."""
        return not self._has_failed and file_identity(self.path) == self._identity

    def _open(self) -> sqlite3.Connection:
        try:
            private_folder(self.path.parent)
            try:
                return self._prepare()
            except sqlite3.DatabaseError as error:
                if not is_damage(error):
                    raise
                self._remove()
                return self._prepare()
        except (sqlite3.Error, OSError) as error:
            raise InterlockError(
                f"the page cannot keep its counts in {self.path}: {error}", help="see whether the disk is full"
            ) from error

    def _prepare(self) -> sqlite3.Connection:
        # For its owner alone: it contains what agents called. SQLite gives its side files the same mode.
        os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        connection = self._connect()
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("BEGIN IMMEDIATE")  # another process may make it at the same time
            kind = _kind_in(connection)
            if kind == "":
                for statement in _TABLES.split(";\n"):
                    connection.execute(statement)
                connection.execute("INSERT INTO digest VALUES (?, 0, '', 0)", (_kind(),))
            connection.execute("COMMIT")
            connection.execute("SELECT count(*) FROM (SELECT 1 FROM entry ORDER BY id DESC LIMIT 10)").fetchone()
        except sqlite3.Error:
            connection.close()
            raise
        if kind not in ("", _kind()):
            connection.close()
            self._remove()
            return self._prepare()
        self._identity = file_identity(self.path)
        self._has_failed = False
        return connection

    def _connect(self) -> sqlite3.Connection:
        uri = f"file:{quote(str(self.path.absolute()))}?mode=rw"
        # Any thread may use a connection, but only one at a time.
        made = sqlite3.connect(uri, uri=True, timeout=_BUSY, isolation_level=None, check_same_thread=False)
        made.execute("PRAGMA synchronous = NORMAL")  # what a power failure takes away is counted again
        made.execute("PRAGMA temp_store = MEMORY")
        made.execute("PRAGMA cache_size = -16000")
        return made

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection for the duration of the block: everything is read as of one moment."""
        with self._lock:
            generation = self._generation
            connection = self._free.pop() if self._free else None
        connection = connection or self._connect()
        sound = False
        try:
            connection.execute("BEGIN")
            yield connection
            connection.execute("COMMIT")
            sound = True
        except sqlite3.DatabaseError as error:
            self._has_failed = self._has_failed or is_damage(error)
            raise
        finally:
            with self._lock:
                kept = sound and generation == self._generation
                if kept:
                    self._free.append(connection)
            if not kept:
                with suppress(sqlite3.Error):
                    connection.close()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """The writer's connection. What the block writes is kept if the block ends well."""
        self.writing.execute("BEGIN IMMEDIATE")
        try:
            yield self.writing
        except BaseException:
            with suppress(sqlite3.Error):
                self.writing.execute("ROLLBACK")
            raise
        self.writing.execute("COMMIT")

    def start_again(self) -> None:
        """Throw everything away."""
        self.close()
        self._remove()
        self.writing = self._open()

    def _remove(self) -> None:
        for end in ("", "-wal", "-shm"):
            self.path.with_name(self.path.name + end).unlink(missing_ok=True)

    def close(self) -> None:
        with self._lock:
            self._generation += 1
            free, self._free = self._free, []
        for connection in (self.writing, *free):
            with suppress(sqlite3.Error):
                connection.close()


def is_damage(error: sqlite3.DatabaseError) -> bool:
    """Whether the file is not what it should be. A disk that is full, or a lock, is no reason to throw it away."""
    return not isinstance(error, sqlite3.OperationalError) or str(error).startswith("no such ")


def _kind_in(connection: sqlite3.Connection) -> str:
    """What a file says that it is; empty if there is nothing in it."""
    if connection.execute("SELECT count(*) FROM sqlite_schema").fetchone() == (0,):
        return ""
    found = connection.execute("SELECT kind FROM digest").fetchone()
    return "another file" if found is None else str(found[0])


def _kind() -> str:
    # In another time zone, days begin at other times.
    return f"interlock digest {VERSION}, {time.tzname}, {time.timezone}"
