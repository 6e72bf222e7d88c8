"""What the page says is waiting."""

from __future__ import annotations

from msgspec.structs import replace

from interlock.files.processes import own_mark
from interlock.page.board import Board
from interlock.store.asking import ApprovalRequest
from interlock.store.base import Entry
from interlock.store.memory import MemoryStore

REQUEST = ApprovalRequest(id="q-1", session="s-1", tool="Bash", at=100.0, until=580.0)


def test_a_call_whose_process_was_killed_no_longer_waits_and_can_still_be_answered_for_its_next_try():
    store, now = MemoryStore(), [100.0]
    pid, started, space = own_mark().split(" ")
    gone = replace(REQUEST, waiter=f"{pid} {started}0 {space}")  # a process of this number, which began at another time
    store.commit(Entry(record={}, raw=b"", at=100.0, asks=gone))
    store.commit(Entry(record={}, raw=b"", at=100.0, asks=replace(REQUEST, id="q-2")))
    board = Board(store, lambda: now[0])
    assert [one.id for one in board.look().waiting] == ["q-1", "q-2"]
    now[0] = 110.0
    found = board.look()
    assert ([one.id for one in found.waiting], [one.id for one in found.open]) == (["q-2"], ["q-1"])
    board.close()


def test_a_call_waits_no_longer_than_its_time():
    store, now = MemoryStore(), [100.0]
    store.commit(Entry(record={}, raw=b"", at=100.0, asks=REQUEST))
    board = Board(store, lambda: now[0])
    assert len(board.look().waiting) == 1
    now[0] = 580.0
    assert (board.look().waiting, len(board.look().open)) == ((), 1)
    board.close()
