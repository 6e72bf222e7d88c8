"""Killed at any moment: what was acknowledged is there, what was not is whole or absent, the chain verifies."""

from __future__ import annotations

import random
import signal
from contextlib import closing

from interlock.store.base import Wants
from interlock.store.sqlite import SqliteStore
from tests.store.builders import SESSION, child, entry, said, setting, value


def test_everything_acknowledged_survives_fifty_kills(tmp_path):
    path = tmp_path / "store.db"
    moments = random.Random(20)
    acknowledged: list[int] = []
    for _ in range(50):
        process = child("endless", path)
        assert process.stdout is not None
        acknowledged += [int(process.stdout.readline()) for _ in range(moments.randrange(1, 60))]
        process.kill()
        rest = process.stdout.read().decode().split("\n")[:-1]
        process.stdout.close()
        assert process.wait() == -signal.SIGKILL
        acknowledged += map(int, rest)
        with closing(SqliteStore(path)) as store:
            assert store.verify().problems == []
            sequences = {record.sequence for record in store.records()}
            assert set(acknowledged) <= sequences
            # State and record are one transaction: as many firings as records.
            found = store.read(Wants(rules={SESSION: frozenset(["r"])}))
            assert len(found.firings[SESSION, "r"]) == min(len(sequences), 10_000)
    assert len(acknowledged) == len(set(acknowledged)) > 1000


def test_a_crash_between_verdict_and_commit_leaves_neither(tmp_path):
    path = tmp_path / "store.db"
    with closing(SqliteStore(path)) as store:
        store.commit(setting("n", 1))
        process = child("dies_in_transaction", path)
        process.communicate()
        assert process.returncode == -signal.SIGKILL
        assert value(store, "n") == 1
        assert (store.receipt("s-1", "c-1"), store.answer_to("k")) == (None, None)
        assert store.read(Wants(rules={SESSION: frozenset(["r"])})).firings == {(SESSION, "r"): ()}
        assert store.commit(entry()) == 2
        assert store.verify().problems == []


def test_killed_at_any_step_of_its_making_a_store_is_made_by_the_next(tmp_path):
    (steps,) = said(child("dies_while_making", tmp_path / "whole.db", 10_000))
    assert 20 < int(steps) < 90
    killed = {path: child("dies_while_making", path, n) for n in range(1, 46) if (path := tmp_path / str(n) / "s.db")}
    for path, process in killed.items():
        process.communicate()
        assert process.returncode == -signal.SIGKILL
        with closing(SqliteStore(path)) as store:
            store.commit(entry())
            assert store.verify().problems == []


def test_killed_while_pruning_a_log_is_as_it_was(tmp_path):
    path = tmp_path / "store.db"
    with closing(SqliteStore(path, segment_size=10)) as store:
        for number in range(25):
            store.commit(entry(number))
    process = child("dies_while_pruning", path)
    assert process.communicate()[0] == b"20\n"
    with closing(SqliteStore(path)) as store:
        assert (len(list(store.records())), store.verify().problems) == (25, [])
        assert (store.prune(10**6), store.verify().problems) == (20, [])
