"""Remove old records: whole segments, in small steps, and never what somebody may still need."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

from interlock.store.asking import UNANSWERED
from interlock.store.base import SESSIONS_KEPT, Entry, Store
from interlock.store.chain import SEGMENT_SIZE

__all__ = ["count_before", "prune_before"]


def prune_before(
    store: Store, moment: float, *, by: str, now: float | None = None, rest: Callable[[], None] = lambda: None
) -> int:
    """Remove the records from before a moment, and return how many they were. This is recorded.

    Segments are removed one after the other, with a `rest` between two: each is verified first, and while that lasts no
    event can be recorded.
    """
    now = time.time() if now is None else now
    end = _first_to_stay(store, moment, now)
    removed = 0
    try:
        for count in _steps(store, end):
            removed += count
            rest()
    finally:  # whatever ended it: what is gone must be explained
        if removed:
            before = datetime.fromtimestamp(moment, UTC).isoformat(timespec="seconds")
            text = f"{removed} records from before {before} were removed by {by}"
            record = {"event": "Prune", "records": removed, "before": before, "by": by, "reason": text}
            store.commit(Entry(record=record, raw=b"", at=now))
    return removed


def _steps(store: Store, end: int) -> Iterator[int]:
    """Remove a segment at a time; how many records each had."""
    step = 0
    while step < end and (first := next(store.records(), None)) is not None and first.sequence < end:
        step = min(end, max(step, first.sequence) + SEGMENT_SIZE)
        count = store.prune(step)
        if count:
            step = 0  # there is a new first record
            yield count


def count_before(store: Store, moment: float, now: float | None = None) -> int:
    """How many records `prune_before` would remove."""
    end = _first_to_stay(store, moment, time.time() if now is None else now)
    first = next(store.records(), None)
    return 0 if first is None else max(0, (end - 1) // SEGMENT_SIZE * SEGMENT_SIZE - first.sequence + 1)


def _first_to_stay(store: Store, moment: float, now: float) -> int:
    """The number of the first record that stays."""
    # What the session of an unanswered request did so far. After a month without an answer, nobody waits for one.
    asked = [one for one in store.requests(UNANSWERED) if one.status == "waiting" or now - one.at < SESSIONS_KEPT]
    begun = [next(store.records(session=session), None) for session in {one.session for one in asked}]
    # The newest record stays in any case: it says what the rest of the store is.
    first = next(store.records(since=moment), None) or next(store.records(newest=1), None)
    return min((one.sequence for one in [first, *begun] if one is not None), default=0)
