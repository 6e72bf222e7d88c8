"""A store that an earlier Interlock wrote is brought to today's format when it is opened."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from interlock.store import schema
from interlock.store.base import CallKey, Note, Pending, Receipt, StoreError
from interlock.store.chain import Line, genesis, link
from interlock.store.schema import SCHEMA_VERSION
from interlock.store.sqlite import SqliteStore
from tests.store.builders import SESSION, entry, receipt_of, request, setting, value

# What made earlier formats different.
FORMAT_4 = """
ALTER TABLE request DROP COLUMN waiter;
PRAGMA user_version = 4;
"""
FORMAT_3 = """
DROP TABLE request;
DROP TABLE granted;
PRAGMA user_version = 3;
"""
FORMAT_2 = """
ALTER TABLE record DROP COLUMN tables;
ALTER TABLE segment DROP COLUMN tables;
ALTER TABLE log DROP COLUMN tally;
ALTER TABLE log DROP COLUMN witnessed;
PRAGMA user_version = 2;
"""
FORMAT_1 = """
DROP TABLE receipt;
DROP TABLE session;
ALTER TABLE scope DROP COLUMN at;
CREATE TABLE receipt (
  session TEXT NOT NULL, call TEXT NOT NULL, tool TEXT NOT NULL, input_digest TEXT NOT NULL, decision TEXT,
  at REAL NOT NULL, agent TEXT NOT NULL, pending TEXT NOT NULL, PRIMARY KEY (session, call)) WITHOUT ROWID;
INSERT INTO receipt VALUES ('s-1', 'c-1', 'Bash', 'd', 'allow', 5.0, '', '[["session","s-1","lost",null]]');
INSERT INTO receipt VALUES ('s-1', 'c-2', 'Bash', 'd', 'deny', 6.0, 'reviewer', '[]');
PRAGMA user_version = 1;
"""


@pytest.fixture
def old(tmp_path):
    path = tmp_path / "store.db"
    with closing(SqliteStore(path)) as store:
        store.commit(setting("n", 1, at=7.0))
        store.commit(entry(at=9.0))
    made_as_before(path, FORMAT_3, FORMAT_2, FORMAT_1)
    return path


def made_as_before(path: Path, *formats: str) -> None:
    """Make a store what an earlier Interlock would have left; no record of theirs said anything of the tables."""
    with closing(sqlite3.connect(path)) as connection, connection:
        (identity,) = connection.execute("SELECT id FROM log").fetchone()
        head = genesis(identity)
        for row in connection.execute("SELECT * FROM record ORDER BY sequence").fetchall():
            line = Line(*row)
            head = link(head, line.sequence, line.at, line.rules, line.body, line.raw)
            connection.execute("UPDATE record SET hash = ? WHERE sequence = ?", (head, line.sequence))
        for statements in formats:
            connection.executescript(statements)
    text = f"interlock-anchor 1 {identity.hex()}\nhead {line.sequence} {head.hex()} 2026-01-01T00:00:00Z\n"
    path.with_name("store.db.anchor").write_text(text, encoding="ascii")


def test_a_store_whose_records_said_nothing_of_its_tables_is_held_to_them_from_now_on(tmp_path):
    path = tmp_path / "store.db"
    with closing(SqliteStore(path)) as store:
        store.commit(setting("n", 1, opens=Receipt("s-1", "c-1", "Bash", "d", None, 1.0), notes=Note("s-1")))
    made_as_before(path, FORMAT_3, FORMAT_2)
    with closing(SqliteStore(path)) as store:
        assert store.verify().problems == []
        assert (value(store, "n"), receipt_of(store, "s-1", "c-1").status) == (1, "open")
        store.commit(entry(closes=CallKey("s-1", "c-1")))
        assert store.verify().problems == []
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE state SET value = '2'")
    with closing(SqliteStore(path)) as store:
        assert store.verify().problems == [
            "a state value was changed, added or removed by something other than Interlock"
        ]


def test_a_store_without_requests_gets_them_and_its_last_record_still_vouches_for_the_rest(tmp_path):
    path = tmp_path / "store.db"
    with closing(SqliteStore(path)) as store:
        store.commit(setting("n", 1))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(FORMAT_3)
        (identity,) = connection.execute("SELECT id FROM log").fetchone()
        # Its records said nothing of tables that did not exist.
        line = Line(*connection.execute("SELECT * FROM record").fetchone())
        tables = (line.tables or b"")[:-32]
        head = link(genesis(identity), line.sequence, line.at, line.rules, line.body, line.raw, tables)
        connection.execute("UPDATE record SET hash = ?, tables = ?", (head, tables))
    text = f"interlock-anchor 1 {identity.hex()}\nhead 1 {head.hex()} 2026-01-01T00:00:00Z\n"
    path.with_name("store.db.anchor").write_text(text, encoding="ascii")
    with closing(SqliteStore(path)) as store:
        assert store.verify().problems == []
        store.commit(entry(asks=request("q-1")))
        assert (store.requests(), store.verify().problems) == ([request("q-1")], [])
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE request SET status = 'yes'")
    with closing(SqliteStore(path)) as store:
        assert store.verify().problems == [
            "a request to a person was changed, added or removed by something other than Interlock"
        ]


def test_records_state_and_receipts_come_along(old):
    with closing(SqliteStore(old)) as store:
        lost = (Pending(SESSION, "lost"),)
        assert store.receipt("s-1", "c-1") == Receipt("s-1", "c-1", "Bash", "d", "allow", 5.0, "", lost)
        denied = Receipt("s-1", "c-2", "Bash", "d", "deny", 6.0, "reviewer", status="denied")
        assert store.receipt("s-1", "c-2") == denied
        assert (value(store, "n"), len(list(store.records())), store.verify().problems) == (1, 2, [])
        assert store.session("s-1") is None
    with closing(sqlite3.connect(old)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)
        assert connection.execute("SELECT at FROM scope").fetchall() == [(9.0,)]


def test_it_goes_on_as_before(old):
    with closing(SqliteStore(old)) as store:
        store.commit(entry(expires=("s-1", "")))
        assert receipt_of(store, "s-1", "c-1").status == "expired"
        assert store.commit(entry(opens=Receipt("s-1", "c-3", "Bash", "d", None, 1.0))) == 4
    with closing(SqliteStore(old)) as store:
        assert receipt_of(store, "s-1", "c-3").status == "open"
        assert store.verify().ok


def test_state_from_before_is_not_taken_for_old(old):
    with closing(SqliteStore(old)) as store:
        store.prune(0)
        assert value(store, "n") == 1


def test_a_migration_that_fails_leaves_the_store_as_it_was(old, monkeypatch):
    broken = {**schema._MIGRATIONS, 1: (*schema._MIGRATIONS[1], "INSERT INTO nowhere VALUES (1)")}
    with monkeypatch.context() as patched:
        patched.setattr(schema, "_MIGRATIONS", broken)
        with pytest.raises(StoreError, match="SQLite refused"):
            SqliteStore(old)
    with closing(sqlite3.connect(old)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)
        assert connection.execute("SELECT count(*) FROM receipt").fetchone() == (2,)
    with closing(SqliteStore(old)) as store:
        assert store.receipt("s-1", "c-1") is not None


def test_requests_from_before_they_named_who_waits_are_still_attested(tmp_path):
    path = tmp_path / "store.db"
    with closing(SqliteStore(path)) as store:
        store.commit(entry(asks=request("q-1")))
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(FORMAT_4)
    with closing(SqliteStore(path)) as store:
        assert (store.requests(), store.verify().problems) == ([request("q-1")], [])
        store.commit(entry(asks=replace(request("q-2"), waiter="1")))
        assert (len(store.requests()), store.verify().problems) == (2, [])
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE request SET waiter = '2' WHERE id = 'q-1'")
    with closing(SqliteStore(path)) as store:
        assert store.verify().problems == [
            "a request to a person was changed, added or removed by something other than Interlock"
        ]


def test_every_earlier_format_has_its_migration():
    assert list(schema._MIGRATIONS) == list(range(1, SCHEMA_VERSION))


def test_scopes_of_a_new_store_know_when_they_were_written(tmp_path):
    with closing(SqliteStore(tmp_path / "store.db")) as store:
        store.commit(setting("n", 1, at=7.0))
        store.inherit("s-1", "s-2")
        with store._reading() as connection:
            found = dict(connection.execute("SELECT id, at FROM scope").fetchall())
    assert found == {"s-1": 7.0, "s-2": 7.0}
