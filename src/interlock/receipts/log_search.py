"""Find entries of the record: the newest that match, without reading all of it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from msgspec import Struct, json
from msgspec.structs import replace

from interlock.receipts.logbook import Logbook, LogEntry
from interlock.store.base import Store, StoredRecord

__all__ = ["LogFilter", "entries_in_order", "find_entry", "newest_entries"]

_FIRST = 400  # records that are looked at before more are read
_MORE = 8  # times as many records are looked at next
_MOST_PENDING = 4_000  # entries that more records may belong to, while a long record is read
_MARGIN = 50  # records before the first one that is wanted: two guards may have judged the same call


class LogFilter(Struct, frozen=True, kw_only=True):
    """Which entries are wanted: everything that is given must match."""

    session: str | None = None  # its id, or the beginning of it
    project: str | None = None
    rule: str | None = None  # its id, or a pattern: git/*
    decision: str | None = None
    tool: str | None = None  # its name, or a pattern: mcp__*
    since: float | None = None
    text: str | None = None
    asked: bool = False
    stopped: bool = False
    events: bool = False  # also events that are not calls and that nobody said anything about

    def may_match(self, entry: LogEntry) -> bool:
        """Whether what the first record says, which never changes, is what is wanted."""
        return (
            (self.session is None or (entry.session or "").startswith(self.session))
            and (self.project is None or _is_in(entry, self.project))
            and (self.tool is None or _is_like(entry.tool or "", self.tool))
            and (self.since is None or entry.at >= self.since)
        )

    def matches(self, entry: LogEntry) -> bool:
        return (
            self.may_match(entry)
            and (self.events or entry.is_call or entry.is_notable)
            and (self.rule is None or any(_is_like(rule, self.rule) for rule in entry.rules))
            and (self.decision is None or (entry.decision or "none") == self.decision)
            and (not self.asked or entry.asked_by is not None)
            and (not self.stopped or entry.is_stopped)
            and (self.text is None or self.text.lower() in _search_text(entry))
        )

    def for_store(self, store: Store) -> dict[str, Any]:
        """The part that a store can filter by itself, through its indexes."""
        found: dict[str, Any] = {}
        if self.session is not None and next(store.records(session=self.session, newest=1), None) is not None:
            found["session"] = self.session
        # One of the two: a rule may have spoken about the result, and another event of the call have the decision.
        if self.rule is not None and not _is_pattern(self.rule):
            found["rule"] = self.rule
        elif self.decision not in (None, "none"):
            found["decision"] = self.decision
        if self.since is not None:
            found["since"] = self.since
        return found


def newest_entries(store: Store, wanted: LogFilter, most: int) -> list[LogEntry]:
    """At most so many entries: the newest that match, the oldest of them first."""
    narrowed = wanted.for_store(store)
    if narrowed.keys() <= {"since"}:
        return _scan(store, wanted, most, narrowed)
    size = 2 * most
    while True:
        candidates = [_without_payload(record) for record in store.records(newest=size, **narrowed)]
        numbers = {record.sequence for record in candidates}
        entries = _complete_entries(store, candidates)
        # Reading whole sessions brings in entries that the store's own filters left out.
        met = [one for one in entries if any(record.sequence in numbers for record in one.records)]
        found = [entry for entry in met if wanted.matches(entry)]
        # An entry that began before these records is found by its last record, and newer ones may not be among them.
        sure = sum(entry.id >= min(numbers, default=0) for entry in found)
        if sure >= most or len(candidates) < size:
            return found[-most:]
        size *= _MORE


def _scan(store: Store, wanted: LogFilter, most: int, narrowed: dict[str, Any]) -> list[LogEntry]:
    """The same where no index helps: read the end of the record, and more of it until enough is found."""
    size = max(_FIRST, 4 * most)
    while True:
        newest = store.records(newest=size, **narrowed)
        first = next(newest, None)
        if first is None:
            return []
        is_whole = _is_first(store, first, narrowed)
        kept = most if is_whole else _MORE * most  # some of them may have begun earlier, and so be older than they seem
        found = _matching(store.records(after=first.sequence - _MARGIN, **narrowed), wanted, kept)
        if is_whole:
            return found
        # What began before the first record that was read is only now read from its beginning.
        complete = {entry.id: entry for entry in (_with_beginning(store, one) for one in found)}
        sure = sorted(number for number in complete if number >= first.sequence)
        if len(sure) >= most:
            return [complete[number] for number in sure[-most:]]
        size *= _MORE


def _is_first(store: Store, record: StoredRecord, narrowed: dict[str, Any]) -> bool:
    first = next(store.records(**narrowed), None)
    return first is None or first.sequence >= record.sequence


def _matching(records: Iterable[StoredRecord], wanted: LogFilter, most: int) -> list[LogEntry]:
    """The newest entries that match, in bounded memory however many records there are."""
    book = Logbook()
    pending: dict[int, LogEntry] = {}
    found: deque[LogEntry] = deque(maxlen=most)
    for record in records:
        entry = book.add(record)
        if entry.records[0].sequence == record.sequence and wanted.may_match(entry):
            pending[entry.id] = entry
        if len(pending) > _MOST_PENDING:
            for id_ in list(pending)[: _MOST_PENDING // 2]:
                settled = pending.pop(id_)
                found.extend([settled] if wanted.matches(settled) else ())
    found.extend(entry for entry in pending.values() if wanted.matches(entry))
    return list(found)


def entries_in_order(store: Store, wanted: LogFilter) -> Iterator[LogEntry]:
    """Every entry that matches, in the order in which they began, in bounded memory however many there are.

    An entry is given away once more records have been read than usually lie between a call and its result.
    """
    book = Logbook()
    pending: dict[int, LogEntry] = {}
    narrowed = {name: value for name, value in wanted.for_store(store).items() if name in ("session", "since")}
    for record in store.records(**narrowed):
        entry = book.add(record)
        if entry.id == record.sequence and wanted.may_match(entry):
            pending[entry.id] = entry
        if len(pending) > _MOST_PENDING:
            for id_ in list(pending)[: _MOST_PENDING // 2]:
                settled = pending.pop(id_)
                if wanted.matches(settled):
                    yield settled
    yield from (entry for entry in pending.values() if wanted.matches(entry))


def _with_beginning(store: Store, entry: LogEntry) -> LogEntry:
    if not _lacks_beginning(entry) or entry.session is None:
        return entry
    number = entry.id
    every = Logbook().read(store.records(session=entry.session))
    return next((one for one in every if any(record.sequence == number for record in one.records)), entry)


def _without_payload(record: StoredRecord) -> StoredRecord:
    return replace(record, raw=b"")


def find_entry(store: Store, name: str) -> LogEntry | None:
    """The entry with this number, or about the call with this id of the host's."""
    number = int(name) if name.isdecimal() and len(name) < 16 else None
    if number is not None:
        records: Iterable[StoredRecord] = store.records(after=number - 1)
        first = next(iter(records), None)
        if first is None or first.sequence != number:
            return None
        candidates = [first]
    else:
        candidates = [_without_payload(one) for one in store.records() if name.encode() in one.raw]
    for entry in reversed(_complete_entries(store, candidates, whole=True)):
        if entry.call == name or any(record.sequence == number for record in entry.records):
            return entry
    return None


def _complete_entries(store: Store, candidates: list[StoredRecord], *, whole: bool = False) -> list[LogEntry]:
    """The entries that these records belong to, with all their records; entries of the same sessions come with them."""
    starts: dict[str, int] = {}
    alone = []
    for record in candidates:
        if record.session is None:
            alone.append(record)
        else:
            starts.setdefault(record.session, record.sequence)
    entries = Logbook(whole=whole).read(alone)
    for session, start in starts.items():
        found = Logbook(whole=whole).read(store.records(session=session, after=0 if whole else start - _MARGIN))
        if any(_lacks_beginning(entry) for entry in found):
            found = Logbook(whole=whole).read(store.records(session=session))
        entries += found
    return sorted(entries, key=lambda entry: entry.id)


def _lacks_beginning(entry: LogEntry) -> bool:
    return entry.is_call and entry.event != "PreToolUse"


def _is_in(entry: LogEntry, project: str) -> bool:
    if entry.project is not None:
        return entry.project == project
    # Records of earlier versions do not name the project.
    return bool(entry.cwd) and Path(entry.cwd).is_relative_to(project)


def _is_pattern(text: str) -> bool:
    return any(char in text for char in "*?[")


def _is_like(name: str, wanted: str) -> bool:
    return fnmatchcase(name, wanted) if _is_pattern(wanted) else name == wanted


def _search_text(entry: LogEntry) -> str:
    """Where a text is looked for: the call, why it was stopped, and by whom."""
    return "\n".join(_texts(entry)).lower()


def _texts(entry: LogEntry) -> Iterator[str]:
    yield from (entry.text, entry.tool or "", entry.reason or "", entry.breach or "", *entry.rules)
    if entry.input is not None:
        yield json.encode(entry.input).decode()
