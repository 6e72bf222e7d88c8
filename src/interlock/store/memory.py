"""A store that lasts as long as the process that holds it."""

from __future__ import annotations

import threading
from bisect import insort
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import islice
from typing import Any

from msgspec.structs import replace

from interlock.store.apply import apply_entry
from interlock.store.base import (
    ANSWERS_KEPT,
    MOST_FIRINGS,
    Entry,
    Receipt,
    Scope,
    Snapshot,
    StoredRecord,
    StoreError,
    Verification,
    Wanted,
)
from interlock.store.chain import SEGMENT_SIZE, Audit, Line, Log, Segment, encode_rules, genesis, link, stored
from interlock.store.filters import Filters
from interlock.store.prepare import Prepared, prepare
from interlock.store.state import NOTHING, Held, value_of

__all__ = ["MemoryStore"]

_LOG = bytes(16)


class MemoryStore:
    """A store without a file, for tests and for a process that keeps nothing."""

    def __init__(self, *, segment_size: int = SEGMENT_SIZE) -> None:
        self._lock = threading.Lock()
        self._tables = _Tables(segment_size)
        self._closed = False

    def read(self, wanted: Wanted) -> Snapshot:
        """What is wanted, all of one moment."""
        snapshot = Snapshot()
        with self._lock:
            tables = self._open()
            for scope in wanted.names.keys() | wanted.rules.keys():
                snapshot.versions[scope] = tables.version(scope)
                for name in wanted.names.get(scope, ()):
                    if (scope, name) in tables.state:
                        snapshot.values[scope, name] = value_of(tables.held(scope, name))
                for rule in wanted.rules.get(scope, ()):
                    snapshot.firings[scope, rule] = tuple(tables.firings.get((scope, rule), ()))
        return snapshot

    def commit(self, entry: Entry) -> int:
        """Write one entry, and return its sequence number."""
        prepared = prepare(entry)
        with self._lock:
            return apply_entry(self._open(), prepared)

    def answer_to(self, once: str) -> bytes | None:
        """What the event with this key was answered, if it was."""
        with self._lock:
            return self._open().answer(once)

    def receipt(self, session: str, call: str) -> Receipt | None:
        """The receipt of a call whose result has not come."""
        with self._lock:
            return self._open().receipt(session, call)

    def records(self, after: int = 0, *, newest: int | None = None, **filters: Any) -> Iterator[StoredRecord]:
        """Records in order; see Store."""
        wanted = Filters(**filters)
        with self._lock:
            lines = list(self._open().lines)
        found = (line for line in lines if line.sequence > after and wanted.match(line, stored(line).rules))
        if newest is not None:
            matching = list(found)
            found = islice(matching, max(len(matching) - newest, 0), None)  # type: ignore[assignment]
        yield from map(stored, found)

    def segments(self) -> list[Segment]:
        """The sealed segments, pruned ones too."""
        with self._lock:
            return list(self._open().segments)

    def verify(self) -> Verification:
        """Check every record against the chain. Nothing outside attests its head."""
        with self._lock:
            tables = self._open()
            audit = Audit(Log(_LOG, tables.segment_size), None, tables.segments)
            for line in tables.lines:
                audit.see(line)
        return audit.finish()

    def prune(self, before_sequence: int) -> int:
        """Remove the sealed segments that end before a record."""
        with self._lock:
            return self._open().prune(before_sequence)

    def inherit(self, parent: str, child: str) -> None:
        """Start a forked session with its parent's state. Does nothing to a session that has state already."""
        with self._lock:
            self._open().copy_scope(Scope("session", parent), Scope("session", child))

    def close(self) -> None:
        """Forget everything."""
        self._closed = True

    def _open(self) -> _Tables:
        if self._closed:
            raise StoreError("the store in memory is closed")
        return self._tables


class _Tables:
    """The plain operations, on dicts."""

    def __init__(self, segment_size: int) -> None:
        self.segment_size = segment_size
        self._versions: Counter[Scope] = Counter()
        self._receipts: dict[tuple[str, str], Receipt] = {}
        self._answers: dict[str, tuple[int, bytes]] = {}
        self.state: dict[tuple[Scope, str], Held] = {}
        self.firings: defaultdict[tuple[Scope, str], list[float]] = defaultdict(list)
        self.lines: list[Line] = []
        self.segments: list[Segment] = []
        self._last, self._head = 0, genesis(_LOG)

    def answer(self, once: str) -> bytes | None:
        found = self._answers.get(once)
        return None if found is None else found[1]

    def version(self, scope: Scope) -> int:
        return self._versions[scope]

    def held(self, scope: Scope, name: str) -> Held:
        return self.state.get((scope, name), NOTHING)

    def receipt(self, session: str, call: str) -> Receipt | None:
        return self._receipts.get((session, call))

    def open_receipts(self, session: str, agent: str) -> list[Receipt]:
        return [one for one in self._receipts.values() if (one.session, one.agent) == (session, agent)]

    def bump(self, scope: Scope) -> None:
        self._versions[scope] += 1

    def hold(self, scope: Scope, name: str, held: Held) -> None:
        self.state[scope, name] = held

    def fire(self, scope: Scope, rule: str, at: float) -> None:
        times = self.firings[scope, rule]
        insort(times, at)
        del times[:-MOST_FIRINGS]

    def open_receipt(self, receipt: Receipt) -> None:
        self._receipts[receipt.session, receipt.call] = receipt

    def close_receipt(self, session: str, call: str) -> None:
        self._receipts.pop((session, call), None)

    def keep_answer(self, once: str, sequence: int, answer: bytes) -> None:
        self._answers[once] = sequence, answer

    def append(self, prepared: Prepared) -> int:
        sequence, raw = self._last + 1, prepared.raw
        rules = encode_rules(prepared.rules)
        self._head = link(self._head, sequence, prepared.at, rules, prepared.body, raw)
        self.lines.append(Line(sequence, prepared.at, *prepared.columns, rules, prepared.body, raw, self._head))
        self._last = sequence
        if sequence % self.segment_size == 0:
            self._seal()
        return sequence

    def _seal(self) -> None:
        lines = self.lines[-self.segment_size :]
        times = [line.at for line in lines]
        counts = Counter(line.decision or "" for line in lines)
        self.segments.append(
            Segment(lines[0].sequence, self._last, self._head, min(times), max(times), dict(sorted(counts.items())))
        )
        oldest = self._last - ANSWERS_KEPT
        self._answers = {once: kept for once, kept in self._answers.items() if kept[0] > oldest}

    def prune(self, before: int) -> int:
        last = max((segment.last for segment in self.segments if segment.last < before), default=0)
        kept = [line for line in self.lines if line.sequence > last]
        removed = len(self.lines) - len(kept)
        self.lines = kept
        self.segments = [replace(one, pruned=one.pruned or one.last <= last) for one in self.segments]
        return removed

    def copy_scope(self, parent: Scope, child: Scope) -> None:
        if not self.version(parent) or self.version(child):
            return
        self.state |= {(child, name): held for (scope, name), held in self.state.items() if scope == parent}
        copied = {(child, rule): list(times) for (scope, rule), times in self.firings.items() if scope == parent}
        self.firings.update(copied)
        self.bump(child)
