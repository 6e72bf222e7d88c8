"""The tables of the SQLite store, and how its file is created and opened."""

from __future__ import annotations

import fcntl
import os
import secrets
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

from msgspec import Struct

from interlock.files.private import private_folder
from interlock.store.anchor import read_anchors, start_anchor, sync_folder, write_witness
from interlock.store.asking_rows import ASKING_TABLES, WAITER_COLUMN
from interlock.store.base import RecordLost, StoreError
from interlock.store.chain import Log
from interlock.store.tally import Tally, count

__all__ = [
    "SCHEMA_VERSION",
    "LogRow",
    "StoreFiles",
    "connect",
    "file_identity",
    "open_log",
    "read_log",
    "refuse_unattested",
]

C = TypeVar("C", bound=sqlite3.Connection)

SCHEMA_VERSION = 5
_LOST = "restore the record with its anchor from a backup; or, to begin a new one, run `interlock lift --lost-record`"
_APPLICATION = 0x1A7E710C  # in the file's header, so that another program's database is not mistaken for a store

_TABLES = """
CREATE TABLE log (
  id BLOB NOT NULL, segment_size INTEGER NOT NULL, anchored INTEGER, tally BLOB, witnessed INTEGER);
CREATE TABLE record (
  sequence INTEGER PRIMARY KEY, at REAL NOT NULL, session TEXT, event TEXT, tool TEXT, decision TEXT,
  rules TEXT NOT NULL, body BLOB NOT NULL, raw BLOB NOT NULL, hash BLOB NOT NULL, tables BLOB);
CREATE INDEX record_session ON record (session, sequence);
CREATE INDEX record_decision ON record (decision, sequence);
CREATE INDEX record_at ON record (at);
CREATE TABLE record_rule (rule TEXT NOT NULL, sequence INTEGER NOT NULL, PRIMARY KEY (rule, sequence)) WITHOUT ROWID;
CREATE TABLE segment (
  last INTEGER PRIMARY KEY, first INTEGER NOT NULL, head BLOB NOT NULL, since REAL NOT NULL, until REAL NOT NULL,
  decisions TEXT NOT NULL, pruned INTEGER NOT NULL DEFAULT 0, tables BLOB);
CREATE TABLE scope (
  key INTEGER PRIMARY KEY, kind TEXT NOT NULL, id TEXT NOT NULL, version INTEGER NOT NULL,
  at REAL NOT NULL DEFAULT 0, UNIQUE (kind, id));
CREATE TABLE state (
  scope INTEGER NOT NULL, name TEXT NOT NULL, value TEXT, unknown TEXT, PRIMARY KEY (scope, name)) WITHOUT ROWID;
CREATE TABLE firing (
  scope INTEGER NOT NULL, rule TEXT NOT NULL, at REAL NOT NULL, sequence INTEGER NOT NULL, part INTEGER NOT NULL,
  PRIMARY KEY (scope, rule, at, sequence, part)) WITHOUT ROWID;
CREATE TABLE answer (sequence INTEGER PRIMARY KEY, once TEXT NOT NULL UNIQUE, answer BLOB NOT NULL);
"""

_RECEIPTS = """
CREATE TABLE receipt (
  sequence INTEGER NOT NULL, session TEXT NOT NULL, call TEXT NOT NULL, tool TEXT NOT NULL,
  input_digest TEXT NOT NULL, decision TEXT, at REAL NOT NULL, agent TEXT NOT NULL, pending TEXT NOT NULL,
  status TEXT NOT NULL, input BLOB, cwd TEXT NOT NULL, said TEXT, withheld TEXT, guard TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (session, call, guard)) WITHOUT ROWID;
CREATE INDEX receipt_open ON receipt (session, agent) WHERE status = 'open';
"""

_SESSIONS = """
CREATE TABLE session (
  id TEXT PRIMARY KEY, touched REAL NOT NULL, since REAL, breach TEXT, forked INTEGER NOT NULL) WITHOUT ROWID;
"""

_OF_FORMAT_2 = (
    "sequence, session, call, tool, input_digest, decision, at, agent, pending, status, input, cwd, said, withheld"
)

# Format → the statements that turn it into the next one. In the first, receipts had no status: all that were kept were
# open or denied. In the second, all guards shared their receipts, and no record stated the tables' tally. The third
# kept no requests and no grants.
_MIGRATIONS = {
    1: (
        "ALTER TABLE receipt RENAME TO former",
        _RECEIPTS + _SESSIONS,
        "INSERT INTO receipt (sequence, session, call, tool, input_digest, decision, at, agent, pending, status, cwd)"
        " SELECT 0, session, call, tool, input_digest, decision, at, agent, pending,"
        " CASE decision WHEN 'deny' THEN 'denied' ELSE 'open' END, '' FROM former",
        "DROP TABLE former",
        "ALTER TABLE scope ADD COLUMN at REAL NOT NULL DEFAULT 0",
        "UPDATE scope SET at = (SELECT ifnull(max(at), 0) FROM record)",
    ),
    2: (
        "DROP INDEX receipt_open",
        "ALTER TABLE receipt RENAME TO former",
        _RECEIPTS,
        f"INSERT INTO receipt ({_OF_FORMAT_2}) SELECT {_OF_FORMAT_2} FROM former",  # noqa: S608 - names of columns
        "DROP TABLE former",
        "ALTER TABLE record ADD COLUMN tables BLOB",
        "ALTER TABLE segment ADD COLUMN tables BLOB",
        "ALTER TABLE log ADD COLUMN tally BLOB",
        "ALTER TABLE log ADD COLUMN witnessed INTEGER",
    ),
    3: (ASKING_TABLES.replace(f", {WAITER_COLUMN}", ""),),
    4: (f"ALTER TABLE request ADD COLUMN {WAITER_COLUMN} DEFAULT ''",),
}


class StoreFiles(Struct, frozen=True):
    """The files of a store: the database, its anchor and, if there is one, a witness elsewhere that attests both."""

    path: Path
    anchor: Path
    witness: Path | None = None


class LogRow(Struct, frozen=True):
    """What the log says about itself."""

    log: Log
    anchored: int | None  # the last record that is known to have been anchored
    tally: object  # of the other tables, before any record stated one
    witnessed: bool  # a witness was written


def connect(path: Path, busy: float, kind: type[C]) -> C:
    """A connection to an existing store, with the settings that every connection has."""
    uri = f"file:{quote(str(path.absolute()))}?mode=rw"
    # Any thread may use a connection, but only one at a time: the pool and the writer ensure that.
    connection = kind(uri, uri=True, timeout=busy, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA trusted_schema = OFF")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def open_log(files: StoreFiles, busy: float, segment_size: int) -> tuple[sqlite3.Connection, Log, Tally]:
    """Open the store for writing; create it if it does not exist. Raises StoreError, sqlite3.Error or OSError."""
    path = files.path
    private_folder(path.parent)
    _refuse_open_folder(path.parent)
    # Creating a database and switching it to WAL is not safe if another process does the same.
    with _lock(path.parent):
        _refuse_lost_log(files)
        _make_private(path)
        connection = connect(path, busy, sqlite3.Connection)
        try:
            return connection, _begin(connection, files, segment_size), Tally(connection)
        except (sqlite3.Error, OSError, StoreError):
            connection.close()
            raise


def file_identity(path: Path) -> tuple[int, int] | None:
    """Distinguishes one file from another of the same name; None if there is no file."""
    try:
        found = os.stat(path)  # noqa: PTH116 - part of every commit, and Path.stat costs twice as much
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def _begin(connection: sqlite3.Connection, files: StoreFiles, segment_size: int) -> Log:
    version = _version(connection, files.path)
    (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise StoreError(
            f"the store {files.path} is where SQLite cannot keep a write-ahead log", help="use a local disk"
        )
    if version == 0:
        _create(connection, segment_size)
    elif version < SCHEMA_VERSION:
        _migrate(connection, version)
    row = read_log(connection)
    if row.anchored is None:
        # A crash may have come between creating the database and its anchor; only then is the anchor created here.
        start_anchor(files.anchor, row.log.id)
        connection.execute("UPDATE log SET anchored = 0 WHERE anchored IS NULL")
    if files.witness is not None:
        _call_witness(connection, files.witness, row)
    return row.log


def read_log(connection: sqlite3.Connection) -> LogRow:
    """The log's only row."""
    rows = connection.execute("SELECT id, segment_size, anchored, tally, witnessed FROM log").fetchall()
    types = [tuple(map(type, row[:3])) for row in rows]
    if types not in ([(bytes, int, int)], [(bytes, int, type(None))]) or rows[0][1] < 1:
        raise StoreError("what identifies the log was changed", help="restore the store from a backup")
    id_, segment_size, anchored, tally, witnessed = rows[0]
    return LogRow(Log(id_, segment_size), anchored, tally, witnessed is not None)


def _version(connection: sqlite3.Connection, path: Path) -> int:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if application != _APPLICATION and (version or tables):
        raise StoreError(f"{path} is another program's database", help="name another file for the store")
    if version > SCHEMA_VERSION:
        raise StoreError(
            f"the store {path} was written by a newer Interlock (format {version}; this one knows {SCHEMA_VERSION})",
            help="update Interlock, or name another file for the store",
        )
    return int(version)


def _create(connection: sqlite3.Connection, segment_size: int) -> None:
    connection.execute("BEGIN IMMEDIATE")
    _run(connection, _TABLES + _RECEIPTS + _SESSIONS + ASKING_TABLES)
    first = (secrets.token_bytes(16), segment_size, count(connection))
    connection.execute("INSERT INTO log VALUES (?, ?, NULL, ?, NULL)", first)
    connection.execute(f"PRAGMA application_id = {_APPLICATION}")
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    connection.execute("COMMIT")


def _migrate(connection: sqlite3.Connection, version: int) -> None:
    """Migrate a store of an earlier format in one transaction: a crash leaves it as it was."""
    connection.execute("BEGIN IMMEDIATE")
    for step in range(version, SCHEMA_VERSION):
        for statements in _MIGRATIONS[step]:
            _run(connection, statements)
    # The next record commits to whatever the tables contain now.
    connection.execute("UPDATE log SET tally = ?", (count(connection),))
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    connection.execute("COMMIT")


def _run(connection: sqlite3.Connection, statements: str) -> None:
    for statement in statements.split(";\n"):
        if statement.strip():
            connection.execute(statement)


# --- files -------------------------------------------------------------------------------------------------


def _refuse_open_folder(folder: Path) -> None:
    mode = folder.stat().st_mode
    if mode & stat.S_IWOTH and not mode & stat.S_ISVTX:
        raise StoreError(f"any user can write in {folder}, so the store in it is not safe", help=f"chmod o-w {folder}")


def _refuse_lost_log(files: StoreFiles) -> None:
    # Before anything is opened: SQLite removes a write-ahead log that it finds next to an empty file, and a person
    # who then restores the database would lose the commits in that log.
    if files.path.exists() and files.path.stat().st_size:
        return
    if files.witness is not None and files.witness.exists():
        last = read_anchors(files.witness).last
        raise RecordLost(
            f"the record is lost: {files.path} is gone or empty, and {files.witness} says that it held {last} records",
            help=_LOST,
        )
    if files.anchor.exists():
        raise StoreError(
            f"the store {files.path} is gone or empty, but its anchor {files.anchor} is there",
            help="restore the store from a backup, or move the anchor away to begin a new log",
        )


def _call_witness(connection: sqlite3.Connection, witness: Path, row: LogRow) -> None:
    """Write the log's first witness; a witness that goes missing later is not replaced."""
    if not row.witnessed:
        if not witness.exists():
            write_witness(witness, row.log.id, None)
        connection.execute("UPDATE log SET witnessed = 1")


def refuse_unattested(connection: sqlite3.Connection, files: StoreFiles, log: Log) -> None:
    """Refuse to write to a log that is not the one its witness attests, or is shorter. It can still be read."""
    witness = files.witness
    if witness is None or not witness.exists():
        return  # `verify` reports a missing witness
    said = read_anchors(witness)
    if said.log is not None and said.log != log.id.hex():
        raise RecordLost(f"the record {files.path} was replaced: it is not the one that {witness} attests", help=_LOST)
    found = connection.execute("SELECT hash FROM record WHERE sequence = ?", (said.last,)).fetchone()
    pruned = "SELECT head FROM segment WHERE last >= ?1 AND first <= ?1"
    why = None
    if found is None and said.last and connection.execute(pruned, (said.last,)).fetchone() is None:
        why = f"was put back to an earlier state: {witness} attests record {said.last}"
    if found is not None and isinstance(found[0], bytes) and found[0].hex() != said.heads[said.last]:
        why = f"was rewritten: its record {said.last} is not the one that {witness} attests"
    if why is not None:
        raise RecordLost(f"the record {files.path} {why}", help=_LOST)


def _make_private(path: Path) -> None:
    """Create the file, or ensure that only its owner can use it. SQLite gives its side files the same mode."""
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        sync_folder(path.parent)
        return
    except FileExistsError:
        mode = _take_from_others(path)
    if mode & stat.S_IWUSR:
        # Side files created while the database was read-only would keep it read-only.
        for side in (path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
            if side.exists() and not side.stat().st_mode & stat.S_IWUSR:
                side.chmod(0o600)


def _take_from_others(path: Path) -> int:
    found = path.stat()
    if found.st_mode & 0o077 and found.st_uid == os.geteuid():
        path.chmod(found.st_mode & 0o700)
    return found.st_mode


@contextmanager
def _lock(folder: Path) -> Iterator[None]:
    file = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
    finally:
        os.close(file)
