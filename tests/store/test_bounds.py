"""What is kept only for a while does not pile up."""

from __future__ import annotations

from contextlib import closing

import pytest

from interlock.store.base import CallKey, Duplicate, Receipt
from interlock.store.memory import MemoryStore
from interlock.store.sqlite import SqliteStore
from tests.store.builders import SESSION, entry, receipt_of


def test_firings_that_nobody_is_told_of_are_removed(tmp_path):
    with closing(SqliteStore(tmp_path / "store.db")) as store:
        for round_ in range(30):
            store.commit(entry(round_, fired=((SESSION, "r"), (SESSION, "q")) * 500))
        with store._reading() as connection:
            found = connection.execute("SELECT rule, count(*) FROM firing GROUP BY rule ORDER BY rule").fetchall()
    assert [rule for rule, _ in found] == ["q", "r"]
    # A time that several share is kept or removed as one, and not every firing looks for what is over.
    assert all(10_000 <= count <= 10_500 + 2 * 251 for _, count in found)


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
def test_answers_are_kept_for_the_newest_records_only(tmp_path, monkeypatch, kind):
    monkeypatch.setattr("interlock.store.tables.ANSWERS_KEPT", 15)
    monkeypatch.setattr("interlock.store.memory.ANSWERS_KEPT", 15)
    made = MemoryStore(segment_size=10) if kind == "memory" else SqliteStore(tmp_path / "store.db", segment_size=10)
    with closing(made) as store:
        for number in range(1, 21):
            store.commit(entry(number, once=str(number), answer=b"a"))
        assert [number for number in range(1, 21) if store.answer_to(str(number)) is None] == [1, 2, 3, 4, 5]
        with pytest.raises(Duplicate):
            store.commit(entry(once="6"))


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
def test_receipts_that_are_done_are_known_for_the_newest_records_only(tmp_path, monkeypatch, kind):
    monkeypatch.setattr("interlock.store.tables.RECEIPTS_KEPT", 15)
    monkeypatch.setattr("interlock.store.tables._SWEEP_EVERY", 1)
    monkeypatch.setattr("interlock.store.memory.RECEIPTS_KEPT", 15)
    made = MemoryStore(segment_size=10) if kind == "memory" else SqliteStore(tmp_path / "store.db", segment_size=10)
    with closing(made) as store:
        for number in range(1, 11):
            opened = Receipt("s-1", f"c-{number}", "Bash", "d", None, 1.0, input=b"{}")
            store.commit(entry(number, opens=opened))
            if number != 2:  # a call that is still running is not forgotten
                store.commit(entry(number, closes=CallKey("s-1", f"c-{number}")))
        store.commit(entry())
        assert [n for n in range(1, 11) if store.receipt("s-1", f"c-{n}") is None] == [1, 3]
        assert receipt_of(store, "s-1", "c-4").input is None
