"""Whatever is done to a log behind the store's back is found, and said in words that name the record."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from interlock.store.anchor import read_anchors
from interlock.store.asking import ApprovalRequest, RequestAnswer
from interlock.store.base import CallKey, Note, Receipt, Scope, StateChange, StoreError
from interlock.store.chain import Line, genesis, link
from interlock.store.sqlite import SqliteStore
from interlock.store.tally import TABLES, count
from tests.store.builders import SESSION, entry, grant, request


@pytest.fixture
def path(tmp_path) -> Path:
    """A log of 25 records in two sealed segments and an open one."""
    path = tmp_path / "store.db"
    _fill(path, 25)
    return path


def _fill(path: Path, count: int) -> None:
    with closing(SqliteStore(path, anchor_every=4, segment_size=10)) as store:
        for number in range(count):
            store.commit(entry(number, fired=((SESSION, "r"),)))


def anchor_of(path: Path) -> Path:
    return path.with_name("store.db.anchor")


def problems(path: Path) -> list[str]:
    with closing(SqliteStore(path)) as store:
        found = store.verify()
    assert found.ok == (not found.problems)
    return found.problems


@contextmanager
def edited(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(path)) as connection, connection:
        yield connection


def rebuild(connection: sqlite3.Connection) -> None:
    """What an attacker would do who knows the format: number all records anew and compute every hash again."""
    (identity,) = connection.execute("SELECT id FROM log").fetchone()
    head = genesis(identity)
    lines = [Line(*row) for row in connection.execute("SELECT * FROM record ORDER BY sequence")]
    connection.execute("DELETE FROM record")
    connection.execute("DELETE FROM record_rule")
    for number, line in enumerate(lines, 1):
        head = link(head, number, line.at, line.rules, line.body, line.raw, line.tables)
        connection.execute(
            "INSERT INTO record VALUES (?,?,?,?,?,?,?,?,?,?,?)", line._replace(sequence=number, hash=head)
        )
        connection.execute("INSERT INTO record_rule VALUES ('r', ?)", (number,))
        connection.execute("UPDATE segment SET head = ? WHERE last = ?", (head, number))


def test_an_untouched_log_verifies(path):
    assert problems(path) == []


# --- what is kept beside the records ------------------------------------------------------------------------


@pytest.fixture
def kept(tmp_path) -> Path:
    """A log with something in every table: state, firings, receipts of all sorts, sessions, one of them stopped,
    requests and a grant.
    """
    path = tmp_path / "store.db"
    with closing(SqliteStore(path, anchor_every=4, segment_size=10)) as store:
        for number in range(12):
            opens = Receipt("s-1", f"c-{number}", "Bash", "d", "deny" if number % 3 else None, 5, input=b"{}", cwd="/")
            store.commit(
                entry(
                    number,
                    changes=(StateChange(SESSION, f"n{number % 4}", {"k": number}),),
                    fired=((SESSION, "r"), (Scope("project", "/p"), "r")),
                    opens=opens,
                    once=f"o-{number}",
                    answer=b"a",
                    notes=Note(f"s-{number % 3}", watch=True),
                    asks=request(f"q-{number}", edit=b"{}"),
                )
            )
        store.commit(entry(13, closes=CallKey("s-1", "c-0")))
        store.commit(entry(14, fails=CallKey("s-1", "c-3"), withheld="`r` withholds it"))
        store.commit(entry(15, notes=Note("s-2", breach="it ran")))
        store.answer_request(
            "q-1", RequestAnswer(yes=True, by="ann", at=5.0), grant("g-1", left=3, until=200.0, agent="x")
        )
        store.inherit("s-1", "s-7")
        store.forget_session("s-0")
        assert store.verify().problems == []
    return path


CHANGED = "was changed, added or removed by something other than Interlock"
EDITS = {
    "a breach is lifted": ("UPDATE session SET breach = NULL", TABLES["session"]),
    "a breach is made up": ("UPDATE session SET breach = 'x' WHERE id = 's-1'", TABLES["session"]),
    "a session is dropped": ("DELETE FROM session WHERE id = 's-1'", TABLES["session"]),
    "a session is not watched any more": ("UPDATE session SET since = NULL", TABLES["session"]),
    "a session is made up": ("INSERT INTO session VALUES ('s-9', 1.0, NULL, NULL, 0)", TABLES["session"]),
    "a denied call was let through": (
        "UPDATE receipt SET status = 'open', decision = NULL WHERE call = 'c-1'", TABLES["receipt"]
    ),
    "a receipt is dropped": ("DELETE FROM receipt WHERE call = 'c-1'", TABLES["receipt"]),
    "a receipt is made up": (
        "INSERT INTO receipt SELECT sequence, session, 'c-99', tool, input_digest, decision, at, agent, pending,"
        " status, input, cwd, said, withheld, guard FROM receipt WHERE call = 'c-1'",
        TABLES["receipt"],
    ),
    "a result may be read again": ("UPDATE receipt SET withheld = NULL WHERE call = 'c-3'", TABLES["receipt"]),
    "a limit is reset": ("DELETE FROM firing WHERE rule = 'r'", TABLES["firing"]),
    "a firing moves": ("UPDATE firing SET at = at - 86400 WHERE part = 1", TABLES["firing"]),
    "a value is set": ("UPDATE state SET value = '{\"k\":99}' WHERE name = 'n1'", TABLES["state"]),
    "a value is made known": ("UPDATE state SET unknown = '[]' WHERE name = 'n1'", TABLES["state"]),
    "a value is dropped": ("DELETE FROM state WHERE name = 'n1'", TABLES["state"]),
    "a version is turned back": ("UPDATE scope SET version = 1 WHERE kind = 'session'", TABLES["scope"]),
    "an answer is changed": ("UPDATE answer SET answer = x'7b7d' WHERE sequence = 3", TABLES["answer"]),
}  # fmt: skip


@pytest.mark.parametrize("what", EDITS)
def test_an_edit_beside_the_records_is_found_and_stays_found(kept, what):
    statement, row = EDITS[what]
    with edited(kept) as connection:
        assert connection.execute(statement).rowcount > 0
    assert problems(kept) == [f"{row} {CHANGED}"]
    _fill(kept, 25)
    assert problems(kept) == [f"{row} {CHANGED}"]


def test_an_edit_that_makes_the_newest_record_agree_with_it_is_found_and_stays_found(kept):
    with edited(kept) as connection:
        connection.execute("UPDATE session SET breach = NULL")
        connection.execute("UPDATE record SET tables = ? WHERE sequence = 18", (count(connection),))
    changed = ["record 18 does not match its hash: it, or its place in the log, was changed"]
    assert problems(kept) == changed
    _fill(kept, 25)
    assert problems(kept) == changed


def test_an_edit_that_rewrites_the_newest_record_too_contradicts_the_anchor(kept):
    with edited(kept) as connection:
        connection.execute("UPDATE session SET breach = NULL")
        connection.execute("UPDATE record SET tables = ? WHERE sequence = 18", (count(connection),))
        rebuild(connection)
    assert "record 18 is not the one that was anchored: the log was rewritten up to there" in problems(kept)


def test_a_record_that_no_longer_says_what_it_left_behind_is_found(kept):
    with edited(kept) as connection:
        connection.execute("UPDATE record SET tables = NULL WHERE sequence = 12")
    assert problems(kept) == [
        "record 12 does not match its hash: it, or its place in the log, was changed",
        "record 12 does not say what it left behind",
    ]


def test_a_tally_that_cannot_be_read_is_found_and_stays_found(kept):
    with edited(kept) as connection:
        connection.execute("UPDATE record SET tables = x'00' WHERE sequence = 18")
    assert "what the log says of its tables cannot be read" in problems(kept)
    _fill(kept, 5)
    assert [f"{row} {CHANGED}" for row in TABLES.values()] == problems(kept)[-len(TABLES) :]


def test_the_newest_record_is_not_pruned_because_it_says_what_the_tables_are(tmp_path):
    path = tmp_path / "store.db"
    with closing(SqliteStore(path, segment_size=10)) as store:
        for number in range(20):
            store.commit(entry(number, opens=Receipt("s-1", f"c-{number}", "Bash", "d", None, 5.0)))
        assert store.prune(21) == 10
        assert store.verify().problems == []
    with edited(path) as connection:
        connection.execute("DELETE FROM receipt WHERE call = 'c-1'")
    assert problems(path) == [f"a receipt {CHANGED}"]


BESIDE = {
    "answer": ["sequence", "once", "answer"],
    "firing": ["scope", "rule", "at", "sequence", "part"],
    "receipt": ["sequence", "session", "call", "tool", "input_digest", "decision", "at", "agent", "pending", "status",
                "input", "cwd", "said", "withheld"],
    "scope": ["key", "kind", "id", "version", "at"],
    "session": ["id", "touched", "since", "breach", "forked"],
    "state": ["scope", "name", "value", "unknown"],
    "request": [*ApprovalRequest.__struct_fields__],
    "granted": ["id", "at", "by", "kind", "owner", "text", "match", "key", "agent", "left", "until", "used", "revoked",
                "request"],
}  # fmt: skip


def test_every_table_is_held_against_the_records(kept):
    """A table that is added later is named here, or in the tally."""
    with closing(sqlite3.connect(kept)) as connection:
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    assert tables == {*CELLS, *BESIDE}
    assert set(TABLES) == set(BESIDE)


beside = st.sampled_from([(table, cell) for table, names in BESIDE.items() for cell in names])


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(beside, st.deferred(lambda: st.sampled_from(JUNK)), st.integers(0, 24))
def test_whatever_is_put_into_any_cell_beside_the_records_is_found(kept, cell, junk, row):
    changed = kept.with_name("changed.db")
    shutil.copy(kept, changed)
    with edited(changed) as connection:
        same = _put(connection, cell, row, junk)
    with closing(SqliteStore(changed, anchor=anchor_of(kept))) as store:
        found = store.verify()
    assert (found.ok, len(found.problems)) == (same, 0 if same else 1)


@pytest.mark.parametrize("column", ["body", "raw"])
def test_an_edited_byte_is_found(path, column):
    with edited(path) as connection:
        (old,) = connection.execute(f"SELECT {column} FROM record WHERE sequence = 7").fetchone()
        connection.execute(f"UPDATE record SET {column} = ? WHERE sequence = 7", (old.replace(b"Bash", b"Read"),))
    assert problems(path)[0] == "record 7 does not match its hash: it, or its place in the log, was changed"


def test_an_edited_time_or_hash_is_found(path):
    with edited(path) as connection:
        connection.execute("UPDATE record SET at = at + 1 WHERE sequence = 7")
        connection.execute("UPDATE record SET hash = zeroblob(32) WHERE sequence = 23")
    assert problems(path) == [
        f"record {number} does not match its hash: it, or its place in the log, was changed" for number in (7, 23, 24)
    ]


def test_a_deleted_record_is_found(path):
    with edited(path) as connection:
        connection.execute("DELETE FROM record WHERE sequence = 7 OR sequence BETWEEN 12 AND 14")
    assert problems(path) == ["record 7 is missing", "records 12 to 14 are missing"]


def test_records_that_changed_places_are_found(path):
    with edited(path) as connection:
        for old, new in ((5, 99), (6, 5), (99, 6)):
            connection.execute("UPDATE record SET sequence = ? WHERE sequence = ?", (new, old))
    found = problems(path)
    assert [words.split(" does not")[0] for words in found] == ["record 5", "record 6", "record 7"]


def test_an_end_cut_off_is_found(path):
    with edited(path) as connection:
        connection.execute("DELETE FROM record WHERE sequence > 22")
    assert problems(path) == ["the log ends at record 22, but record 25 was anchored: its end was cut off"]


def test_an_end_cut_off_with_its_segment_is_found(path):
    with edited(path) as connection:
        connection.execute("DELETE FROM record WHERE sequence > 8")
    assert problems(path) == [
        "records 9 to 10 are missing",
        "records 11 to 20 are missing",
        "the log ends at record 8, but record 25 was anchored: its end was cut off",
    ]


def test_an_emptied_log_is_found(path):
    with edited(path) as connection:
        connection.execute("DELETE FROM record")
        connection.execute("DELETE FROM segment")
    assert problems(path) == ["the log ends at record 0, but record 25 was anchored: its end was cut off"]


def test_a_log_rebuilt_with_valid_hashes_is_found(path):
    with edited(path) as connection:
        connection.execute("UPDATE record SET raw = x'7b7d' WHERE sequence = 14")
        rebuild(connection)
    found = problems(path)
    assert found[0].startswith("record ")
    assert found[0].endswith(" is not the one that was anchored: the log was rewritten up to there")
    assert int(found[0].split()[1]) >= 14


def test_a_log_rebuilt_without_one_record_is_found(path):
    with edited(path) as connection:
        connection.execute("DELETE FROM record WHERE sequence = 2")
        rebuild(connection)
    found = problems(path)
    assert "is not the one that was anchored: the log was rewritten up to there" in found[0]
    assert "the log ends at record 24, but record 25 was anchored: its end was cut off" in found


def test_another_log_in_its_place_is_found(path, tmp_path):
    (tmp_path / "other").mkdir()
    _fill(tmp_path / "other" / "store.db", 25)
    shutil.copy(tmp_path / "other" / "store.db", path)
    assert "the anchor belongs to another log: this one was put in its place" in problems(path)


def test_a_record_filed_under_something_else_is_found(path):
    with edited(path) as connection:
        connection.execute("UPDATE record SET decision = 'deny', session = NULL WHERE sequence = 3")
        connection.execute("DELETE FROM record_rule WHERE sequence = 4")
        connection.execute("INSERT INTO record_rule VALUES ('q', 5)")
    assert problems(path) == [
        "record 3 is filed under another session, decision than it holds",
        "record 4 is filed under another rules than it holds",
        "record 5 is filed under another rules than it holds",
    ]


def test_rules_changed_together_with_their_index_are_found(path):
    with edited(path) as connection:
        connection.execute("UPDATE record SET rules = '[\"q\"]' WHERE sequence = 3")
        connection.execute("UPDATE record_rule SET rule = 'q' WHERE sequence = 3")
    assert problems(path) == ["record 3 does not match its hash: it, or its place in the log, was changed"]


def test_a_value_of_another_type_is_found_and_not_stumbled_over(path):
    with edited(path) as connection:
        connection.execute("UPDATE record SET body = 'text' WHERE sequence = 3")
    assert problems(path) == ["record 3 cannot be read: something of another type was put in it"]


def test_a_record_that_is_no_json_any_more_is_named_to_its_reader(path):
    with edited(path) as connection:
        connection.execute("UPDATE record SET body = x'7b' WHERE sequence = 3")
    assert problems(path) == [
        "record 3 does not match its hash: it, or its place in the log, was changed",
        "record 3 cannot be read",
    ]
    with closing(SqliteStore(path)) as store, pytest.raises(Exception, match="record 3 cannot be read"):
        list(store.records())


def test_a_changed_summary_is_found(path):
    with edited(path) as connection:
        connection.execute("UPDATE segment SET decisions = '{\"allow\":9}' WHERE last = 20")
    assert problems(path) == ["the summary of records 11 to 20 is not what they hold"]


def test_segments_that_lead_in_a_circle_do_not_hold_the_audit(path):
    with edited(path) as connection:
        connection.execute("UPDATE segment SET pruned = 1")
        connection.execute("UPDATE segment SET first = 21 WHERE last = 10")
    assert problems(path) == ["the summary of a segment was changed until it could not be read"]


CELLS = {
    "record": ["sequence", "at", "session", "event", "tool", "decision", "rules", "body", "raw", "hash", "tables"],
    "record_rule": ["rule", "sequence"],
    "segment": ["last", "first", "head", "since", "until", "decisions", "pruned", "tables"],
    "log": ["id", "segment_size"],
}
JUNK: list[object] = [None, 0, 1, -1, 7, 2**62, 0.5, "", "x", "[]", "{}", '["q"]']
JUNK += [b"", b"{}", b"[]", b"[" * 100_000, b"\xff", b"x" * 32]

cells = st.sampled_from([(table, cell) for table, names in CELLS.items() for cell in names])


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cells, st.sampled_from(JUNK), st.integers(0, 24))
def test_whatever_is_put_into_any_cell_is_found_and_never_stumbled_over(path, cell, junk, row):
    changed = path.with_name("changed.db")
    shutil.copy(path, changed)
    with edited(changed) as connection:
        same = _put(connection, cell, row, junk)
    try:
        with closing(SqliteStore(changed, anchor=anchor_of(path))) as store:
            assert store.verify().ok == same
    except StoreError as error:
        assert "what identifies the log was changed" in error.message


def _put(connection: sqlite3.Connection, cell: tuple[str, str], row: int, junk: object) -> bool:
    """Put something into one cell; whether the table is still what it was."""
    table, column = cell
    rows = connection.execute(f"SELECT * FROM {table}").fetchall()
    names = [found[1] for found in connection.execute(f"PRAGMA table_info({table})")]
    places = ", ".join("?" * len(names))
    old = rows[row % len(rows)]
    new = [junk if name == column else value for name, value in zip(names, old, strict=True)]
    connection.execute(f"DELETE FROM {table} WHERE ({', '.join(names)}) IS ({places})", old)
    with suppress(sqlite3.IntegrityError):  # refused: then the row is just missing
        connection.execute(f"INSERT INTO {table} VALUES ({places})", new)
    return bool(connection.execute(f"SELECT * FROM {table}").fetchall() == rows)


def test_many_problems_are_cut_short(tmp_path):
    path = tmp_path / "store.db"
    _fill(path, 80)
    with edited(path) as connection:
        connection.execute("UPDATE record SET decision = 'deny'")
    found = problems(path)
    assert (len(found), found[-1]) == (51, "and 30 more")


# --- the anchor --------------------------------------------------------------------------------------------


def test_a_dropped_anchor_is_found(path):
    anchor_of(path).unlink()
    assert problems(path) == [f"the anchor {anchor_of(path)} is missing: nothing shows that this log was not rebuilt"]


def test_an_anchor_cut_short_is_found(path):
    lines = anchor_of(path).read_text().splitlines(keepends=True)
    anchor_of(path).write_text("".join(lines[:-1]))
    (found,) = problems(path)
    assert found.startswith("the anchor ends at record ")
    assert found.endswith(", but record 25 was anchored: it was cut off")


def test_an_anchor_without_its_beginning_is_found(path):
    lines = anchor_of(path).read_text().splitlines(keepends=True)
    anchor_of(path).write_text("".join(lines[1:]))
    assert problems(path) == [f"the anchor {anchor_of(path)} does not begin as an anchor: its beginning was cut off"]


def test_an_emptied_anchor_is_found(path):
    anchor_of(path).write_text("")
    assert "does not begin as an anchor" in problems(path)[0]


def test_an_edited_anchor_is_found(path):
    text = anchor_of(path).read_text()
    last = text.splitlines()[-1]
    anchor_of(path).write_text(text.replace(last, f"head 25 {'0' * 64} 2026-01-01T00:00:00Z\nnonsense"))
    found = problems(path)
    assert found[0] == "record 25 is not the one that was anchored: the log was rewritten up to there"
    assert "of the anchor" in found[1]
    assert found[1].endswith("cannot be read")


def test_an_anchor_that_contradicts_itself_is_found(path):
    with anchor_of(path).open("a") as file:
        file.write(f"head 25 {'0' * 64} 2026-01-01T00:00:00Z\n")
    assert problems(path)[0].endswith("contradicts an earlier one about record 25")


def test_a_line_torn_by_a_crash_is_no_tampering(path):
    with anchor_of(path).open("a") as file:
        file.write("head 26 0000")
    assert problems(path) == []
    _fill(path, 5)
    assert problems(path) == []
    assert "head 26 0000 torn\n" in anchor_of(path).read_text()


# --- pruning -----------------------------------------------------------------------------------------------


def test_a_deletion_dressed_as_pruning_is_found(path):
    with edited(path) as connection:
        connection.execute("DELETE FROM record WHERE sequence <= 10")
        connection.execute("UPDATE segment SET pruned = 1 WHERE last = 10")
    assert problems(path) == ["records 1 to 10 are gone, and no pruning of them was anchored"]


def test_a_pruned_segment_keeps_its_summary_and_is_held_to_it(path):
    with closing(SqliteStore(path)) as store:
        assert store.prune(15) == 10
        first, second = store.segments()
        assert (first.first, first.last, first.since, first.until) == (1, 10, 100.0, 109.0)
        assert (first.decisions, first.pruned, second.pruned) == ({"allow": 10}, True, False)
    assert problems(path) == []
    with edited(path) as connection:
        connection.execute("UPDATE segment SET head = zeroblob(32) WHERE last = 10")
    assert problems(path) == [
        "record 10 is not the one that was anchored: the log was rewritten up to there",
        "record 11 does not match its hash: it, or its place in the log, was changed",
    ]


def test_a_pruning_while_the_log_is_verified_is_no_tampering(path, monkeypatch):
    read = []

    def read_then_prune(anchor: Path) -> object:
        found = read_anchors(anchor)
        read.append(found)
        if len(read) == 1:
            with closing(SqliteStore(path)) as other:
                assert other.prune(15) == 10
        return found

    monkeypatch.setattr("interlock.store.sqlite.read_anchors", read_then_prune)
    assert problems(path) == []
    assert [found.pruned for found in read] == [0, 0, 10]


def test_what_does_not_verify_is_not_pruned(path):
    with edited(path) as connection:
        connection.execute("UPDATE record SET at = 0 WHERE sequence = 3")
    with closing(SqliteStore(path)) as store:
        with pytest.raises(StoreError, match="is not pruned: record 3 does not match its hash"):
            store.prune(25)
        assert len(list(store.records())) == 25
        assert store.commit(entry()) == 26
