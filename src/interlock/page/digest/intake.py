"""Take the record into the digest, step by step: each step is one transaction, and knows where the last one ended."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from interlock.page.digest.file import DigestFile, is_damage
from interlock.page.digest.rows import COLUMNS, EntryRow, RuleWord, row_of, words_of_rules
from interlock.page.digest.session_rows import SessionNotes
from interlock.page.digest.tallies import Tallies
from interlock.receipts.logbook import Logbook, LogEntry
from interlock.store.base import Store, StoredRecord

__all__ = ["Digest", "Progress"]

_STEP = 2_000  # records in a transaction: readers of the record and of the digest are never held up for long
_WINDOW = 2_000  # records that are read again after a start, because more may come about their calls
_NAMES = ", ".join(COLUMNS)
_PLACES = ", ".join("?" * len(COLUMNS))


class Progress(NamedTuple):
    """How much of the record is in the digest."""

    done: int
    total: int

    @property
    def is_whole(self) -> bool:
        return self.done >= self.total


class Digest:
    """The digest of one record. One thread takes records in (`catch_up`); any thread may ask.

    `step` and `window` are parameters for tests.
    """

    def __init__(self, path: Path, store: Store, *, step: int = _STEP, window: int = _WINDOW) -> None:
        self.store = store
        self.file = DigestFile(path)
        self._step = step
        self._window = window
        self._lock = threading.Lock()  # of whoever takes records in
        self._book: Logbook | None = None
        self._last = 0  # the record up to which the book and the file go

    # --- how far it is -----------------------------------------------------------------------------------------

    def progress(self) -> Progress:
        """How many of the records are taken in."""
        with self.file.reading() as connection:
            last, first = connection.execute("SELECT last, first FROM digest").fetchone()
        newest = next(self.store.records(newest=1), None)
        total = 0 if newest is None else newest.sequence
        before = max(0, first - 1)  # pruned
        return Progress(max(0, last - before), max(0, total - before))

    def catch_up(self, steps: int | None = None) -> bool:
        """Take in what is new, in at most so many steps. Returns whether anything may be left.

        A digest that does not belong to the record, or is damaged, is thrown away, and counting begins again.
        """
        with self._lock:
            return self._try_to_catch_up(steps)

    def freshen(self) -> None:
        """Take in a little, so that a view shows what has just happened. Does nothing while another thread does it."""
        if self._lock.acquire(blocking=False):
            try:
                with suppress(sqlite3.OperationalError):  # the disk is full: what is counted can still be shown
                    self._try_to_catch_up(steps=1)
            finally:
                self._lock.release()

    def forget_pruned(self) -> None:
        """Drop what the record no longer has. An entry goes when its last record is gone."""
        with self._lock:
            self._forget_pruned()

    def _try_to_catch_up(self, steps: int | None) -> bool:
        try:
            return self._catch_up(steps)
        except sqlite3.DatabaseError as error:
            if not is_damage(error):
                raise
            self._begin_again()
            return True

    def close(self) -> None:
        self.file.close()

    def _catch_up(self, steps: int | None) -> bool:
        if not self.file.is_sound():
            self._begin_again()
        last, hash_ = self._where()
        book = self._book
        if book is None or last != self._last:  # or another process has taken records in
            if not self._belongs(last, hash_):
                self._begin_again()
                last = 0
            book = self._resume(last)
            self._forget_pruned()
        while steps is None or steps > 0:
            records = list(islice(self.store.records(after=self._last), self._step))
            if not records:
                return False
            if not self._take(book, records):
                return True
            steps = None if steps is None else steps - 1
        return True

    def _where(self) -> tuple[int, str]:
        last, hash_ = self.file.writing.execute("SELECT last, hash FROM digest").fetchone()
        return int(last), str(hash_)

    def _belongs(self, last: int, hash_: str) -> bool:
        """Whether the digest was made of this record: a record's hash covers all records before it."""
        if not last:
            return True
        found = next(self.store.records(after=last - 1), None)
        return found is not None and found.sequence == last and found.hash == hash_

    def _begin_again(self) -> None:
        self._book = None
        self._last = 0
        self.file.start_again()

    def _resume(self, last: int) -> Logbook:
        """Read again what later records may belong to."""
        self._book = None
        book = Logbook()
        start = max(0, last - self._window)
        seen: set[int] = set()  # what is in entries that began before
        for id_, session in self.file.writing.execute(
            "SELECT id, session FROM entry WHERE id <= ?1 AND outcome = 'open' UNION"
            " SELECT id, session FROM entry WHERE id <= ?1 AND id > ?1 - ?2 AND last > ?1 ORDER BY id",
            (start, 10 * self._window),
        ).fetchall():
            entry = self._entry(id_, session, last)
            if entry is not None:
                book.resume(entry)
                seen.update(record.sequence for record in entry.records)
        for record in _until(self.store.records(after=start), last):
            if record.sequence not in seen:
                self._recall_asked(book, record)
                book.add(record)
        self._book = book
        self._last = last
        return book

    def _entry(self, id_: int, session: str, last: int) -> LogEntry | None:
        """An entry, read again from the record up to `last`."""
        records = islice(self.store.records(after=id_ - 1, session=session), self._window)
        entries = Logbook().read(_until(records, last))
        return next((one for one in entries if one.id == id_), None)

    def _recall_asked(self, book: Logbook, record: StoredRecord) -> None:
        """An answer may come long after the call that it is about."""
        request = record.record.get("request")
        if record.event != "Answer" or not request or book.knows_request(str(request)):
            return
        row = self.file.writing.execute("SELECT id, session FROM entry WHERE request = ?", (str(request),)).fetchone()
        entry = None if row is None else self._entry(row[0], row[1], record.sequence - 1)
        if entry is not None:
            book.resume(entry)

    # --- one step ------------------------------------------------------------------------------------------------

    def _take(self, book: Logbook, records: list[StoredRecord]) -> bool:
        """Take in these records. Returns False, having done nothing, if another process was faster."""
        with self.file.transaction() as connection:
            if self._where()[0] != self._last:
                self._book = None
                return False
            self._book = None  # until it is certain that what it knows is also in the file
            touched: dict[int, LogEntry] = {}
            notes = SessionNotes(connection)
            for record in records:
                self._recall_asked(book, record)
                for entry in book.take(record):
                    touched[entry.id] = entry
                notes.take(record, touched)
            notes.write()
            self._write(connection, [touched[id_] for id_ in sorted(touched)])
            newest = records[-1]
            connection.execute(
                "UPDATE digest SET last = ?, hash = ?, first = CASE first WHEN 0 THEN ? ELSE first END",
                (newest.sequence, newest.hash, records[0].sequence),
            )
        self._book = book
        self._last = newest.sequence
        return True

    def _write(self, connection: sqlite3.Connection, entries: list[LogEntry]) -> None:
        tallies = Tallies()
        known = [(entry.id,) for entry in entries if entry.id <= self._last]
        for (id_,) in known:
            _uncount(connection, tallies, id_)
        rows = [row_of(entry) for entry in entries]
        words = [words_of_rules(entry) for entry in entries]
        for row, said in zip(rows, words, strict=True):
            tallies.count(row, said)
        connection.executemany("DELETE FROM entry_rule WHERE id = ?", known)
        connection.executemany(f"INSERT OR REPLACE INTO entry ({_NAMES}) VALUES ({_PLACES})", rows)  # noqa: S608 - ours
        connection.executemany(
            "INSERT INTO entry_rule VALUES (?, ?, ?)",
            [(word.rule, row.id, word.said) for row, said in zip(rows, words, strict=True) for word in said],
        )
        tallies.write(connection)

    def _forget_pruned(self) -> None:
        last, known = self.file.writing.execute("SELECT last, first FROM digest").fetchone()
        found = next(self.store.records(), None)
        first = last + 1 if found is None else min(found.sequence, last + 1)
        if not known or first <= known:
            return
        with self.file.transaction() as connection:
            tallies = Tallies()
            gone = connection.execute("SELECT id FROM entry WHERE id < ? AND last < ?", (first, first)).fetchall()
            for (id_,) in gone:
                _uncount(connection, tallies, id_)
            tallies.write(connection)
            connection.executemany("DELETE FROM entry_rule WHERE id = ?", gone)
            connection.executemany("DELETE FROM entry WHERE id = ?", gone)
            connection.execute(
                "DELETE FROM session WHERE NOT EXISTS (SELECT 1 FROM entry WHERE entry.session = session.id)"
            )
            connection.execute("UPDATE digest SET first = ?", (first,))


def _uncount(connection: sqlite3.Connection, tallies: Tallies, id_: int) -> None:
    found = connection.execute(f"SELECT {_NAMES} FROM entry WHERE id = ?", (id_,)).fetchone()  # noqa: S608 - ours
    if found is not None:
        said = connection.execute("SELECT rule, said FROM entry_rule WHERE id = ?", (id_,))
        tallies.count(EntryRow(*found), [RuleWord(*pair) for pair in said], -1)


def _until(records: Iterable[StoredRecord], last: int) -> Iterator[StoredRecord]:
    for record in records:
        if record.sequence > last:
            return
        yield record
