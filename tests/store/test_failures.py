"""A store that cannot write says so, names the file and the cause, keeps nothing by halves, and tries anew."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

import pytest

from interlock.store.base import Scope, StoreError, Wants
from interlock.store.errors import store_error
from interlock.store.sqlite import SqliteStore
from tests.store.builders import child, entry, said


def test_a_full_disk_is_loud_and_the_next_commit_after_it_works(tmp_path):
    path = tmp_path / "store.db"
    first, again, step, problems = said(child("fills_the_disk", path))
    for words in (first, again):
        assert words.startswith(f"the store {path} failed: the disk")
        assert "full" in words
    assert (step, problems) == ("1", "[]")  # no number was given away to what failed


def test_a_full_database_is_told_as_a_full_disk(tmp_path):
    with closing(sqlite3.connect(tmp_path / "x.db")) as connection:
        connection.execute("CREATE TABLE t (x)")
        connection.execute("PRAGMA max_page_count = 3")
        with pytest.raises(sqlite3.Error) as caught:
            connection.execute("INSERT INTO t VALUES (zeroblob(100000))")
    error = store_error(Path("x.db"), caught.value)
    assert error.message == "the store x.db failed: the disk is full (database or disk is full)"
    assert error.help is not None


def test_a_locked_database_is_loud_and_works_once_it_is_free(tmp_path):
    path = tmp_path / "store.db"
    with closing(SqliteStore(path, busy=0)) as store, closing(sqlite3.connect(path, isolation_level=None)) as other:
        store.commit(entry(1))
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreError, match=f"the store {path} failed: it is locked by another process"):
            store.commit(entry(2, once="k"))
        assert [record.sequence for record in store.records()] == [1]  # reading goes on
        other.execute("ROLLBACK")
        assert store.answer_to("k") is None
        assert store.commit(entry(2)) == 2
        assert store.verify().problems == []


def test_where_nothing_may_be_written_it_says_so_and_works_once_it_may():
    folder = Path(tempfile.mkdtemp())  # not in tmp_path, whose parents are closed to others
    if os.geteuid() == 0:
        os.chown(folder, 65534, 65534)
    try:
        no_folder, first, no_file, second, no_anchor, third, owed, fourth, problems, _ = said(
            child("as_nobody", folder)
        )
    finally:
        shutil.rmtree(folder)
    store = folder / "store.db"
    assert no_folder.startswith(f"the store {store} failed: it is read-only here")
    assert no_file.startswith(f"the store {store} failed: it is read-only here")
    assert no_anchor.startswith(f"the store {store}.anchor failed: it is read-only here")
    assert owed.startswith(f"the store {store}.anchor failed: it is read-only here")
    assert ([first, second, third, fourth], problems) == (["1", "2", "3", "4"], "[]")


@pytest.mark.parametrize(
    "damage", [b"this is not a database at all, but text" * 30, b"SQLite format 3\0" + b"\xff" * 4000]
)
def test_a_file_that_is_no_store_is_refused_until_it_is_moved_away(tmp_path, damage):
    path = tmp_path / "store.db"
    path.write_bytes(damage)
    with pytest.raises(StoreError, match=f"the store {path} failed: it is damaged or not a store") as caught:
        SqliteStore(path)
    assert "move it" in (caught.value.help or "")
    assert path.read_bytes() == damage
    path.rename(tmp_path / "old.db")
    with closing(SqliteStore(path)) as store:
        assert store.commit(entry()) == 1


def test_a_store_damaged_inside_is_loud_and_verification_says_so(tmp_path):
    path = tmp_path / "store.db"
    with closing(SqliteStore(path)) as store:
        for number in range(200):
            store.commit(entry(number, raw=b"x" * 500))
    with path.open("r+b") as file:
        file.seek(4096 * 20)
        file.write(b"\xff" * 4096 * 20)
    with closing(SqliteStore(path)) as store:
        found = store.verify()
        assert not found.ok
        assert f"the store {path} failed: it is damaged" in found.problems[0]
        with pytest.raises(StoreError, match="damaged"):
            list(store.records())


def test_a_store_from_a_newer_interlock_is_refused_by_name(tmp_path):
    path = tmp_path / "store.db"
    SqliteStore(path).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(StoreError, match=r"was written by a newer Interlock \(format 99; this one knows 5\)"):
        SqliteStore(path)


def test_another_program_s_database_is_left_alone(tmp_path):
    path = tmp_path / "history.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE visits (url)")
    before = path.read_bytes()
    with pytest.raises(StoreError, match="is another program's database"):
        SqliteStore(path)
    assert path.read_bytes() == before


def test_a_store_that_vanishes_while_open_is_not_written_into_the_void(tmp_path):
    path = tmp_path / "store.db"
    with closing(SqliteStore(path)) as store:
        store.commit(entry(1))
        assert len(list(store.records())) == 1
        path.rename(tmp_path / "moved.db")
        with pytest.raises(StoreError, match="it is gone"):
            list(store.records())  # not from a file that has this name no more
        with pytest.raises(StoreError, match="was removed or replaced while it was open"):
            store.commit(entry(2))
        with pytest.raises(StoreError, match="is gone or empty, but its anchor"):
            store.commit(entry(2))
        with pytest.raises(StoreError):
            store.read(Wants({Scope("user", "u"): frozenset(["x"])}))
        path.unlink(missing_ok=True)
        (tmp_path / "moved.db").rename(path)
        assert store.commit(entry(2)) == 2
        assert store.verify().problems == []


def test_a_log_that_vanished_is_not_begun_anew_in_silence(tmp_path):
    path = tmp_path / "store.db"
    with closing(SqliteStore(path)) as store:
        store.commit(entry(1))
    path.unlink()
    with pytest.raises(StoreError, match="is gone or empty, but its anchor") as caught:
        SqliteStore(path)
    assert "move the anchor away" in (caught.value.help or "")
    Path(f"{path}.anchor").unlink()
    with closing(SqliteStore(path)) as store:
        assert store.commit(entry(1)) == 1


def test_without_its_anchor_a_log_is_not_written_to(tmp_path):
    path, anchor = tmp_path / "store.db", tmp_path / "store.db.anchor"
    with closing(SqliteStore(path)) as store:
        store.commit(entry(1))
    kept = anchor.read_bytes()
    anchor.unlink()
    with closing(SqliteStore(path)) as store:
        with pytest.raises(StoreError, match=r"the anchor .*store.db.anchor of the store .* is missing"):
            store.commit(entry(2))
        anchor.write_bytes(kept)
        assert store.commit(entry(2)) == 2


def test_an_anchor_that_cannot_be_written_fails_the_next_commit_and_is_made_up_for(tmp_path):
    path, anchor = tmp_path / "store.db", tmp_path / "store.db.anchor"
    with closing(SqliteStore(path, anchor_every=1)) as store:
        store.commit(entry(1))
        store.lift_breach("nobody")  # a job behind the commit: by now that is anchored
        anchor.rename(tmp_path / "away")
        store.commit(entry(2))  # its answer has left when its anchor fails
        with pytest.raises(StoreError, match=r"the store .*store.db.anchor failed"):
            store.commit(entry(3))
        (tmp_path / "away").rename(anchor)
        assert store.commit(entry(3)) == 3
        assert store.verify().problems == []


def test_a_crash_between_making_the_log_and_its_anchor_is_made_up_for(tmp_path):
    path, anchor = tmp_path / "store.db", tmp_path / "store.db.anchor"
    SqliteStore(path).close()
    anchor.unlink()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE log SET anchored = NULL")
    with closing(SqliteStore(path)) as store:
        assert store.commit(entry(1)) == 1
        assert store.verify().problems == []


def test_a_folder_everybody_can_write_in_is_refused(tmp_path):
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    with pytest.raises(StoreError, match="any user can write in"):
        SqliteStore(tmp_path / "open" / "store.db")
