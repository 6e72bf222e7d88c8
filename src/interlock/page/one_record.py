"""One entry of the record whole: the call, what was said about it, what became of it, and its place in the chain."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from msgspec import DecodeError, Struct, json

from interlock.facts.results import meaning
from interlock.page.call_text import Piece, pieces_of, text_of_call, visible
from interlock.page.context import PageContext
from interlock.page.digest.entries import entry_row
from interlock.page.digest.rows import EntryRow, row_of
from interlock.page.digest.timeline import entries_around, next_calls
from interlock.receipts.log_search import find_entry
from interlock.receipts.logbook import Logbook, LogEntry, payload_in
from interlock.store.base import Receipt, Store, StoredRecord

__all__ = ["ChainLinks", "EntryAccount", "RecordAccount", "RuleOpinion", "account_of_entry", "entry_at"]

JsonObject: TypeAlias = dict[str, Any]

_MOST_RESULT = 6_000  # characters of a result
_AFTERWARDS = 20  # records after its last one in which an answer, or the end of its batch, is found
_MOST_RAW = 200_000  # characters of a record as JSON
_LABELS = {"denied": "Not run", "unanswered": "Not run", "refused": "Not run", "open": "Runs", "no result": "Let run"}


class RuleOpinion(Struct, frozen=True, kw_only=True):
    """What one rule or hook said."""

    by: str
    said: str  # its decision, `change`, or what else it does
    reason: str
    place: str  # file:line
    would: bool = False  # it only observes


class RecordAccount(Struct, frozen=True):
    """One record of the entry."""

    sequence: int
    at: float
    event: str
    decision: str
    hash: str
    size: int
    text: str  # the event as it was recorded, and the record, as JSON


class ChainLinks(Struct, frozen=True):
    """The hashes before, of and after the entry's first record. Empty where there is none, or it was pruned."""

    before: str
    this: str
    after: str


class EntryAccount(Struct, frozen=True, kw_only=True):
    """Everything that the page says about one entry."""

    row: EntryRow
    label: str  # of the call as it ran, or did not
    wrote: list[Piece] | None  # what the agent wrote, if that was changed
    ran: list[Piece]
    original: str  # to be copied
    changed_by: list[str]
    opinions: list[RuleOpinion]
    reason: str
    answer: JsonObject | None  # who answered, what, and when
    grant: str
    errors: list[str]
    notices: list[str]
    result: str
    result_size: int
    withheld: str
    records: list[RecordAccount]
    receipts: tuple[Receipt, ...]
    links: ChainLinks
    mode: str
    cwd: str
    followed_by: list[EntryRow]


def entry_at(context: PageContext, number: int) -> LogEntry | None:
    """The entry that a record belongs to, with the events as they were recorded."""
    row = entry_row(context.digest, number)
    if row is not None:
        return _read_entry(context, row) or find_entry(context.store, str(number))
    record = next(context.store.records(after=number - 1), None)
    if record is None or record.sequence != number:
        return None
    for candidate in entries_around(context.digest, record.session or "", number):
        entry = _read_entry(context, candidate)
        if entry is not None and any(one.sequence == number for one in entry.records):
            return entry
    return find_entry(context.store, str(number))


def _read_entry(context: PageContext, row: EntryRow) -> LogEntry | None:
    """An entry that the digest knows. Its session may be long, and only the part that it is in is read."""
    if not row.session:
        return None
    book = Logbook(whole=True)
    found: LogEntry | None = None
    for record in context.store.records(after=row.id - 1, session=row.session):
        entry = book.add(record)
        found = entry if entry.id == row.id else found
        if record.sequence >= row.last + _AFTERWARDS:
            break
    return found


def account_of_entry(context: PageContext, entry: LogEntry) -> EntryAccount:
    """What the page says about an entry."""
    row = row_of(entry)
    given = entry.input or {}
    after = entry.input_after
    before_text, after_text = _call_text(entry, given), _call_text(entry, after)
    is_changed = before_text != after_text
    reasons = [str(one.get("reason") or "") for one in entry.opinions]
    result, size = _result(entry)
    return EntryAccount(
        row=row,
        label=_label(row) if entry.is_call else "Event",
        wrote=pieces_of(before_text, after_text, "before", []) if is_changed else None,
        ran=pieces_of(after_text, before_text if is_changed else None, "after", reasons),
        original=after_text,
        changed_by=list(dict.fromkeys(str(change.get("by") or "") for change in entry.changes)),
        opinions=list(_opinions(entry)),
        reason=entry.reason or "",
        answer=None if entry.reply is None else {"at": entry.reply.at, **entry.reply.record},
        grant=next((str(one.record["grant"]) for one in entry.records if one.record.get("grant")), ""),
        errors=entry.errors,
        notices=list(dict.fromkeys(str(note) for one in entry.records for note in one.record.get("notices") or ())),
        result=result,
        result_size=size,
        withheld=next((str(one.record["withheld"]) for one in entry.records if one.record.get("withheld")), ""),
        records=[_record(one) for one in entry.records],
        receipts=context.store.receipts(row.session, entry.call) if row.session and entry.call else (),
        links=_links(context.store, entry.records[0]),
        mode=str(entry.payload.get("permission_mode") or ""),
        cwd=entry.cwd,
        followed_by=next_calls(context.digest, row.session, row.id) if row.session and entry.is_call else [],
    )


def _label(row: EntryRow) -> str:
    if row.outcome == "open" and row.is_asked:
        return {"none": "Would run", "no": "Not run"}.get(row.answer, "Runs")
    return _LABELS.get(row.outcome, "Ran")


def _call_text(entry: LogEntry, given: JsonObject) -> str:
    if entry.is_call:
        return text_of_call(entry.tool or "", given)
    return visible(row_of(entry).text)


def _opinions(entry: LogEntry) -> Iterator[RuleOpinion]:
    seen = set()
    for one in entry.opinions:
        source: list[Any] = one.get("source") or []
        place = f"{source[0]}:{source[1]}" if len(source) > 1 else ""
        said = one.get("would") or one.get("decision")
        effects = [word for name, word in _EFFECTS.items() if one.get(name) not in (None, False)]
        text = str(one.get("reason") or one.get("error") or one.get("notice") or one.get("context") or "")
        found = RuleOpinion(
            by=str(one.get("by") or ""),
            said=str(said or (effects[0] if effects else "none")),
            reason=text,
            place=place,
            would=one.get("would") is not None,
        )
        key = (found.by, found.said, found.reason)
        if key not in seen:
            seen.add(key)
            yield found


_EFFECTS = {"error": "error", "change": "change", "withhold": "withheld", "output": "change", "set": "sets state"}


def _result(entry: LogEntry) -> tuple[str, int]:
    """What the tool returned, as it was recorded, and how long it was."""
    for record in reversed(entry.records):
        payload = payload_in(record)
        value = payload.get("tool_response", payload.get("error"))
        if value is not None and record.event in ("PostToolUse", "PostToolUseFailure"):
            text = _result_text(entry.tool or "", value)
            return visible(text[:_MOST_RESULT]), len(text)
    return "", 0


def _result_text(tool: str, value: Any) -> str:
    said = meaning(tool, value) if not isinstance(value, str) else value
    if isinstance(said, str):
        return said
    if isinstance(said, dict):
        parts = [said[name] for name in ("stdout", "stderr", "content", "text") if isinstance(said.get(name), str)]
        if any(parts):
            return "\n".join(part for part in parts if part)
    return json.format(json.encode(said), indent=2).decode()


def _record(record: StoredRecord) -> RecordAccount:
    try:
        event = json.format(record.raw, indent=2).decode() if record.raw else "(no event)"
    except (DecodeError, UnicodeDecodeError):
        event = record.raw.decode("utf-8", "replace")
    said = json.format(json.encode(record.record), indent=2).decode()
    text = visible(f"{event}\n\n{said}")[:_MOST_RAW]
    return RecordAccount(
        record.sequence, record.at, record.event or "", record.decision or "none", record.hash, len(record.raw), text
    )


def _links(store: Store, record: StoredRecord) -> ChainLinks:
    around = []
    for one in store.records(after=max(0, record.sequence - 2)):
        around.append((one.sequence, one.hash))
        if one.sequence > record.sequence:
            break
    found = dict(around)
    return ChainLinks(found.get(record.sequence - 1, ""), record.hash, found.get(record.sequence + 1, ""))
