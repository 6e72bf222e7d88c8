"""What every store must do with requests to people and with grants."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from interlock.errors import InterlockError
from interlock.store.asking import AlreadyAnswered, ApprovalRequest, Grant, RequestAnswer
from interlock.store.base import Conflict, Entry, Note, Scope, Store
from interlock.testing.claims import equal, raises

__all__ = ["ASKING_CHECKS"]

Check = Callable[[Store], None]
ASKING_CHECKS: list[Check] = []
SESSION = Scope("session", "s-1")
PROJECT = Scope("project", "/home/dev/shop")


def _check(function: Check) -> Check:
    ASKING_CHECKS.append(function)
    return function


def _entry(at: float = 100.0, **parts: Any) -> Entry:
    return Entry(record={"session": "s-1", "event": "PreToolUse", "decision": "ask"}, raw=b"{}", at=at, **parts)


def _request(id: str = "q-1", **parts: Any) -> ApprovalRequest:
    return ApprovalRequest(**{"id": id, "session": "s-1", "tool": "Bash", "at": 100.0, "until": 160.0, **parts})


def _grant(id: str = "g-1", **parts: Any) -> Grant:
    return Grant(**{"id": id, "at": 100.0, "by": "ann", "scope": PROJECT, "text": "`npm test`", **parts})


def _answer(**parts: Any) -> RequestAnswer:
    return RequestAnswer(**{"yes": True, "by": "ann", "at": 110.0, **parts})


def _give(store: Store, grant: Grant) -> None:
    """Give a grant as people do: with the answer to a request."""
    store.commit(_entry(asks=_request(f"q-{grant.id}")))
    store.answer_request(f"q-{grant.id}", _answer(), grant)


@_check
def a_request_is_kept_with_its_event_and_answered_once(store: Store) -> None:
    asked = _request(agent="a", project="/p", host="claude-code", call="c", guard="g", key="k", shape="s", body=b"[]")
    store.commit(_entry(asks=asked))
    equal((store.request("q-1"), store.requests(["waiting"])), (asked, [asked]), "the request")
    said = store.answer_request("q-1", _answer(note="only today", edit=b"{}"))
    equal((said.status, said.by, said.answered, said.note, said.edit), ("yes", "ann", 110.0, "only today", b"{}"), "it")
    found = raises(AlreadyAnswered, lambda: store.answer_request("q-1", _answer(yes=False, by="bob")), "a second one")
    equal((found.request, store.request("q-1"), store.requests(["waiting", "open"])), (said, said, []), "the first")


@_check
def of_many_who_answer_at_once_one_is_first(store: Store) -> None:
    store.commit(_entry(asks=_request()))
    won: list[str] = []

    def say(by: str) -> None:
        try:
            store.answer_request("q-1", _answer(by=by))
            won.append(by)
        except AlreadyAnswered:
            pass

    people = [threading.Thread(target=say, args=(f"p-{number}",)) for number in range(16)]
    for one in people:
        one.start()
    for one in people:
        one.join()
    found = store.request("q-1")
    equal(won, [found.by if found is not None else None], "who was first")


@_check
def an_answer_is_recorded_and_a_request_that_is_not_there_is_an_error(store: Store) -> None:
    raises(InterlockError, lambda: store.answer_request("q-9", _answer()), "no such request")
    store.commit(_entry(asks=_request()))
    store.answer_request("q-1", _answer(yes=False, note="not now"))
    (record,) = [found.record for found in store.records() if found.event == "Answer"]
    found = [record[name] for name in ("session", "request", "answer", "by", "note", "late", "edited", "grant")]
    equal(found, ["s-1", "q-1", "no", "ann", "not now", False, False, None], "the record")
    equal(store.verify().problems, [], "the log")


@_check
def a_request_that_a_call_leaves_stays_open_and_ends_with_its_session(store: Store) -> None:
    store.commit(_entry(asks=_request()))
    store.commit(_entry(asks=_request("q-2")))
    store.answer_request("q-2", _answer())
    store.commit(_entry(leaves="q-1"))
    store.commit(_entry(leaves="q-2"))  # it was answered just before
    equal([one.status for one in store.requests()], ["open", "yes"], "after the call gave up")
    store.commit(_entry(notes=Note("s-1", end=True)))
    equal([one.status for one in store.requests()], ["over", "yes"], "after the session")
    raises(AlreadyAnswered, lambda: store.answer_request("q-1", _answer()), "an answer after the session")


@_check
def questions_are_found_by_status_and_session_oldest_first(store: Store) -> None:
    for number, session in enumerate(("s-1", "s-2", "s-1")):
        store.commit(_entry(asks=_request(f"q-{number}", session=session, at=100.0 + number)))
    store.answer_request("q-0", _answer())
    equal([one.id for one in store.requests()], ["q-0", "q-1", "q-2"], "all")
    equal([one.id for one in store.requests(["waiting"])], ["q-1", "q-2"], "those that wait")
    equal([one.id for one in store.requests(session="s-1")], ["q-0", "q-2"], "of a session")
    equal([one.id for one in store.requests(newest=2)], ["q-1", "q-2"], "the newest")


@_check
def a_grant_is_spent_by_entries_until_nothing_is_left(store: Store) -> None:
    _give(store, _grant(left=2))
    store.commit(_entry(spends="g-1"))
    store.commit(_entry(spends="g-1"))
    raises(Conflict, lambda: store.commit(_entry(spends="g-1")), "a third use")
    raises(Conflict, lambda: store.commit(_entry(spends="g-9")), "a grant that is not there")
    (found,) = store.grants()
    equal((found.left, found.used), (0, 2), "the grant")


@_check
def a_grant_ends_with_its_time_its_session_or_when_it_is_taken_back(store: Store) -> None:
    _give(store, _grant(until=200.0))
    _give(store, _grant("g-2", scope=SESSION))
    _give(store, _grant("g-3"))
    store.commit(_entry(199.0, spends="g-1"))
    raises(Conflict, lambda: store.commit(_entry(200.0, spends="g-1")), "after its time")
    store.commit(_entry(notes=Note("s-1", end=True)))
    raises(Conflict, lambda: store.commit(_entry(spends="g-2")), "after its session")
    equal(store.revoke("g-3", by="bob", at=120.0), True, "taking it back")
    equal(store.revoke("g-3", by="bob", at=121.0), False, "taking it back twice")
    raises(Conflict, lambda: store.commit(_entry(spends="g-3")), "after it was taken back")
    equal([one.id for one in store.grants([PROJECT, SESSION])], ["g-1"], "what was not taken back")
    equal(len(store.grants()), 3, "all that were given")
    (record,) = [found.record for found in store.records() if found.event == "Revoke"]
    equal((record["by"], record["grant"]["id"]), ("bob", "g-3"), "the record")


@_check
def a_watch_notices_commits(store: Store) -> None:
    watch = store.watch()
    watch.has_changed()
    equal(watch.has_changed(), False, "nothing happened")
    store.commit(_entry(asks=_request()))
    equal((watch.has_changed(), watch.has_changed()), (True, False), "after a commit")
    store.answer_request("q-1", _answer())
    equal(watch.has_changed(), True, "after an answer")
    watch.close()


@_check
def those_who_wait_learn_cheaply_whether_they_still_do(store: Store) -> None:
    for id in ("q-1", "q-2", "q-3"):
        store.commit(_entry(asks=_request(id)))
    store.answer_request("q-2", _answer())
    store.commit(_entry(leaves="q-3"))
    equal(store.still_waiting(["q-1", "q-2", "q-3", "q-9"]), frozenset({"q-1"}), "who waits")
    equal(store.still_waiting([]), frozenset(), "nobody")


@_check
def a_request_that_was_decided_elsewhere_is_over(store: Store) -> None:
    store.commit(_entry(asks=_request()))
    store.commit(_entry(drops="q-1"))
    found = raises(AlreadyAnswered, lambda: store.answer_request("q-1", _answer()), "an answer")
    equal((found.request.status, store.grants()), ("over", []), "it")
    store.commit(_entry(asks=_request("q-2")))
    store.answer_request("q-2", _answer(yes=False))
    store.commit(_entry(drops="q-2"))
    answered = store.request("q-2")
    equal(answered.status if answered is not None else None, "no", "one that was answered before")


@_check
def a_yes_long_after_the_time_is_late_although_nobody_said_that_the_call_gave_up(store: Store) -> None:
    store.commit(_entry(asks=_request("q-1", key="k")))
    store.answer_request("q-1", _answer(at=161.0))
    equal(store.grants(), [], "a yes in the moment of giving up")
    store.commit(_entry(asks=_request("q-2", key="k")))
    store.answer_request("q-2", _answer(at=200.0))
    store.commit(_entry(at=201.0, leaves="q-2"))
    equal([(one.id, one.key, one.left) for one in store.grants()], [("late-q-2", "k", 1)], "a late one, counted once")
