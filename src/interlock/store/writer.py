"""The writer: a caller that is alone commits by itself; what several hand in at once, one thread commits together."""

from __future__ import annotations

import sqlite3
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from enum import Enum
from queue import Empty, SimpleQueue
from typing import Any, Generic, TypeVar

from interlock.errors import InterlockError
from interlock.store.anchor import append_heads, write_witness
from interlock.store.base import Conflict, Duplicate, Forked, Stopped, StoreError
from interlock.store.chain import Log
from interlock.store.errors import in_words
from interlock.store.schema import StoreFiles, file_identity, refuse_unattested
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


class _Sign(Enum):
    """What the thread is told besides jobs."""

    CLOSE = "close"
    LOOK = "look"  # a caller has committed something that is not anchored yet
    ATTEST = "attest"  # so much that it is anchored before anything else is written; the thread now holds `_busy`


class Writer:
    """Owns the connection that writes. Starts its thread when it is needed, and anew after a failure of ours."""

    def __init__(self, files: StoreFiles, opener: Opener, opened: Opened, anchor_every: int) -> None:
        self._path = files.path
        self._anchor = files.anchor
        self._files = files
        self._witness = files.witness
        self._attested: tuple[int, int] | None = None  # the file that was held against its witness
        self._open = opener
        self._anchor_every = anchor_every
        self._queue: SimpleQueue[Ticket[Any] | _Sign] = SimpleQueue()
        self._gate = threading.Lock()
        self._busy = threading.Lock()  # held by whoever uses the connection or the anchor
        self._waiting = 0  # jobs of the thread's that are not done: while there are any, nobody overtakes them
        self._thread: threading.Thread | None = None
        self._closed = False
        self._connection: sqlite3.Connection | None
        self._connection, self._log, self._tally = opened
        self._identity = file_identity(files.path)
        self._began = False
        self._owes = False  # the anchor could not be written after the last batch
        self._is_told = False  # the thread will look at what is not anchored
        self._committed: tuple[int, bytes] | None = None  # the newest head of ours that is not anchored
        self._seals: list[tuple[int, bytes]] = []  # and those of segments sealed meanwhile
        self._anchored = 0  # the last record we anchored
        self._noted = 0  # and the last one the database says was

    def run(self, ticket: Ticket[T]) -> T:
        """Do a job and return or raise what came out: in this thread if nobody else is writing, else with the others.

        Two switches between threads cost about as much as a whole commit does without the disk.
        """
        if self._waiting or not self._busy.acquire(blocking=False):
            self.submit(ticket)
            return ticket.result()
        is_left = False  # to the thread, which then releases the lock
        try:
            if self._closed:
                raise StoreError(f"the store {self._path} is closed")
            self._commit_alone(ticket)
            is_left = self._leave_anchor()
        finally:
            if not is_left:
                self._busy.release()
        return ticket.result()

    def submit(self, ticket: Ticket[Any]) -> None:
        """Hand a job in for the thread."""
        with self._gate:
            if self._closed:
                raise StoreError(f"the store {self._path} is closed")
            self._waiting += 1
            self._tell(ticket)

    def close(self) -> None:
        """Finish every job that was handed in, anchor the log's head and close the file."""
        with self._gate:
            if self._closed:
                return
            self._closed = True
            thread = self._thread
            self._queue.put(_Sign.CLOSE)
        if thread is not None:
            thread.join()
        with self._busy:
            try:
                self._attest()
                with in_words(self._path):
                    self._note_anchored()
            finally:
                self._drop_connection()

    def _tell(self, what: Ticket[Any] | _Sign) -> None:
        self._queue.put(what)
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="interlock-store", daemon=True)
            self._thread.start()

    # --- in a caller's thread ------------------------------------------------------------------------------

    def _commit_alone(self, ticket: Ticket[Any]) -> None:
        try:
            self._commit([ticket])
        except Exception as error:
            sys.excepthook(type(error), error, error.__traceback__)  # the thread prints its faults too
            raise self._fault() from error

    def _leave_anchor(self) -> bool:
        """Have the thread anchor what was committed: when the store is idle, or now; whether it is now."""
        if self._committed is None or (self._is_told and not self._is_due()):
            return False
        with self._gate:
            if self._closed or self._waiting:
                return False  # closing anchors it; and so does the thread, behind the jobs that it has
            self._is_told, is_due = True, self._is_due()
            self._tell(_Sign.ATTEST if is_due else _Sign.LOOK)
            return is_due

    def _note_anchored(self) -> None:
        if self._connection is not None and self._noted < self._anchored and self._is_in_place():
            self._connection.execute(_NOTE, (self._anchored,))

    # --- the thread ----------------------------------------------------------------------------------------

    def _work(self) -> None:
        batch: list[Ticket[Any]] = []
        try:
            while (found := self._wait()) is not _Sign.CLOSE:
                if found is _Sign.ATTEST:
                    try:
                        self._try_attest()
                    finally:
                        self._busy.release()
                elif isinstance(found, Ticket):
                    batch = [found]
                    with self._busy:
                        batch = self._with_others(found)
                        self._commit(batch)
                        self._waiting_is_less(len(batch))
                        batch = []
                        if self._is_due():
                            self._try_attest()
        finally:
            # Somebody is left waiting only after a fault of ours, whose traceback the thread prints: they must hear
            # of it, and the next job starts a new thread.
            with self._gate:
                self._thread = None
                left = [*batch, *self._drain()]
                self._waiting = 0
            for ticket in left:
                ticket.error = self._fault()
                ticket.settle()

    def _wait(self) -> Ticket[Any] | _Sign:
        """The next job or sign. What is not anchored yet is anchored if none comes for a while."""
        while self._committed is not None:
            try:
                return self._queue.get(timeout=_IDLE)
            except Empty:
                # Never waited for: the one who holds it may be about to leave it to this thread.
                if self._busy.acquire(blocking=False):
                    self._try_attest()
                    self._is_told = False
                    self._busy.release()
                    break
        return self._queue.get()

    def _with_others(self, first: Ticket[Any]) -> list[Ticket[Any]]:
        """A job and those that wait behind it, as far as they make one batch."""
        batch, size = [first], first.size
        while len(batch) < _MOST_JOBS and size < _MOST_BYTES:
            try:
                found = self._queue.get_nowait()
            except Empty:
                break
            if isinstance(found, Ticket):
                batch.append(found)
                size += found.size
            elif found is _Sign.CLOSE:
                self._queue.put(found)  # nothing comes behind it: the gate is shut
                break
        return batch

    def _waiting_is_less(self, done: int) -> None:
        with self._gate:
            self._waiting -= done

    def _fault(self) -> StoreError:
        return StoreError(f"the writer of the store {self._path} failed; this is a fault in Interlock")

    def _drain(self) -> Iterator[Ticket[Any]]:
        with suppress(Empty):
            while True:
                found = self._queue.get_nowait()
                if isinstance(found, Ticket):
                    yield found

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
        except BaseException:
            self._drop_connection()  # and with it whatever was begun
            raise
        for ticket in batch:
            ticket.settle()

    def _transact(self, batch: list[Ticket[Any]]) -> None:
        connection, log, tally = self._open_files()
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

    def _open_files(self) -> Opened:
        if self._connection is not None and not self._is_in_place():
            self._drop_connection()
            # What is owed of the one that is gone must not be said of the next one.
            self._committed, self._seals, self._owes = None, [], False
            self._anchored = self._noted = 0
            self._is_told = False
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

    def _is_due(self) -> bool:
        if self._committed is None:
            return False
        return bool(self._seals) or self._committed[0] - self._anchored >= self._anchor_every

    def _try_attest(self) -> None:
        # The answers have left by now. What fails here is still owed, and the next batch fails with it.
        with suppress(StoreError):
            self._attest()

    def _attest(self) -> None:
        if self._committed is None:
            return
        self._owes, self._is_told = True, False
        with in_words(self._anchor):
            append_heads(self._anchor, self._seals, self._committed)
        # One that is missing stays so until a person has seen that it is.
        if self._witness is not None and self._witness.exists():
            with in_words(self._witness):
                write_witness(self._witness, self._log.id, self._committed)
        self._anchored = self._committed[0]
        self._committed, self._seals, self._owes = None, [], False
