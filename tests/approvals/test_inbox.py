"""Waiting for answers: whoever gives them, they arrive, and nobody waits longer than they may."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from interlock.approvals.answers import approve
from interlock.approvals.inbox import Inbox, settle_abandoned
from interlock.errors import InterlockError
from interlock.files.processes import has_ended, own_mark
from interlock.store.asking import ApprovalRequest, RequestAnswer
from interlock.store.base import Entry, Store
from interlock.store.memory import MemoryStore
from interlock.store.sqlite import SqliteStore


@pytest.fixture(params=["memory", "sqlite"])
def store(request, tmp_path) -> Iterator[Store]:
    with closing(MemoryStore() if request.param == "memory" else SqliteStore(tmp_path / "store.db")) as store:
        yield store


def ask(store: Store, id: str = "q-1", seconds: float = 60.0, waiter: str = "", key: str = "") -> None:
    now = time.time()
    request = ApprovalRequest(id=id, session="s-1", tool="Bash", at=now, until=now + seconds, waiter=waiter, key=key)
    store.commit(Entry(record={}, raw=b"", at=now, asks=request))


def answer(store: Store, id: str = "q-1", **parts: Any) -> None:
    store.answer_request(id, RequestAnswer(**{"yes": True, "by": "ann", "at": time.time(), **parts}))


def test_an_answer_that_came_before_is_there_at_once(store):
    ask(store)
    answer(store)
    assert Inbox(lambda: store).wait("q-1").status == "yes"


def test_everyone_who_waits_gets_their_own_answer(store):
    inbox = Inbox(lambda: store)
    found: dict[str, str] = {}
    ids = [f"q-{number}" for number in range(20)]
    for id in ids:
        ask(store, id)
    people = [threading.Thread(target=lambda one=one: found.update({one: inbox.wait(one).status})) for one in ids]
    for one in people:
        one.start()
    for number, id in enumerate(ids):
        answer(store, id, yes=number % 2 == 0)
    for one in people:
        one.join(10)
    assert found == {id: "yes" if number % 2 == 0 else "no" for number, id in enumerate(ids)}


def test_without_an_answer_the_wait_ends_with_its_time(store):
    ask(store, seconds=0.05)
    assert Inbox(lambda: store).wait("q-1").status == "waiting"


def test_nobody_waits_whose_answer_is_not_needed_any_more(store):
    ask(store)
    assert Inbox(lambda: store).wait("q-1", lambda: True).status == "waiting"


def test_a_request_that_is_gone_is_an_error(store):
    with pytest.raises(InterlockError, match="the request q-9 is gone"):
        Inbox(lambda: store).wait("q-9")


def test_an_answer_given_through_another_connection_arrives(tmp_path):
    with closing(SqliteStore(tmp_path / "store.db")) as ours, closing(SqliteStore(tmp_path / "store.db")) as theirs:
        ask(ours)
        inbox, found = Inbox(lambda: ours), list[ApprovalRequest]()
        waiting = threading.Thread(target=lambda: found.append(inbox.wait("q-1")))
        waiting.start()
        answer(theirs, note="fine")
        waiting.join(10)
    assert [(one.status, one.note) for one in found] == [("yes", "fine")]


class TellerStub:
    """Notes what it is told."""

    def __init__(self) -> None:
        self.news: list[tuple[str, str]] = []
        self.heard = threading.Event()

    def announce(self, id: str) -> None:
        self.news.append(("asked", id))
        self.heard.set()

    def conclude(self, id: str) -> None:
        self.news.append(("ended", id))


def test_people_are_told_of_a_request_once_it_waits_and_when_it_ends(store):
    teller = TellerStub()
    inbox = Inbox(lambda: store, teller)
    ask(store)
    waiting = threading.Thread(target=lambda: inbox.wait("q-1"))
    waiting.start()
    assert teller.heard.wait(10)
    answer(store)
    waiting.join(10)
    assert teller.news == [("asked", "q-1"), ("ended", "q-1")]


def test_nobody_is_told_of_a_request_that_does_not_wait(store):
    teller = TellerStub()
    inbox = Inbox(lambda: store, teller)
    ask(store)
    inbox.wait("q-1", lambda: True)
    answer(store)
    inbox.wait("q-1")
    assert teller.news == []


def test_a_late_yes_does_not_reach_a_call_that_was_slow_to_give_up(store):
    ask(store, seconds=-10.0)
    answer(store)
    assert Inbox(lambda: store).wait("q-1").status == "waiting"


def test_two_who_wait_for_the_same_request_both_get_its_answer(store):
    ask(store)
    inbox, found = Inbox(lambda: store), list[str]()
    people = [threading.Thread(target=lambda: found.append(inbox.wait("q-1").status)) for _ in range(2)]
    for one in people:
        one.start()
    answer(store)
    for one in people:
        one.join(10)
    assert found == ["yes", "yes"]


# --- whoever waited is gone ---------------------------------------------------------------------------------


def ended_process() -> str:
    """The mark of a process that has ended."""
    script = "from interlock.files.processes import own_mark; print(own_mark())"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return ran.stdout.strip()


def test_a_process_is_known_to_have_ended_by_its_mark():
    assert has_ended(ended_process())
    assert not has_ended(own_mark())
    number, started, _ = own_mark().split(" ")
    assert has_ended(own_mark().replace(f" {started} ", " 1 "))  # another process has its number by now
    for unknown in ("", "x", f"{number} {started} pid:[1]"):  # as in another container
        assert not has_ended(unknown)


def test_requests_that_nobody_waits_for_are_opened(store):
    ask(store, "q-1", waiter=ended_process())
    ask(store, "q-2", waiter=own_mark())
    ask(store, "q-3", seconds=-10.0, waiter=own_mark())
    settle_abandoned(store, time.time())
    assert [(one.id, one.status) for one in store.requests()] == [
        ("q-1", "open"), ("q-2", "waiting"), ("q-3", "open"),
    ]  # fmt: skip


def test_a_yes_to_a_call_whose_process_was_killed_is_kept_for_the_next_try(store):
    ask(store, waiter=ended_process(), key="k")
    found = store.request("q-1")
    assert found is not None
    approve(store, found, by="ann", at=time.time())
    assert [grant.key for grant in store.grants()] == ["k"]
