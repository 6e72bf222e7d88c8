"""Several processes write one store, and none loses or doubles anything."""

from __future__ import annotations

from contextlib import closing

from interlock.store.base import Wants
from interlock.store.sqlite import SqliteStore
from tests.store.builders import SESSION, child, entry, said, value


def test_eight_processes_lose_no_increment(tmp_path):
    path = tmp_path / "store.db"  # made by whoever comes first
    for process in [child("increments", path, 500) for _ in range(8)]:
        said(process)
    with closing(SqliteStore(path)) as store:
        assert value(store, "n") == 4000
        assert [record.sequence for record in store.records()] == list(range(1, 4001))
        assert store.verify().problems == []


def test_the_same_event_delivered_to_several_processes_counts_once(tmp_path):
    path = tmp_path / "store.db"
    processes = [child("delivers_once", path, "k") for _ in range(4)]
    answers = [said(process)[0] for process in processes]
    with closing(SqliteStore(path)) as store:
        (winner,) = [process for process, answer in zip(processes, answers, strict=True) if answer == "first"]
        assert sorted(answers) == [f"again {winner.pid}"] * 3 + ["first"]
        rule = Wants(rules={SESSION: frozenset(["r"])})
        assert len(store.read(rule).firings[SESSION, "r"]) == 1


def test_a_second_writer_meanwhile_is_harmless(tmp_path):
    path = tmp_path / "store.db"
    with closing(SqliteStore(path, anchor_every=5, segment_size=50, busy=60)) as store:
        process = child("writes", path, 300)
        ours: list[int] = []
        while process.poll() is None or len(ours) < 100:
            ours.append(store.commit(entry(len(ours))))
            if len(ours) % 50 == 0:
                assert store.verify().problems == []
        theirs = [int(line) for line in said(process)]
        assert sorted(ours + theirs) == [record.sequence for record in store.records()]
        assert store.verify().problems == []
        assert len(store.segments()) == (len(ours) + 300) // 50


def test_pruning_while_another_process_verifies_and_writes_is_harmless(tmp_path):
    path = tmp_path / "store.db"
    with closing(SqliteStore(path, segment_size=50, busy=60)) as store:
        process = child("writes", path, 300)
        pruned = 0
        while process.poll() is None:
            last = max((record.sequence for record in store.records(newest=1)), default=0)
            pruned += store.prune(last)
            assert store.verify().problems == []
        said(process)
        pruned += store.prune(10**6)
        kept = [record.sequence for record in store.records()]  # the segment of the newest record stays
        assert (pruned, kept, store.verify().problems) == (250, list(range(251, 301)), [])
