"""The writer: a lone caller commits in its own thread; jobs that come together are committed together by one thread."""

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
_IDLE = 1.0  # seconds without a job after which the latest records are anchored
_MOST_JOBS = 256
_MOST_BYTES = 16 * 1024 * 1024

_NOTE = "UPDATE log SET anchored = max(anchored, ?)"

T = TypeVar("T")
Opened = tuple[sqlite3.Connection, Log, Tally]
Opener = Callable[[], Opened]


class Ticket(Generic[T]):
    """A submitted job: its outcome once it is durable, or the error.

    `run` may raise Conflict, Duplicate, Stopped, Forked or InterlockError, but then must have written nothing.
    """

    def __init__(self, run: Callable[[SqlTables], T], size: int = 0) -> None:
        self.run = run
        self.size = size
        self.value: T | None = None
        self.error: Exception | None = None
        self._settled = threading.Lock()  # the cheapest thing to wait for; held until there is an outcome
        self._settled.acquire()

    def result(self) -> T:
        """Wait, then return or raise the outcome."""
        with self._settled:
            if self.error is not None:
                raise self.error
            return self.value  # type: ignore[return-value]  # set by then: there was no error

    def settle(self) -> None:
        self._settled.release()


class _Sign(Enum):
    """Messages to the thread other than jobs."""

    CLOSE = "close"
    LOOK = "look"  # a caller has committed something that is not anchored yet
    ATTEST = "attest"  # so much that it must be anchored before anything else is written; the thread now holds `_busy`


class Writer:
    """Owns the connection that writes. Starts its thread when needed, and again after a fault in Interlock."""

    def __init__(self, files: StoreFiles, opener: Opener, opened: Opened, anchor_every: int) -> None:
        self._path = files.path
        self._anchor = files.anchor
        self._files = files
        self._witness = files.witness
        self._attested: tuple[int, int] | None = None  # the file that was compared with its witness
        self._open = opener
        self._anchor_every = anchor_every
        self._queue: SimpleQueue[Ticket[Any] | _Sign] = SimpleQueue()
        self._gate = threading.Lock()
        self._busy = threading.Lock()  # held by whoever uses the connection or the anchor
        self._waiting = 0  # the thread's unfinished jobs: while there are any, no caller may overtake them
        self._thread: threading.Thread | None = None
        self._closed = False
        self._connection: sqlite3.Connection | None
        self._connection, self._log, self._tally = opened
        self._identity = file_identity(files.path)
        self._began = False
        self._owes = False  # the anchor could not be written after the last batch
        self._is_told = False  # the thread will look at what is not anchored
        self._committed: tuple[int, bytes] | None = None  # the newest head written here that is not anchored
        self._seals: list[tuple[int, bytes]] = []  # and the heads of segments sealed since
        self._anchored = 0  # the last record anchored here
        self._noted = 0  # and the last one that the database says was anchored

    def run(self, ticket: Ticket[T]) -> T:
        """Do a job and return or raise its outcome: in this thread if no other is writing, else in the writer's.

        Two thread switches cost about as much as a whole commit does without the disk.
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
        """Submit a job to the thread."""
        with self._gate:
            if self._closed:
                raise StoreError(f"the store {self._path} is closed")
            self._waiting += 1
            self._tell(ticket)

    def close(self) -> None:
        """Finish every submitted job, anchor the log's head and close the file."""
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
            sys.excepthook(type(error), error, error.__traceback__)  # as the thread does with its own faults
            raise self._fault() from error

    def _leave_anchor(self) -> bool:
        """Have the thread anchor what was committed, now or when the store is idle; return whether it is now."""
        if self._committed is None or (self._is_told and not self._is_due()):
            return False
        with self._gate:
            if self._closed or self._waiting:
                return False  # closing anchors it, and so does the thread after its jobs
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
            # A caller is left waiting only after a fault in Interlock, whose traceback the thread prints. The caller
            # must be told, and the next job starts a new thread.
            with self._gate:
                self._thread = None
                left = [*batch, *self._drain()]
                self._waiting = 0
            for ticket in left:
                ticket.error = self._fault()
                ticket.settle()

    def _wait(self) -> Ticket[Any] | _Sign:
        """The next job or sign. If none comes for a while, the latest records are anchored."""
        while self._committed is not None:
            try:
                return self._queue.get(timeout=_IDLE)
            except Empty:
                # Never wait for the lock: its holder may be about to hand it over to this thread.
                if self._busy.acquire(blocking=False):
                    self._try_attest()
                    self._is_told = False
                    self._busy.release()
                    break
        return self._queue.get()

    def _with_others(self, first: Ticket[Any]) -> list[Ticket[Any]]:
        """A job and those waiting behind it, up to the size of one batch."""
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
                self._queue.put(found)  # nothing can come after it: no more jobs are accepted
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
            # Whether a commit that failed during its sync was written is known only after reopening; a second
            # delivery of the event then finds its answer, or nothing.
            self._drop_connection()
            for ticket in batch:
                # One error each: an exception raised in several threads would collect all their tracebacks.
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
            # Heads of the file that is gone must not be anchored for the next one.
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
        # SQLite would go on writing to a file that was removed or replaced.
        return file_identity(self._path) == self._identity

    def _drop_connection(self) -> None:
        if self._connection is not None:
            with suppress(sqlite3.Error):
                self._connection.close()
        self._connection = None

    # --- the anchor ----------------------------------------------------------------------------------------

    def _begin(self) -> None:
        """Check the anchor before anything is written: a log that cannot be anchored is not written to."""
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
        # The answers have been given by now. If anchoring fails, it is still owed, and the next batch fails instead.
        with suppress(StoreError):
            self._attest()

    def _attest(self) -> None:
        if self._committed is None:
            return
        self._owes, self._is_told = True, False
        with in_words(self._anchor):
            append_heads(self._anchor, self._seals, self._committed)
        # A missing witness stays missing until a person has noticed it.
        if self._witness is not None and self._witness.exists():
            with in_words(self._witness):
                write_witness(self._witness, self._log.id, self._committed)
        self._anchored = self._committed[0]
        self._committed, self._seals, self._owes = None, [], False
