"""The writer: one thread that commits what callers hand in, as many at a time as are waiting."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, Generic, TypeVar

from interlock.errors import InterlockError
from interlock.store.anchor import append_heads, write_witness
from interlock.store.base import Conflict, Duplicate, Forked, Stopped, StoreError
from interlock.store.chain import Log
from interlock.store.errors import in_words
from interlock.store.schema import Files, file_identity, refuse_unattested
from interlock.store.tables import SqlTables
from interlock.store.tally import Tally

__all__ = ["ANCHOR_EVERY", "Ticket", "Writer"]

ANCHOR_EVERY = 64  # records
_IDLE = 1.0  # seconds after which what is not anchored yet is
_MOST_JOBS = 256
_MOST_BYTES = 16 * 1024 * 1024

_NOTE = "UPDATE log SET anchored = max(anchored, ?)"

T = TypeVar("T")
Opened = tuple[sqlite3.Connection, Log, Tally]
Opener = Callable[[], Opened]


class Ticket(Generic[T]):
    """A job handed in: its outcome once it is durable, or why it is not.

    `run` may raise Conflict, Duplicate, Stopped, Forked or InterlockError, and then must have written nothing.
    """

    def __init__(self, run: Callable[[SqlTables], T], size: int = 0) -> None:
        self.run = run
        self.size = size
        self.value: T | None = None
        self.error: Exception | None = None
        self._settled = threading.Lock()  # the lightest thing to wait for; held until the outcome is there
        self._settled.acquire()

    def result(self) -> T:
        """Wait, then return or raise what came out."""
        with self._settled:
            if self.error is not None:
                raise self.error
            return self.value  # type: ignore[return-value]  # set by then: there was no error

    def settle(self) -> None:
        self._settled.release()


class Writer:
    """Owns the connection that writes. Starts its thread with the first job, and anew after a failure of ours."""

    def __init__(self, files: Files, opener: Opener, opened: Opened, anchor_every: int) -> None:
        self._path = files.path
        self._anchor = files.anchor
        self._files = files
        self._witness = files.witness
        self._attested: tuple[int, int] | None = None  # the file that was held against its witness
        self._open = opener
        self._anchor_every = anchor_every
        self._queue: SimpleQueue[Ticket[Any] | None] = SimpleQueue()
        self._gate = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closed = False
        self._connection: sqlite3.Connection | None
        self._connection, self._log, self._tally = opened
        self._identity = file_identity(files.path)
        self._began = False
        self._owes = False  # the anchor could not be written after the last batch
        self._committed: tuple[int, bytes] | None = None  # the newest head of ours that is not anchored
        self._seals: list[tuple[int, bytes]] = []  # and those of segments sealed meanwhile
        self._anchored = 0  # the last record we anchored
        self._noted = 0  # and the last one the database says was

    def submit(self, ticket: Ticket[Any]) -> None:
        """Hand a job in."""
        with self._gate:
            if self._closed:
                raise StoreError(f"the store {self._path} is closed")
            self._queue.put(ticket)
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="interlock-store", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """Finish every job that was handed in, anchor the log's head and close the file."""
        with self._gate:
            if self._closed:
                return
            self._closed = True
            thread = self._thread
            self._queue.put(None)
        if thread is not None:
            thread.join()
        try:
            self._attest()
            with in_words(self._path):
                self._note_anchored()
        finally:
            self._drop_connection()

    def _note_anchored(self) -> None:
        if self._connection is not None and self._noted < self._anchored and self._is_in_place():
            self._connection.execute(_NOTE, (self._anchored,))

    # --- the thread ----------------------------------------------------------------------------------------

    def _work(self) -> None:
        batch: list[Ticket[Any]] = []
        try:
            while True:
                batch = self._next_batch()
                if not batch:
                    return
                self._commit(batch)
                batch = []
                self._attest_if_due()
        finally:
            # Somebody is left waiting only after a fault of ours, whose traceback the thread prints: they must hear
            # of it, and the next job starts a new thread.
            with self._gate:
                self._thread = None
                left = [*batch, *self._drained()]
                if batch:
                    self._drop_connection()
            for ticket in left:
                ticket.error = StoreError(f"the writer of the store {self._path} failed; this is a fault in Interlock")
                ticket.settle()

    def _next_batch(self) -> list[Ticket[Any]]:
        """The jobs that wait, at least one; none once the store is closed."""
        first = self._wait()
        if first is None:
            return []
        batch, size = [first], first.size
        while len(batch) < _MOST_JOBS and size < _MOST_BYTES:
            try:
                ticket = self._queue.get_nowait()
            except Empty:
                break
            if ticket is None:
                self._queue.put(None)  # nothing comes behind it: the gate is shut
                break
            batch.append(ticket)
            size += ticket.size
        return batch

    def _wait(self) -> Ticket[Any] | None:
        if self._committed is not None:
            try:
                return self._queue.get(timeout=_IDLE)
            except Empty:
                self._try_attest()
        return self._queue.get()

    def _drained(self) -> Iterator[Ticket[Any]]:
        with suppress(Empty):
            while True:
                ticket = self._queue.get_nowait()
                if ticket is not None:
                    yield ticket

    # --- one batch -----------------------------------------------------------------------------------------

    def _commit(self, batch: list[Ticket[Any]]) -> None:
        try:
            self._begin()
            with in_words(self._path):
                self._transact(batch)
        except StoreError as error:
            # Whether a commit that failed while being synced is there is known only after reopening; a second
            # delivery of the event then finds its answer, or finds nothing.
            self._drop_connection()
            for ticket in batch:
                # One each: an exception that several threads raise would gather all their tracebacks.
                ticket.error = StoreError(error.message, help=error.help)
                ticket.error.__cause__ = error.__cause__
        for ticket in batch:
            ticket.settle()

    def _transact(self, batch: list[Ticket[Any]]) -> None:
        connection, log, tally = self._opened()
        if self._attested != self._identity:
            refuse_unattested(connection, self._files, log)
            self._attested = self._identity
        connection.execute("BEGIN IMMEDIATE")
        tables = SqlTables(connection, log, tally)
        before = tables.last
        for ticket in batch:
            try:
                ticket.value = ticket.run(tables)
            except (Conflict, Duplicate, Stopped, Forked, InterlockError) as error:
                ticket.error = error
        if self._noted < self._anchored:
            connection.execute(_NOTE, (self._anchored,))
        connection.execute("COMMIT")
        self._noted = self._anchored
        if tables.last != before:
            self._committed = tables.last, tables.head
            self._seals += tables.seals

    def _opened(self) -> Opened:
        if self._connection is not None and not self._is_in_place():
            self._drop_connection()
            # What is owed of the one that is gone must not be said of the next one.
            self._committed, self._seals, self._owes = None, [], False
            self._anchored = self._noted = 0
            raise StoreError(
                f"the store {self._path} was removed or replaced while it was open",
                help="put it back; what was committed before is in the file that was moved",
            )
        if self._connection is None:
            self._connection, self._log, self._tally = self._open()
            self._identity = file_identity(self._path)
        return self._connection, self._log, self._tally

    def _is_in_place(self) -> bool:
        # SQLite would go on writing to a file that has no name any more.
        return file_identity(self._path) == self._identity

    def _drop_connection(self) -> None:
        if self._connection is not None:
            with suppress(sqlite3.Error):
                self._connection.close()
        self._connection = None

    # --- the anchor ----------------------------------------------------------------------------------------

    def _begin(self) -> None:
        """See to the anchor before anything is written: a log that cannot be anchored is not written to."""
        if not self._began and not self._anchor.exists():
            raise StoreError(
                f"the anchor {self._anchor} of the store {self._path} is missing",
                help="put it back, or move the store away to begin a new log",
            )
        self._began = True
        if self._owes:
            self._attest()

    def _attest_if_due(self) -> None:
        if self._committed is None:
            return
        if self._seals or self._committed[0] - self._anchored >= self._anchor_every:
            self._try_attest()

    def _try_attest(self) -> None:
        # The answers have left by now. What fails here is still owed, and the next batch fails with it.
        with suppress(StoreError):
            self._attest()

    def _attest(self) -> None:
        if self._committed is None:
            return
        self._owes = True
        with in_words(self._anchor):
            append_heads(self._anchor, self._seals, self._committed)
        # One that is missing stays so until a person has seen that it is.
        if self._witness is not None and self._witness.exists():
            with in_words(self._witness):
                write_witness(self._witness, self._log.id, self._committed)
        self._anchored = self._committed[0]
        self._committed, self._seals, self._owes = None, [], False
