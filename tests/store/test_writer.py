"""Group commit: one transaction for all that wait, and each caller's outcome is its own."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing
from typing import Any

import pytest

from interlock.errors import InterlockError
from interlock.store.base import Conflict, Duplicate, Scope, StateChange, StoreError, Wants
from interlock.store.sqlite import SqliteStore
from interlock.store.tables import SqlTables
from interlock.store.writer import Ticket
from tests.store.builders import SESSION, entry, setting, value


class Held:
    """Keeps the writer busy inside one transaction, so that what is handed in meanwhile makes one batch."""

    def __init__(self, store: SqliteStore) -> None:
        self._let_go = threading.Event()
        begun = threading.Event()

        def run(tables: SqlTables) -> None:
            begun.set()
            self._let_go.wait()

        self.ticket = store._hand_in(Ticket(run))
        begun.wait()

    def let_go(self) -> None:
        self._let_go.set()
        self.ticket.result()


def outcome(ticket: Ticket[Any]) -> Any:
    try:
        return ticket.result()
    except (Conflict, Duplicate, StoreError) as error:
        return type(error)


def transactions(store: SqliteStore) -> list[str]:
    """The statements of the writer from here on."""
    seen: list[str] = []
    connection = store._writer._connection
    assert connection is not None
    connection.set_trace_callback(seen.append)
    return seen


def test_all_that_wait_are_one_transaction_and_a_refusal_is_its_own(tmp_path):
    with closing(SqliteStore(tmp_path / "store.db")) as store:
        store.commit(setting("n", 0, once="k", answer=b"first"))
        seen = transactions(store)
        held = Held(store)
        tickets = [
            store.submit(setting("n", 1, expect={SESSION: 1})),
            store.submit(setting("n", 2, expect={SESSION: 1})),  # the one before it in the batch was faster
            store.submit(entry(once="k")),
            store.submit(entry(once="new", answer=b"a")),
            store.submit(entry(once="new", answer=b"b")),
            store.submit(setting("n", 3, expect={SESSION: 2})),
        ]
        held.let_go()
        assert [outcome(ticket) for ticket in tickets] == [2, Conflict, Duplicate, 3, Duplicate, 4]
        assert seen.count("COMMIT") == 2  # the held one's, and one for all of these
        assert (value(store, "n"), store.answer_to("new")) == (3, b"a")
        assert store.verify().problems == []


def test_a_failure_of_the_disk_fails_the_whole_batch_and_writes_nothing(tmp_path):
    path = tmp_path / "store.db"
    with closing(SqliteStore(path, busy=0)) as store:
        store.commit(entry(1))
        held = Held(store)
        tickets = [store.submit(entry(number)) for number in range(5)]
        assert store._writer._connection is not None
        # As small as it is now: what comes next finds no room.
        store._writer._connection.execute("PRAGMA max_page_count = 1")
        tickets.append(store.submit(entry(6, raw=b"x" * 1_000_000)))
        held.let_go()
        assert [outcome(ticket) for ticket in tickets] == [StoreError] * 6
        assert [record.sequence for record in store.records()] == [1]
        assert store.commit(entry(2)) == 2
        assert store.verify().problems == []


def test_a_caller_that_is_alone_commits_in_its_own_thread(tmp_path):
    with closing(SqliteStore(tmp_path / "store.db")) as store:
        ran_in: list[threading.Thread] = []

        def run(tables: SqlTables) -> None:
            ran_in.append(threading.current_thread())

        store._writer.run(Ticket(run))
        store._hand_in(Ticket(run)).result()
        assert (ran_in[0], ran_in[1].name) == (threading.current_thread(), "interlock-store")


def test_a_caller_does_not_overtake_those_that_wait(tmp_path):
    with closing(SqliteStore(tmp_path / "store.db")) as store:
        held = Held(store)
        tickets = [store.submit(entry(number)) for number in range(3)]
        last: list[int] = []
        caller = threading.Thread(target=lambda: last.append(store.commit(entry(3))))
        caller.start()
        held.let_go()
        caller.join()
        assert [*(ticket.result() for ticket in tickets), *last] == [1, 2, 3, 4]


def test_what_a_caller_committed_alone_is_anchored_before_more_is_written(tmp_path):
    path = tmp_path / "store.db"
    with closing(SqliteStore(path, anchor_every=1)) as store:
        for number in range(20):
            store.commit(entry(number))
    kinds = [line.split()[:2] for line in path.with_name("store.db.anchor").read_text().splitlines()]
    assert kinds[1:] == [["head", str(number)] for number in range(1, 21)]


def test_a_fault_in_a_caller_s_thread_leaves_nothing_half_written(tmp_path, monkeypatch):
    printed: list[type[BaseException]] = []
    monkeypatch.setattr("sys.excepthook", lambda kind, error, trace: printed.append(kind))
    with closing(SqliteStore(tmp_path / "store.db")) as store:

        def run(tables: SqlTables) -> None:
            tables.advance()
            tables.append(None)  # type: ignore[arg-type]

        with pytest.raises(StoreError, match="a fault in Interlock"):
            store._writer.run(Ticket(run))
        assert store.commit(entry(1)) == 1
        assert store.verify().problems == []
    assert printed == [AttributeError]


def test_nobody_commits_once_it_is_closed(tmp_path):
    store = SqliteStore(tmp_path / "store.db")
    store.commit(entry(1))
    store.close()
    with pytest.raises(StoreError, match="is closed"):
        store.commit(entry(2))
    with pytest.raises(StoreError, match="is closed"):
        store.read(Wants({Scope("session", "s-1"): frozenset(["n"])}))


def test_a_batch_is_bounded(tmp_path):
    with closing(SqliteStore(tmp_path / "store.db")) as store:
        store.commit(entry())
        seen = transactions(store)
        held = Held(store)
        many = [store.submit(entry(number)) for number in range(300)]
        held.let_go()
        assert [ticket.result() for ticket in many] == list(range(2, 302))
        assert seen.count("COMMIT") == 3
        held = Held(store)
        large = [store.submit(entry(number, raw=b"x" * 9_000_000)) for number in range(3)]
        held.let_go()
        assert [ticket.result() for ticket in large] == [302, 303, 304]
        assert seen.count("COMMIT") == 6


def test_closing_finishes_what_was_handed_in(tmp_path):
    path = tmp_path / "store.db"
    store = SqliteStore(path)
    held = Held(store)
    tickets = [store.submit(entry(number)) for number in range(300)]
    closer = threading.Thread(target=store.close)
    closer.start()
    held.let_go()
    closer.join()
    assert [ticket.result() for ticket in tickets] == list(range(1, 301))
    with pytest.raises(StoreError, match="is closed"):
        store.submit(entry())
    with closing(SqliteStore(path)) as again:
        assert again.verify().count == 300


def test_a_fault_of_ours_reaches_whoever_waits_and_the_next_commit_works(tmp_path, monkeypatch):
    printed: list[type[BaseException]] = []
    monkeypatch.setattr(threading, "excepthook", lambda args: printed.append(args.exc_type))
    with closing(SqliteStore(tmp_path / "store.db")) as store:
        store.commit(entry(1))
        held = Held(store)

        def run(tables: SqlTables) -> None:
            tables.append(None)  # type: ignore[arg-type]

        tickets: list[Ticket[Any]] = [store.submit(entry(2)), store._hand_in(Ticket(run)), store.submit(entry(3))]
        held.let_go()
        assert [outcome(ticket) for ticket in tickets] == [StoreError] * 3
        assert store.commit(entry(2)) == 2
        assert store.verify().problems == []
    assert printed == [AttributeError]


def test_heads_are_anchored_every_so_often_at_each_seal_and_at_closing(tmp_path):
    anchor = tmp_path / "elsewhere" / "heads"
    with closing(SqliteStore(tmp_path / "store.db", anchor=anchor, anchor_every=4, segment_size=10)) as store:
        for number in range(11):
            store.commit(entry(number))
    kinds = [line.split()[:2] for line in anchor.read_text().splitlines()]
    assert kinds == [["interlock-anchor", "1"], ["head", "4"], ["head", "8"], ["seal", "10"], ["head", "11"]]


def test_a_seal_inside_a_batch_is_anchored_as_itself(tmp_path):
    anchor = tmp_path / "store.db.anchor"
    with closing(SqliteStore(tmp_path / "store.db", segment_size=10)) as store:
        held = Held(store)
        tickets = [store.submit(entry(number)) for number in range(25)]
        held.let_go()
        assert [ticket.result() for ticket in tickets] == list(range(1, 26))
    kinds = [line.split()[:2] for line in anchor.read_text().splitlines()]
    assert kinds == [["interlock-anchor", "1"], ["seal", "10"], ["seal", "20"], ["head", "25"]]


def test_what_a_transaction_itself_sealed_is_not_pruned_in_it(tmp_path):
    with closing(SqliteStore(tmp_path / "store.db", segment_size=10)) as store:
        held = Held(store)
        tickets = [store.submit(entry(number)) for number in range(10)]
        prune = store._hand_in(Ticket(lambda tables: store._prune(tables, 100)))
        held.let_go()
        assert [ticket.result() for ticket in tickets] == list(range(1, 11))
        assert prune.result() == 0  # the anchor would attest what may still be lost
        store.commit(entry(11))
        assert store.prune(100) == 10


def test_half_a_surrogate_pair_fails_its_own_caller_only(tmp_path):
    with closing(SqliteStore(tmp_path / "store.db")) as store:
        with pytest.raises(InterlockError, match="half a surrogate pair"):
            store.inherit("\ud800", "s-2")
        assert store.commit(entry()) == 1


def test_what_is_not_anchored_yet_is_once_the_writer_is_idle(tmp_path, monkeypatch):
    with closing(SqliteStore(tmp_path / "store.db")) as store:
        monkeypatch.setattr("interlock.store.writer._IDLE", 0.0)
        anchored = threading.Event()
        attest = store._writer._attest

        def attest_and_tell() -> None:
            attest()
            anchored.set()

        monkeypatch.setattr(store._writer, "_attest", attest_and_tell)
        store.commit(entry())
        assert anchored.wait(timeout=60)
        assert "head 1 " in (tmp_path / "store.db.anchor").read_text()


def test_readers_do_not_wait_for_the_writer(tmp_path):
    with closing(SqliteStore(tmp_path / "store.db")) as store:
        store.commit(setting("n", 1))
        held = Held(store)
        pending = store.submit(setting("n", 2))
        assert value(store, "n") == 1
        held.let_go()
        pending.result()
        assert value(store, "n") == 2


def test_many_readers_share_few_connections(tmp_path):
    wanted = Wants({Scope("session", "s-1"): frozenset(["n"])})
    with closing(SqliteStore(tmp_path / "store.db")) as store:
        store.commit(setting("n", 1))
        found: list[object] = []
        threads = [threading.Thread(target=lambda: found.append(store.read(wanted))) for _ in range(64)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == [store.read(wanted)] * 64
        assert len(store._pool._free) <= 8


def test_a_connection_to_a_file_that_was_replaced_is_not_used_again(tmp_path):
    path = tmp_path / "store.db"
    wanted = Wants({Scope("session", "s-1"): frozenset(["n"])})
    with closing(SqliteStore(path)) as store:
        store.commit(setting("n", 1))
        with store._pool.reading():
            path.rename(path.with_name("moved.db"))
            with pytest.raises(StoreError):
                store.read(wanted)
        assert store._pool._free == []
        path.with_name("moved.db").rename(path)
        assert value(store, "n") == 1


def test_one_statement_reads_what_each_scope_is_wanted_for(tmp_path):
    mine, other, none = Scope("session", "s-1"), Scope("project", "/p"), Scope("agent", "s-1/main")
    with closing(SqliteStore(tmp_path / "store.db")) as store:
        store.commit(setting("n", 1))
        store.commit(entry(changes=(StateChange(mine, "m", 2), StateChange(other, "n", 3), StateChange(other, "m", 4))))
        names = {mine: frozenset(["n", "x"]), other: frozenset(["m"]), none: frozenset(["n"])}
        found = store.read(Wants(names))
        assert found.values == {(mine, "n"): 1, (other, "m"): 4}
        assert found.versions == {mine: 2, other: 1, none: 0}
        counted = store.read(Wants(names, {none: frozenset(["r"]), mine: frozenset(["r"])}))
        assert (counted.values, counted.versions) == (found.values, found.versions)
        assert counted.firings == {(none, "r"): (), (mine, "r"): ()}


def test_every_connection_is_durable_and_private(tmp_path):
    path = tmp_path / "new" / "store.db"
    with closing(SqliteStore(path)) as store:
        store.commit(entry())
        assert isinstance(store._writer._connection, sqlite3.Connection)
        pragmas = {
            name: store._writer._connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("synchronous", "journal_mode")
        }
        assert pragmas == {"synchronous": 2, "journal_mode": "wal"}
        modes = {file.name: file.stat().st_mode & 0o777 for file in path.parent.iterdir()}
        assert modes == dict.fromkeys(["store.db", "store.db-wal", "store.db-shm", "store.db.anchor"], 0o600)
        assert path.parent.stat().st_mode & 0o777 == 0o700


def test_a_file_others_could_read_is_made_private(tmp_path):
    path = tmp_path / "store.db"
    SqliteStore(path).close()
    path.chmod(0o644)
    SqliteStore(path).close()
    assert path.stat().st_mode & 0o777 == 0o600
