"""Encode an entry in the caller's thread, so that an entry that cannot be kept fails there, alone."""

from __future__ import annotations

import json
from math import isfinite
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import astuple

from interlock.errors import InterlockError
from interlock.store.base import Entry, Pending, Receipt, Scope
from interlock.store.state import encode_value

__all__ = ["Columns", "PreparedEntry", "Setting", "check_texts", "columns_of", "prepare"]

_encode = msgspec.json.Encoder(order="deterministic").encode


class Columns(NamedTuple):
    """The fields of a record by which it can be filtered."""

    session: str | None
    event: str | None
    tool: str | None
    decision: str | None


class Setting(NamedTuple):
    """A change with its value encoded."""

    scope: Scope
    name: str
    value: str
    whole: bool


class PreparedEntry(NamedTuple):
    """An entry, checked and encoded."""

    entry: Entry
    at: float
    columns: Columns
    rules: tuple[str, ...]
    body: bytes
    raw: bytes
    settings: tuple[Setting, ...]

    @property
    def size(self) -> int:
        return len(self.body) + len(self.raw) + len(self.entry.answer)


def prepare(entry: Entry) -> PreparedEntry:
    """Check and encode an entry. Raises InterlockError for anything that cannot be kept unchanged."""
    prepared = PreparedEntry(
        entry=entry,
        at=_time(entry.at),
        columns=columns_of(entry.record),
        rules=_rules(entry),
        body=_body(entry.record),
        raw=bytes(entry.raw),
        settings=tuple(Setting(c.scope, c.name, encode_value(c.name, c.value), c.whole) for c in entry.changes),
    )
    check_texts(_texts_of_entry(prepared))
    return prepared


def check_texts(texts: list[str]) -> None:
    """Refuse here any text that the database cannot store; later, one bad entry would fail its whole batch."""
    try:
        "".join(texts).encode()
    except UnicodeEncodeError as error:
        raise InterlockError("a name or an id of this event holds half a surrogate pair") from error


def columns_of(record: dict[str, Any]) -> Columns:
    """The columns of a record; they are derived from it, so that the chain covers them too."""
    return Columns(*(value if isinstance(value := record.get(name), str) else None for name in Columns._fields))


def _rules(entry: Entry) -> tuple[str, ...]:
    named = entry.record.get("rules")
    rules = named if isinstance(named, list | tuple) else [rule for _, rule in entry.fired]
    return tuple(dict.fromkeys(str(rule) for rule in rules))


def _body(record: dict[str, Any]) -> bytes:
    try:
        return _encode(record)
    except (TypeError, ValueError, OverflowError, RecursionError):
        pass
    try:  # the slower encoder can write integers over 64 bits and half surrogate pairs
        return json.dumps(record, sort_keys=True, separators=(",", ":")).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise InterlockError(f"the record is not JSON: {error}") from error


def _time(at: float) -> float:
    if not isfinite(at):
        raise InterlockError(f"the time of the record is {at}")
    return float(at)


def _texts_of_entry(prepared: PreparedEntry) -> list[str]:
    entry = prepared.entry
    texts = [*(text for text in prepared.columns if text), *prepared.rules, entry.once or ""]
    texts += [part for setting in prepared.settings for part in (*setting.scope, setting.name)]
    texts += [part for scope, rule in entry.fired for part in (*scope, rule)]
    texts += [part for scope in entry.expect for part in scope]
    texts += [part for pair in (entry.closes, entry.fails, entry.expires) if pair for part in pair]
    if entry.withheld is not None:
        texts.append(entry.withheld)
    if entry.notes is not None:
        texts += [entry.notes.session, entry.notes.breach or ""]
    if entry.asks is not None:
        _time(entry.asks.at)
        texts += [part for part in astuple(entry.asks) if isinstance(part, str)]
    texts += [part for part in (entry.leaves, entry.drops, entry.spends) if part]
    if entry.opens is not None:
        _time(entry.opens.at)
        texts += _texts_of_receipt(entry.opens)
    return texts


def _texts_of_receipt(receipt: Receipt) -> list[str]:
    texts = [receipt.session, receipt.call, receipt.tool, receipt.input_digest, receipt.decision or "", receipt.agent]
    texts += [receipt.guard, receipt.cwd, receipt.said or "", receipt.withheld or ""]
    return texts + [part for pending in receipt.pending for part in _texts_of_pending(pending)]


def _texts_of_pending(pending: Pending) -> tuple[str, ...]:
    return (*pending.scope, pending.name, pending.key or "")
