"""The store in one SQLite file: each reader sees one moment, and a single writer commits for all callers."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeVar

from msgspec.structs import replace

from interlock.store.anchor import append_pruned, read_anchors, write_witness
from interlock.store.apply import (
    answer_request,
    apply_entry,
    forget_session,
    forget_stale,
    inherit,
    lift_breach,
    revoke_grant,
)
from interlock.store.asking import ApprovalRequest, Grant, RequestAnswer, RequestStatus
from interlock.store.asking_rows import read_grants, read_request, read_requests, read_waiting
from interlock.store.base import (
    CallKey,
    Entry,
    Receipt,
    Scope,
    Session,
    Snapshot,
    StoredRecord,
    StoreError,
    Verification,
    Wants,
)
from interlock.store.chain import SEGMENT_SIZE, Anchors, Audit, Line, Log, Segment, record_of
from interlock.store.errors import in_words
from interlock.store.filters import Filters, read_page, start_of_newest
from interlock.store.pool import Pool
from interlock.store.prepare import check_texts, prepare
from interlock.store.schema import StoreFiles, open_log, read_log, refuse_unattested
from interlock.store.tables import (
    SqlTables,
    read_answer,
    read_firings,
    read_receipt,
    read_receipts,
    read_segments,
    read_session,
    read_states,
    read_stopped,
)
from interlock.store.tally import Tally, count
from interlock.store.watching import FileWatch
from interlock.store.writer import ANCHOR_EVERY, Ticket, Writer

__all__ = ["SqliteStore"]

_PAGE = 500

T = TypeVar("T")


class SqliteStore:
    """Records, state and receipts in a file that several processes may write.

    After a fork, the child must open its own store: this one refuses to work there, because it has no writer thread.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        anchor: str | Path | None = None,
        witness: str | Path | None = None,
        busy: float = 5.0,
        anchor_every: int = ANCHOR_EVERY,
        segment_size: int = SEGMENT_SIZE,
    ) -> None:
        """Open the store; create it, with `segment_size`, if it does not exist. Raises StoreError.

        `witness` is a file elsewhere that still attests the log when it and its anchor are gone.
        """
        self._path = Path(path)
        self._anchor = Path(anchor) if anchor is not None else self._path.with_name(f"{self._path.name}.anchor")
        self._witness = Path(witness) if witness is not None else None
        self._files = StoreFiles(self._path, self._anchor, self._witness)
        self._busy = busy
        self._segment_size = segment_size
        self._process = os.getpid()
        with in_words(self._path):
            opened = self._open()
        self._log = opened[1]
        self._pool = Pool(self._path, busy)
        self._writer = Writer(self._files, self._open, opened, anchor_every)

    def _open(self) -> tuple[sqlite3.Connection, Log, Tally]:
        return open_log(self._files, self._busy, self._segment_size)

    def _check_process(self) -> None:
        if os.getpid() != self._process:
            raise StoreError(
                f"the store {self._path} was opened by process {self._process}, before a fork",
                help="open the store again in each process",
            )

    # --- writing -------------------------------------------------------------------------------------------

    def commit(self, entry: Entry) -> int:
        """Write one entry, and return its sequence number once it is durable."""
        self._check_process()
        return self._writer.run(_writing(entry))

    def submit(self, entry: Entry) -> Ticket[int]:
        """Submit one entry without waiting; the ticket's `result` waits."""
        return self._hand_in(_writing(entry))

    def inherit(self, parent: str | None, child: str) -> None:
        """Start a forked session with its parent's state; see Store."""
        check_texts([parent or "", child])
        self._hand_in(Ticket(lambda tables: inherit(tables, parent, child))).result()

    def stopped(self) -> list[tuple[str, str]]:
        """The sessions that were stopped, each with the reason, newest first."""
        with self._reading() as connection:
            return read_stopped(connection)

    def lift_breach(self, session: str, *, by: str | None = None, at: float | None = None) -> bool:
        """Let a stopped session go on, and return whether it was stopped."""
        check_texts([session])
        return self._hand_in(Ticket(lambda tables: lift_breach(tables, session, by, at))).result()

    def forget_session(self, session: str) -> None:
        """Drop the state, firings and receipts of a session and its agents. Its records stay."""
        check_texts([session])
        self._hand_in(Ticket(lambda tables: forget_session(tables, session))).result()

    def answer_request(self, id: str, answer: RequestAnswer, grant: Grant | None = None) -> ApprovalRequest:
        """RequestAnswer a request; see Store."""
        check_texts([id, answer.by, answer.note or "", *([] if grant is None else [grant.text, *grant.scope])])
        return self._hand_in(Ticket(lambda tables: answer_request(tables, id, answer, grant))).result()

    def revoke(self, id: str, *, by: str, at: float) -> bool:
        """Take a grant back; see Store."""
        check_texts([id, by])
        return self._hand_in(Ticket(lambda tables: revoke_grant(tables, id, by, at))).result()

    def prune(self, before_sequence: int) -> int:
        """Remove old records and forget old sessions; see Store. Records that do not verify are kept, as evidence."""
        self._hand_in(Ticket(forget_stale)).result()
        return self._hand_in(Ticket(lambda tables: self._prune(tables, before_sequence))).result()

    def _hand_in(self, ticket: Ticket[T]) -> Ticket[T]:
        self._check_process()
        self._writer.submit(ticket)
        return ticket

    def _prune(self, tables: SqlTables, before: int) -> int:
        connection = tables.connection
        segments = read_segments(connection)
        # The anchor must not attest records that this transaction wrote and may still lose. The newest record stays,
        # because it states the tables' tally.
        before = min(before, tables.durable)
        going = [segment for segment in segments if not segment.pruned and segment.last < before]
        if not going:
            return 0
        last = going[-1]
        audit = Audit(self._log, read_anchors(self._anchor), segments)
        for line, rules in _lines(connection, last.last):
            audit.see(line, rules)
        if audit.problems:
            raise StoreError(f"the store {self._path} is not pruned: {audit.problems[0]}")
        # Before the deletion, so that a crash between the two leaves nothing unexplained.
        with in_words(self._anchor):
            append_pruned(self._anchor, last.last, last.head)
        removed = connection.execute("DELETE FROM record WHERE sequence <= ?", (last.last,)).rowcount
        connection.execute("DELETE FROM record_rule WHERE sequence <= ?", (last.last,))
        connection.execute("UPDATE segment SET pruned = 1 WHERE last <= ?", (last.last,))
        return removed

    def check_witness(self) -> None:
        """Raise StoreError if this is not the log that its witness attests, or if it is shorter."""
        with self._reading() as connection:
            refuse_unattested(connection, self._files, read_log(connection).log)

    def bear_witness(self) -> None:
        """Rewrite a missing witness, after a person has seen that it was missing."""
        if self._witness is not None:
            head = self._hand_in(Ticket(lambda tables: (tables.durable, tables.head))).result()
            with in_words(self._witness):
                write_witness(self._witness, self._log.id, head if head[0] else None)

    def close(self) -> None:
        """Finish everything submitted, anchor the head and close every file. Does nothing in a forked child."""
        if os.getpid() != self._process:
            return
        try:
            self._writer.close()
        finally:
            self._pool.close()

    # --- reading -------------------------------------------------------------------------------------------

    def _reading(self) -> AbstractContextManager[sqlite3.Connection]:
        self._check_process()
        return self._pool.reading()

    def read(self, wanted: Wants) -> Snapshot:
        """Everything in `wanted`, as of one moment."""
        self._check_process()
        if not wanted.rules:  # a single statement always sees a single moment
            return self._pool.read(lambda connection: read_states(connection, wanted.names)[0])
        with self._reading() as connection:
            snapshot, keys = read_states(connection, {**dict.fromkeys(wanted.rules, frozenset()), **wanted.names})
            for scope, rules in wanted.rules.items():
                key = keys.get(scope)
                for rule in rules:
                    snapshot.firings[scope, rule] = () if key is None else read_firings(connection, key, rule)
        return snapshot

    def answer_to(self, once: str) -> bytes | None:
        """The answer that the event with this key was given, if any."""
        with self._reading() as connection:
            return read_answer(connection, once)

    def receipt(self, session: str, call: str, guard: str = "") -> Receipt | None:
        """A guard's receipt for a call, whatever became of the call."""
        with self._reading() as connection:
            return read_receipt(connection, CallKey(session, call, guard))

    def receipts(self, session: str, call: str) -> tuple[Receipt, ...]:
        """Every guard's receipt for a call, sorted by the guards' names."""
        with self._reading() as connection:
            return read_receipts(connection, session, call)

    def session(self, session: str) -> Session | None:
        """What is known about a session, if one of its turns ever began or ended."""
        with self._reading() as connection:
            return read_session(connection, session)

    def request(self, id: str) -> ApprovalRequest | None:
        """One request, whatever became of it."""
        return self._pool.read(lambda connection: read_request(connection, id))

    def requests(
        self,
        statuses: Collection[RequestStatus] | None = None,
        *,
        session: str | None = None,
        newest: int | None = None,
    ) -> list[ApprovalRequest]:
        """Questions, the oldest first; see Store."""
        return self._pool.read(lambda connection: read_requests(connection, statuses, session, newest))

    def still_waiting(self, ids: Collection[str]) -> frozenset[str]:
        """Which of these requests still wait."""
        return self._pool.read(lambda connection: read_waiting(connection, ids))

    def grants(self, scopes: Collection[Scope] | None = None) -> list[Grant]:
        """Grants, the oldest first; see Store."""
        with self._reading() as connection:
            return read_grants(connection, scopes)

    def watch(self) -> FileWatch:
        """Something that notices commits, whichever process makes them."""
        self._check_process()
        return FileWatch(self._path, self._busy)

    def segments(self) -> list[Segment]:
        """The sealed segments, including pruned ones."""
        with self._reading() as connection:
            return read_segments(connection)

    def records(self, after: int = 0, *, newest: int | None = None, **filters: Any) -> Iterator[StoredRecord]:
        """Records in order; see Store. They are read page by page, so that a slow reader holds nothing up."""
        wanted = Filters(**filters)
        left = newest
        if newest is not None:
            with self._reading() as connection:
                after = start_of_newest(connection, wanted, after, newest)
        while left is None or left > 0:
            with self._reading() as connection:
                page = read_page(connection, wanted, after, _PAGE if left is None else min(left, _PAGE))
            yield from map(record_of, page)
            if not page:
                return
            after = page[-1].sequence
            left = None if left is None else left - len(page)

    def verify(self, seen: Callable[[int], None] | None = None) -> Verification:
        """Check every record and every table against the chain, and the chain against its anchor and its witness.

        `seen` is told from time to time which record was checked last.
        """
        before = read_anchors(self._anchor)
        elsewhere = read_anchors(self._witness) if self._witness is not None else Anchors()
        audit = Audit(self._log, before, ())
        try:
            with self._reading() as connection:
                row = read_log(connection)
                # Use the heads from before the log was read and the prunings from after it; otherwise, what another
                # process writes in the meantime would look like tampering.
                after = read_anchors(self._anchor)
                audit = Audit(row.log, replace(before, pruned=after.pruned), read_segments(connection))
                for number, (line, rules) in enumerate(_lines(connection)):
                    audit.see(line, rules)
                    if seen is not None and number % _PAGE == 0:
                        seen(line.sequence)
                audit.see_tables(row.tally, count(connection))
        except StoreError as error:
            return audit.break_off(error.message)
        if after.log is not None and after.last < (row.anchored or 0):
            audit.say(f"the anchor ends at record {after.last}, but record {row.anchored} was anchored: it was cut off")
        audit.see_witness(elsewhere)
        return audit.finish()


def _writing(entry: Entry) -> Ticket[int]:
    prepared = prepare(entry)
    return Ticket(lambda tables: apply_entry(tables, prepared), prepared.size)


def _lines(connection: sqlite3.Connection, last: int = 2**62) -> Iterator[tuple[Line, frozenset[str]]]:
    """Every record up to `last`, each with the rules under which it is indexed."""
    index = groupby(
        connection.execute("SELECT sequence, rule FROM record_rule WHERE sequence <= ? ORDER BY sequence", (last,)),
        key=itemgetter(0),
    )
    at, rules = next(index, (last + 1, iter(())))
    columns = ", ".join(Line._fields)
    for row in connection.execute(f"SELECT {columns} FROM record WHERE sequence <= ? ORDER BY sequence", (last,)):  # noqa: S608 - ours
        while at < row[0]:
            at, rules = next(index, (last + 1, iter(())))
        yield Line(*row), frozenset(rule for _, rule in rules) if at == row[0] else frozenset()
