"""The parts of the full-screen inbox: keys, cells, and which call is selected."""

from __future__ import annotations

import json

import pytest

from interlock.approvals.answers import approve, why_not_editable
from interlock.cli.inbox_view.app import screen_rows
from interlock.cli.inbox_view.cells import clip, fold, harmless, pad, width_of
from interlock.cli.inbox_view.desk import InboxDesk
from interlock.cli.inbox_view.keys import KeyReader, PressedKey
from interlock.cli.inbox_view.pending import PendingCalls
from interlock.cli.inbox_view.views import ListView
from interlock.errors import InterlockError
from interlock.store.asking import ApprovalRequest, RequestAnswer
from interlock.store.base import Entry
from interlock.store.memory import MemoryStore

KEYS = {
    b"jy": ["j", "y"],
    b"\x1b[A\x1bOB\x1b[5~": ["up", "down", "pgup"],
    b"\r\n\x7f": ["enter", "enter", "backspace"],
    "é日".encode(): ["é", "日"],
    b"\x1by": [],  # Alt and y
    b"\x1b[24;5~y": ["y"],  # a key that means nothing here
    b"\x1b\x1b[A": ["esc", "up"],
    b"\x1b[200~y\ny\x1b[201~n": ["paste", "n"],
    b"\x03\x00\xff": ["\ufffd"],
}


@pytest.mark.parametrize("data", KEYS, ids=repr)
def test_bytes_become_keys_however_they_are_cut(data: bytes):
    assert [key.name for key in KeyReader().feed(data)] == KEYS[data]
    reader = KeyReader()
    assert [key.name for byte in data for key in reader.feed(bytes([byte]))] == KEYS[data]


def test_a_lone_escape_is_a_key_once_nothing_follows():
    reader = KeyReader()
    assert (reader.feed(b"\x1b"), reader.is_inside) == ([], True)
    assert [key.name for key in reader.settle()] == ["esc"]
    assert reader.feed(b"\x1b[20") == reader.settle() == []


def test_texts_take_the_cells_that_a_terminal_gives_them():
    assert [width_of(text) for text in ("ab", "日本", "e\u0301", "")] == [2, 4, 1, 0]
    assert (clip("日本語", 5), clip("日本語", 4), clip("ab", 0), pad("日", 4)) == ("日本…", "日…", "", "日  ")
    assert fold("one two three four", 8) == ["one two ", "three ", "four"]
    assert fold("日本語日本語", 5) == ["日本", "語日", "本語"]
    assert harmless("a\tb\x1b[2J\u202e") == "a    b\\x1b[2J\\u202e"


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def request(number: int, *, shape: str = "npm install", command: str = "npm install x") -> ApprovalRequest:
    body = {"input": {"command": command}, "reasons": [], "touches": {}}
    return ApprovalRequest(
        id=f"r{number}", session="s", tool="Bash", at=number, until=9e9, shape=shape, body=json.dumps(body).encode()
    )


def store_with(*requests: ApprovalRequest) -> MemoryStore:
    store = MemoryStore()
    for one in requests:
        store.commit(Entry(record={}, raw=b"", at=1.0, asks=one))
    return store


def ids(pending: PendingCalls) -> list[str]:
    return [one.id for one in pending.requests]


def selected(pending: PendingCalls) -> str | None:
    return None if pending.selected is None else pending.selected.id


def test_a_yes_counts_only_a_moment_after_the_selection_moved_by_itself():
    clock = Clock()
    pending = PendingCalls(store_with(request(1), request(2)), clock)
    pending.refresh()
    assert (selected(pending), pending.is_armed) == ("r1", False)
    clock.now = 0.4
    assert pending.is_armed
    pending.advance()  # as after an answer
    assert (selected(pending), pending.is_armed) == ("r2", False)
    clock.now = 0.8
    pending.move(-1)  # a person did that
    assert (selected(pending), pending.is_armed) == ("r1", True)


def test_the_selection_stays_on_its_call_whatever_comes_and_goes():
    clock = Clock()
    store = store_with(request(2), request(3))
    pending = PendingCalls(store, clock)
    pending.refresh()
    pending.move(1)
    store.commit(Entry(record={}, raw=b"", at=1.0, asks=request(1)))
    store.answer_request("r2", RequestAnswer(yes=True, by="ann", at=1.0))
    store.answer_request("r3", RequestAnswer(yes=False, by="ann", at=1.0))
    pending.refresh()
    assert (ids(pending), selected(pending)) == (["r1", "r2", "r3"], "r3")
    clock.now = 6.0
    assert (pending.forget_answered(), ids(pending)) == (True, ["r1", "r3"])  # the selected call stays
    pending.move(-1)
    assert (pending.forget_answered(), ids(pending)) == (True, ["r1"])


def test_the_selected_call_stays_when_more_wait_than_the_list_shows():
    store = store_with(request(1))
    pending = PendingCalls(store)
    pending.refresh()
    for number in range(2, 600):
        store.commit(Entry(record={}, raw=b"", at=1.0, asks=request(number)))
    pending.refresh()
    assert (selected(pending), pending.is_full, len(pending.requests)) == ("r1", True, 501)


def test_only_calls_of_one_shape_are_marked_together():
    pending = PendingCalls(store_with(request(1), request(2, shape="make"), request(3)))
    pending.refresh()
    assert (pending.mark(), pending.marked) == (None, {"r1"})
    pending.move(1)
    assert pending.mark() == "Only calls of one shape can be answered together; the others are `npm install`."
    pending.move(1)
    assert (pending.mark(every=True), pending.marked) == (None, {"r1", "r3"})
    assert [one.id for one in pending.to_answer()] == ["r1", "r3"]


def test_a_key_that_is_held_down_does_not_say_yes_to_several_calls():
    clock = Clock()
    store = store_with(request(1), request(2))
    desk = InboxDesk(store, ListView(), by="me", edit=lambda text, _: text, clock=clock)
    desk.refresh()
    clock.now = 1.0
    for name in "Xyyy":
        desk.press(PressedKey(name))
        screen_rows(desk, 80, 24)
    assert [one.status for one in store.requests()] == ["waiting", "waiting"]
    clock.now = 2.0
    desk.press(PressedKey("y"))
    assert [one.status for one in store.requests()] == ["yes", "yes"]


def test_what_a_person_is_not_shown_whole_cannot_be_edited():
    hidden = request(1, command="deploy --token '[redacted token]'")
    assert why_not_editable(hidden) == "the input contains secrets that are not shown, so it cannot be edited here"
    assert why_not_editable(request(2)) is None
    with pytest.raises(InterlockError, match="write the input without it"):
        approve(store_with(hidden), hidden, by="ann", at=1.0, edit={"command": "deploy --token '[redacted token]'"})
