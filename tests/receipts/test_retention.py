"""Old records are removed in small steps, and never those that somebody may still need."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from interlock.receipts.retention import count_before, prune_before
from interlock.store.asking import ApprovalRequest
from interlock.store.base import Entry, Store
from interlock.store.memory import MemoryStore
from interlock.store.sqlite import SqliteStore

DAY = 86_400.0
NOW = 1000 * DAY


def fill(store: Store, *days: float, session: str = "s") -> None:
    """A thousand records for each of these days."""
    for day in days:
        for _ in range(1000):
            store.commit(Entry(record={"session": session, "event": "Stop"}, raw=b"{}", at=day * DAY))


def ask(store: Store, day: float, session: str = "s") -> None:
    request = ApprovalRequest(id="r1", session=session, tool="Bash", at=day * DAY, until=day * DAY + 60)
    store.commit(Entry(record={"session": session, "event": "PreToolUse"}, raw=b"", at=day * DAY, asks=request))


@pytest.fixture
def store() -> Iterator[Store]:
    with closing(MemoryStore()) as made:
        yield made


def first(store: Store) -> int:
    return next(store.records()).sequence


def test_what_is_older_goes_segment_by_segment_and_that_is_recorded(store: Store):
    fill(store, 800, 850, 900, 999)
    rests: list[int] = []
    assert count_before(store, 899 * DAY, NOW) == 2000
    assert prune_before(store, 899 * DAY, by="ann", now=NOW, rest=lambda: rests.append(first(store))) == 2000
    assert rests == [1001, 2001]  # one at a time
    newest = next(store.records(newest=1))
    before = "1972-06-18T00:00:00+00:00"
    text = f"2000 records from before {before} were removed by ann"
    assert newest.record == {"event": "Prune", "records": 2000, "before": before, "by": "ann", "reason": text}
    assert store.verify().problems == []
    assert prune_before(store, 899 * DAY, by="ann", now=NOW) == 0
    assert next(store.records(newest=1)).sequence == newest.sequence  # nothing happened, so nothing is said


def test_a_segment_goes_only_as_a_whole(store: Store):
    fill(store, 800)
    fill(store, 801)
    store.commit(Entry(record={"event": "Stop"}, raw=b"", at=999 * DAY))
    assert count_before(store, 800.5 * DAY, NOW) == 1000
    assert prune_before(store, 800.5 * DAY, by="ann", now=NOW) == 1000
    assert first(store) == 1001


def test_the_newest_record_stays(store: Store):
    fill(store, 800)
    assert prune_before(store, 900 * DAY, by="ann", now=NOW) == 0
    assert (count_before(MemoryStore(), NOW, NOW), prune_before(MemoryStore(), NOW, by="ann", now=NOW)) == (0, 0)


def test_the_session_of_a_request_that_waits_keeps_its_records(store: Store):
    fill(store, 700, session="other")
    fill(store, 800, session="s")
    fill(store, 900, session="other")
    ask(store, 999)
    fill(store, 999)
    assert prune_before(store, 950 * DAY, by="ann", now=NOW) == 1000
    assert first(store) == 1001  # where the session of the request begins


def test_a_clock_that_was_set_back_removes_nothing_that_is_new(store: Store):
    fill(store, 999, 800, 999)
    assert prune_before(store, 900 * DAY, by="ann", now=NOW) == 0


class StopError(Exception):
    """The daemon ends."""


def test_what_was_removed_before_an_interruption_is_recorded(store: Store):
    fill(store, 800, 850, 999)

    def rest() -> None:
        raise StopError

    with pytest.raises(StopError):
        prune_before(store, 900 * DAY, by="ann", now=NOW, rest=rest)
    assert next(store.records(newest=1)).record["records"] == 1000


def test_a_store_on_disk_can_still_be_verified_afterwards(tmp_path: Path):
    with closing(SqliteStore(tmp_path / "store.db")) as store:
        fill(store, 800, 999)
        assert prune_before(store, 900 * DAY, by="ann", now=NOW) == 1000
        assert (first(store), store.verify().problems) == (1001, [])
