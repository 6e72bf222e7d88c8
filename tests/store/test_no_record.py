"""A store that records nothing: what rules read is kept, what happened is not, and it does not grow."""

from __future__ import annotations

import pytest

from interlock.store import no_record
from interlock.store.base import CallKey, Duplicate, Entry, Receipt, Scope, StateChange, Wants
from interlock.store.no_record import UnrecordedStore

SESSION = Scope("session", "s")


def entry(number: int, **more: object) -> Entry:
    return Entry(record={"session": "s", "event": "PreToolUse"}, raw=b"{}", at=float(number), **more)  # type: ignore[arg-type]


def test_state_is_kept_and_records_are_not():
    store = UnrecordedStore()
    assert store.commit(entry(1, changes=(StateChange(SESSION, "calls", 1),))) == 1
    assert store.commit(entry(2, changes=(StateChange(SESSION, "calls", 2),))) == 2
    assert store.read(Wants({SESSION: frozenset({"calls"})})).values == {(SESSION, "calls"): 2}
    assert list(store.records()) == []
    assert store.verify().count == 0


def test_an_event_that_comes_twice_is_still_known():
    store = UnrecordedStore()
    store.commit(entry(1, once="a", answer=b"yes"))
    with pytest.raises(Duplicate) as again:
        store.commit(entry(1, once="a", answer=b"no"))
    assert again.value.answer == b"yes"


def test_it_does_not_grow(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(no_record, "_KEPT", 20)
    monkeypatch.setattr(no_record, "_TIDIED_EVERY", 10)
    store = UnrecordedStore()
    for number in range(200):
        opened = Receipt("s", str(number), "Bash", "0" * 64, None, float(number))
        store.commit(entry(number, opens=opened, once=str(number), answer=b"x"))
        store.commit(entry(number, closes=CallKey("s", str(number))))
    assert store.receipt("s", "0") is None
    assert store.receipt("s", "199") is not None
    assert store.answer_to("0") is None
    assert store.answer_to("199") == b"x"


def test_a_call_that_is_still_open_is_not_forgotten(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(no_record, "_KEPT", 5)
    monkeypatch.setattr(no_record, "_TIDIED_EVERY", 5)
    store = UnrecordedStore()
    store.commit(entry(0, opens=Receipt("s", "first", "Bash", "0" * 64, None, 0.0)))
    for number in range(50):
        store.commit(entry(number))
    assert store.receipt("s", "first") is not None
