"""Send the record to somebody, from where the last sending stopped: nothing twice, nothing left out.

A call is sent when it is over, so the position is the last record before the first call that is not. What was sent
behind it is remembered by its number. Ids are made from the record, so that even what is sent twice, because the
machine went down between sending and remembering, is the same span to whoever receives it.
"""

from __future__ import annotations

import fcntl
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Protocol

from msgspec import DecodeError, Struct, field, json

from interlock.config.places import state_folder
from interlock.errors import InterlockError
from interlock.files.atomic import write_atomically
from interlock.files.private import private_folder
from interlock.receipts.logbook import Logbook, LogEntry
from interlock.store.base import Store

__all__ = ["RecordTail", "Sender", "send_record"]

_BATCH = 500
_MOST_PENDING = 4_000  # calls that may still have a result; of more than these, the oldest are sent as they are
_MOST_WAITING = 3600.0  # seconds of record time after which a call without a result is sent as it is
_LOOKS = 0.5
_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 60.0


class Sender(Protocol):
    """Somebody who takes entries. Each function returns why it failed, or None."""

    name: str  # of where it sends to: the position is remembered for each

    def send_spans(self, entries: Sequence[LogEntry], is_first: Callable[[LogEntry], bool]) -> str | None: ...

    def count(self, entries: Sequence[LogEntry]) -> None: ...

    def send_metrics(self) -> str | None: ...


class _Position(Struct):
    sequence: int = 0
    hash: str = ""  # of the record with that number: another one means another record
    sent: list[int] = field(default_factory=list)  # entries behind it


class RecordTail:
    """Reads what was written since, and knows which calls are over."""

    def __init__(self, store: Store, position: _Position) -> None:
        self._store = store
        self._book = Logbook()
        self._cursor = position.sequence
        self._sent = set(position.sent)
        self._pending: dict[int, LogEntry] = {}
        self._first: dict[str, int] = {}  # session → its first entry
        self._newest = 0.0

    def read(self) -> bool:
        """Take in the next records, and return whether there were any. It stops before memory would fill up."""
        count = 0
        for record in islice(self._store.records(after=self._cursor), _MOST_PENDING):
            count += 1
            self._cursor, self._newest = record.sequence, max(self._newest, record.at)
            entry = self._book.add(record)
            if entry.id == record.sequence and entry.id not in self._sent and _is_told(entry):
                self._pending[entry.id] = entry
        return count > 0

    def ready(self) -> list[LogEntry]:
        """The oldest entries that are over, at most a batch of them."""
        crowd = len(self._pending) - _MOST_PENDING
        over = (
            one
            for number, one in enumerate(self._pending.values())
            if one.outcome != "open" or number < crowd or self._newest - one.at > _MOST_WAITING
        )
        return list(islice(over, _BATCH))

    def is_first(self, entry: LogEntry) -> bool:
        """Whether this is the first entry of its session that is sent."""
        if entry.session is None:
            return False
        if entry.session not in self._first:
            if len(self._first) > _MOST_PENDING:
                self._first.clear()
            book = Logbook()
            entries = map(book.add, self._store.records(session=entry.session))
            self._first[entry.session] = next((one.id for one in entries if _is_told(one)), 0)
        return self._first[entry.session] == entry.id

    def mark_sent(self, entries: Sequence[LogEntry]) -> None:
        for one in entries:
            self._pending.pop(one.id, None)
            self._sent.add(one.id)

    def position(self) -> _Position:
        """How far everything is sent."""
        last = min(self._pending, default=self._cursor + 1) - 1
        self._sent = {id for id in self._sent if id > last}
        at = next(self._store.records(after=last - 1), None) if last > 0 else None
        return _Position(last, at.hash if at is not None and at.sequence == last else "", sorted(self._sent))


def _is_told(entry: LogEntry) -> bool:
    """Whether an entry is sent: calls from their beginning, and events that somebody said something about."""
    if entry.is_call:
        return entry.event in ("PreToolUse", "PermissionRequest") or entry.is_stopped
    return entry.is_notable or entry.event == "SessionStart"


def send_record(
    store: Store,
    sender: Sender,
    *,
    since: float | None = None,
    follow: bool = False,
    say: Callable[[str], None],
    pause: Callable[[float], None] = time.sleep,
) -> None:
    """Send what was not sent yet; with `follow`, go on until interrupted. Raises InterlockError if nobody takes it."""
    with _remembered_place(sender.name) as file:
        tail = RecordTail(store, _start(store, file, since, say))
        total = 0
        while True:
            has_more = tail.read()
            while batch := tail.ready():
                _send(partial(sender.send_spans, batch, tail.is_first), follow, say, pause)
                sender.count(batch)
                _send(sender.send_metrics, follow, say, pause)
                tail.mark_sent(batch)
                write_atomically(file, json.encode(tail.position()))
                total += len(batch)
            if not has_more:
                if not follow:
                    break
                pause(_LOOKS)  # another process writes the record, so it is polled
        say(f"entries sent: {total:,}")


def _send(
    attempt: Callable[[], str | None], again: bool, say: Callable[[str], None], pause: Callable[[float], None]
) -> None:
    seconds, said = _FIRST_PAUSE, None
    while (problem := attempt()) is not None:
        if not again:
            raise InterlockError(f"nothing was remembered as sent: {problem}", help="start it again: nothing is lost")
        if problem != said:
            say(f"not sent: {problem}; it is tried again")
            said = problem
        pause(seconds)
        seconds = min(seconds * 2, _LONGEST_PAUSE)


@contextmanager
def _remembered_place(name: str) -> Iterator[Path]:
    """The file of a sender's position, which no other process uses meanwhile."""
    folder = state_folder() / "telemetry"
    private_folder(folder)
    with (folder / f"{name}.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise InterlockError("another `interlock export --to` sends the record already") from error
        yield folder / f"{name}.json"


def _start(store: Store, file: Path, since: float | None, say: Callable[[str], None]) -> _Position:
    """Where to go on: where the last sending stopped, or where `since` says."""
    try:
        found = json.decode(file.read_bytes(), type=_Position)
    except (FileNotFoundError, DecodeError):
        found = None
    if found is not None:
        at = next(store.records(after=found.sequence - 1), None) if found.sequence > 0 else None
        is_pruned = at is not None and at.sequence > found.sequence
        if found.sequence == 0 or is_pruned or (at is not None and at.hash == found.hash):
            return found
        say("this is not the record that was sent before; it is sent from its beginning")
    first = None if since is None else next(store.records(since=since), None)
    return _Position() if first is None else _Position(first.sequence - 1)
