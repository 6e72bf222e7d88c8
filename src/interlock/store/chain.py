"""The chain of records: each hash covers the previous one, so no record can change without changing all that follow.

Anyone who can write the database can rebuild the chain, but not the heads that are kept outside it (anchor.py).
"""

from __future__ import annotations

import json
import struct
from collections import Counter
from collections.abc import Iterable
from hashlib import sha256
from typing import Any, NamedTuple

from msgspec import DecodeError, Struct, field
from msgspec.json import decode

from interlock.errors import InterlockError
from interlock.store.base import StoredRecord, Verification
from interlock.store.prepare import Columns, columns_of
from interlock.store.tally import differing

__all__ = ["SEGMENT_SIZE", "Anchors", "Audit", "Line", "Log", "Segment", "encode_rules", "genesis", "link", "record_of"]

SEGMENT_SIZE = 1000
_MOST_PROBLEMS = 50
_numbers = struct.Struct(">QdQQQ").pack


class Log(NamedTuple):
    """What identifies a log, and after how many records it seals a segment."""

    id: bytes
    segment_size: int


class Line(NamedTuple):
    """A record as it is kept. The columns repeat what the body says, for the filters."""

    sequence: int
    at: float
    session: str | None
    event: str | None
    tool: str | None
    decision: str | None
    rules: str  # JSON
    body: bytes
    raw: bytes
    hash: bytes
    tables: bytes | None = None  # the tally of the other tables after it (tally.py)


_KINDS = (int, float, *(str | None,) * 4, str, bytes, bytes, bytes, bytes | None)


class Segment(Struct, frozen=True):
    """A complete run of records. The records may be pruned; this summary stays, and keeps the chain intact."""

    first: int
    last: int
    head: bytes
    since: float
    until: float
    decisions: dict[str, int]  # how many records have each decision; "" means no decision
    pruned: bool = False
    tables: bytes | None = None  # what its last record says about the tables


class Anchors(Struct, frozen=True):
    """What the anchor file attests."""

    log: str | None = None
    heads: dict[int, str] = field(default_factory=dict)
    pruned: int = 0  # the last record that was ever pruned on purpose
    problems: list[str] = field(default_factory=list)

    @property
    def last(self) -> int:
        return max(self.heads, default=0)


def genesis(log: bytes) -> bytes:
    """The hash before the first record of the log with this id."""
    return sha256(b"interlock log 1\n" + log).digest()


def link(
    previous: bytes, sequence: int, at: float, rules: str, body: bytes, raw: bytes, tables: bytes | None = None
) -> bytes:
    """The hash of a record that follows `previous`. Each part follows its length, so no byte can change its part.

    `tables` is what the record says about the tables after it. Records of earlier formats say nothing.
    """
    named = rules.encode()
    digest = sha256(previous)
    digest.update(_numbers(sequence, at, len(named), len(body), len(raw)))
    digest.update(named)
    digest.update(body)
    digest.update(raw)
    digest.update(tables or b"")
    return digest.digest()


def encode_rules(rules: Iterable[str]) -> str:
    return json.dumps(list(rules), separators=(",", ":")) if rules else "[]"


def record_of(line: Line) -> StoredRecord:
    """A line as its readers see it. Raises InterlockError if tampering has left something that is not JSON."""
    try:
        rules = () if line.rules == "[]" else tuple(json.loads(line.rules))
        record = _decode(line.body)
        return StoredRecord(*line[:6], rules, record, line.raw, line.hash.hex())
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise InterlockError(f"record {line.sequence} cannot be read: {error}", help="verify the log") from error


def _decode(body: bytes) -> Any:
    try:
        return decode(body)
    except DecodeError:  # the slower decoder can read half surrogate pairs
        return json.loads(body)


class Audit:
    """Walks a log from its beginning and describes what does not fit. Feed it records in order, then `finish`."""

    def __init__(self, log: Log, anchors: Anchors | None, segments: Iterable[Segment]) -> None:
        self._anchors = anchors
        self._log = log
        self._segments = {segment.last: segment for segment in segments}
        self._pruned = {segment.first: segment for segment in self._segments.values() if segment.pruned}
        self._previous: bytes | None = genesis(log.id)
        self._last = 0
        self._tables: bytes | None = None
        self._count = 0
        self._found: list[str] = []
        self._contradicted = 0
        self._times: list[float] = []  # of the current segment
        self._decisions: Counter[str] = Counter()
        for segment in self._segments.values():
            if (segment.first - 1, segment.last % log.segment_size) != (segment.last - log.segment_size, 0):
                self.say(f"records {segment.first} to {segment.last} were never sealed as one segment")
        self._skip_pruned()

    def see(self, line: Line, indexed: frozenset[str] | None = None) -> None:
        """Check one record; `indexed` are the rules under which it can be found."""
        if not all(isinstance(value, kind) for value, kind in zip(line, _KINDS, strict=True)):
            self.say(f"record {line.sequence} cannot be read: something of another type was put in it")
            self._last, self._previous = int(line.sequence), None
            return
        if line.sequence != self._last + 1:
            self._missing(self._last + 1, line.sequence - 1)
            self._previous = None
        if self._previous is not None and self._next_hash(line) != line.hash:
            self.say(f"record {line.sequence} does not match its hash: it, or its place in the log, was changed")
        self._check_summary(line, self._check_columns(line, indexed))
        self._check_heads(line.sequence, line.hash)
        self._check_tables(line)
        self._last, self._previous, self._tables = line.sequence, line.hash, line.tables
        self._count += 1
        self._skip_pruned()

    def see_tables(self, first: object, counted: bytes) -> None:
        """Check the other tables, after the last record; `first` is their tally before any record stated one."""
        if self._anchors is not None and self._anchors.last > self._last:
            return  # the log's end is cut off, which is reported elsewhere, and with it the tables' tally
        for problem in differing(first if self._tables is None else self._tables, counted):
            self.say(problem)

    def see_witness(self, said: Anchors) -> None:
        """Check what the witness attests, after the last record."""
        for problem in said.problems:
            self.say(problem)
        if said.log is not None and said.log != self._log.id.hex():
            self.say("the witness belongs to another log: this one was put in its place")
        elif said.last > self._last:
            self.say(f"the log ends at record {self._last}, but its witness attests record {said.last}")

    def say(self, problem: str) -> None:
        """Add a problem."""
        self._found.append(problem)

    @property
    def problems(self) -> list[str]:
        """The problems found so far."""
        return self._found

    def finish(self) -> Verification:
        """The outcome, after every record has been seen."""
        for segment in self._segments.values():
            if segment.last > self._last:
                self._missing(max(segment.first, self._last + 1), segment.last)
        if self._anchors is not None:
            self._check_anchors(self._anchors)
        found = self._found[:_MOST_PROBLEMS]
        if len(self._found) > _MOST_PROBLEMS:
            found.append(f"and {len(self._found) - _MOST_PROBLEMS} more")
        return Verification(not found, self._count, found)

    def break_off(self, why: str) -> Verification:
        """The outcome, if the log could not be read to its end."""
        return Verification(False, self._count, [*self._found[:_MOST_PROBLEMS], why])

    # --- one record ----------------------------------------------------------------------------------------

    def _next_hash(self, line: Line) -> bytes:
        return link(self._previous or b"", line.sequence, line.at, line.rules, line.body, line.raw, line.tables)

    def _check_columns(self, line: Line, indexed: frozenset[str] | None) -> Columns:
        try:
            columns = columns_of(json.loads(line.body))
            rules = frozenset(json.loads(line.rules))
        except (ValueError, TypeError, AttributeError, RecursionError):
            self.say(f"record {line.sequence} cannot be read")
            return Columns(*line[2:6])
        wrong = [name for name, kept, said in zip(Columns._fields, line[2:6], columns, strict=True) if kept != said]
        if indexed is not None and indexed != rules:
            wrong.append("rules")
        if wrong:
            self.say(f"record {line.sequence} is filed under another {', '.join(wrong)} than it holds")
        return columns

    def _check_heads(self, sequence: int, found: bytes) -> None:
        segment = self._segments.get(sequence)
        if segment is not None and segment.head != found:
            self.say(f"record {sequence} is not the one its segment was sealed with")
        if self._anchors is None:
            return
        anchored = self._anchors.heads.get(sequence)
        if anchored is not None and anchored != found.hex():
            self._contradicted += 1
            if self._contradicted == 1:
                self.say(f"record {sequence} is not the one that was anchored: the log was rewritten up to there")

    def _check_tables(self, line: Line) -> None:
        if line.tables is None and self._tables is not None:
            self.say(f"record {line.sequence} does not say what it left behind")
        segment = self._segments.get(line.sequence)
        if segment is not None and segment.tables != line.tables:
            self.say(f"the segment that record {line.sequence} sealed says something else of what it left behind")

    def _check_summary(self, line: Line, columns: Columns) -> None:
        self._times.append(line.at)
        self._decisions[columns.decision or ""] += 1
        if line.sequence % self._log.segment_size:
            return
        segment = self._segments.get(line.sequence)
        if segment is None:
            self.say(f"the segment that record {line.sequence} sealed is missing")
            return
        complete = len(self._times) == segment.last - segment.first + 1
        said = segment.since, segment.until, segment.decisions
        if complete and said != (min(self._times), max(self._times), dict(self._decisions)):
            self.say(f"the summary of records {segment.first} to {segment.last} is not what they hold")
        self._times, self._decisions = [], Counter()

    # --- the whole -----------------------------------------------------------------------------------------

    def _skip_pruned(self) -> None:
        while (segment := self._pruned.get(self._last + 1)) is not None:
            attested = self._anchors is None or segment.last <= self._anchors.pruned
            if not attested:
                self.say(f"records {segment.first} to {segment.last} are gone, and no pruning of them was anchored")
            self._last, self._previous, self._tables = segment.last, segment.head, segment.tables
            self._check_heads(segment.last, segment.head)

    def _check_anchors(self, anchors: Anchors) -> None:
        self._found += anchors.problems
        if anchors.log is not None and anchors.log != self._log.id.hex():
            self.say("the anchor belongs to another log: this one was put in its place")
        if anchors.log is not None and anchors.last > self._last:
            self.say(
                f"the log ends at record {self._last}, but record {anchors.last} was anchored: its end was cut off"
            )
        if self._contradicted > 1:
            self.say(f"{self._contradicted} anchored records differ in all")

    def _missing(self, first: int, last: int) -> None:
        if last < first:
            self.say(f"record {last + 1} occurs twice")
        else:
            self.say(f"record {first} is missing" if first == last else f"records {first} to {last} are missing")
