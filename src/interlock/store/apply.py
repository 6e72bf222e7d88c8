"""How an entry is committed, in one place for every store: check it, then write in a fixed order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Protocol

from msgspec.structs import replace

from interlock.store.base import (
    SESSIONS_KEPT,
    CallKey,
    Conflict,
    Duplicate,
    Entry,
    Forked,
    Note,
    Pending,
    Receipt,
    Scope,
    Session,
    Status,
    Stopped,
)
from interlock.store.prepare import PreparedEntry, prepare
from interlock.store.state import StateValue, change, lose

__all__ = ["Tables", "apply_entry", "forget_session", "forget_stale", "inherit", "lift_breach"]


class Tables(Protocol):
    """The basic operations that a store offers inside one write transaction."""

    def answer(self, once: str) -> bytes | None: ...
    def version(self, scope: Scope) -> int: ...
    def held(self, scope: Scope, name: str) -> StateValue: ...
    def receipt(self, key: CallKey) -> Receipt | None: ...
    def open_receipts(self, session: str, agent: str | None = None) -> list[Receipt]: ...
    def session(self, session: str) -> Session | None: ...
    def newest(self) -> float | None: ...
    def untouched(self, before: float) -> list[str]: ...

    def bump(self, scope: Scope, at: float) -> None: ...
    def hold(self, scope: Scope, name: str, held: StateValue) -> None: ...
    def fire(self, scope: Scope, rule: str, at: float) -> None: ...
    def open_receipt(self, receipt: Receipt) -> None: ...
    def close_receipt(self, key: CallKey, status: Status, withheld: str | None = None) -> None: ...
    def drop_receipts(self, session: str) -> None: ...
    def keep_session(self, session: str, found: Session) -> None: ...
    def drop_session(self, session: str) -> None: ...
    def copy_scope(self, parent: Scope, child: Scope) -> None: ...
    def advance(self) -> int: ...
    def append(self, prepared: PreparedEntry) -> None: ...
    def keep_answer(self, once: str, sequence: int, answer: bytes) -> None: ...


def apply_entry(tables: Tables, prepared: PreparedEntry) -> int:
    """Write one entry and return its sequence number.

    INVARIANT: Conflict, Duplicate, Stopped and Forked are raised before the first write, so that the other entries of
    a batch can share the transaction.
    """
    lost = _check(tables, prepared)
    entry = prepared.entry
    sequence = tables.advance()
    touched = _lose(tables, lost)
    for scope, name, value, whole in prepared.settings:
        tables.hold(scope, name, change(tables.held(scope, name), value, whole=whole))
        touched[scope] = None
    for scope, rule in entry.fired:
        tables.fire(scope, rule, prepared.at)
        touched[scope] = None
    for scope in touched:
        tables.bump(scope, prepared.at)
    if entry.closes is not None:
        tables.close_receipt(entry.closes, "closed")
    if entry.opens is not None:
        tables.open_receipt(entry.opens)
    if entry.once is not None:
        tables.keep_answer(entry.once, sequence, entry.answer)
    if entry.notes is not None:
        _write_note(tables, entry.notes, prepared.at)
    tables.append(prepared)  # last, because a record states what the tables are after it
    return sequence


def _check(tables: Tables, prepared: PreparedEntry) -> list[tuple[Receipt, Status, str | None]]:
    """Refuse an entry that may not be written, and return the receipts whose results are lost with it."""
    entry = prepared.entry
    if entry.once is not None and (answer := tables.answer(entry.once)) is not None:
        raise Duplicate(answer)
    for scope, version in entry.expect.items():
        if tables.version(scope) != version:
            raise Conflict(f"the state of {scope.kind} `{scope.id}` has changed since it was read")
    if entry.opens is not None and not entry.despite:
        _check_session(tables, entry.opens)
    if entry.closes is not None and not _is_open(tables.receipt(entry.closes)):
        # Two deliveries of one result may both have found the receipt open; only one of them can close it.
        raise Conflict(f"the call `{entry.closes.call}` has no open receipt")
    if entry.fails is None and entry.expires is None and entry.notes is None:
        return []
    return list(_losses(tables, entry))


def _check_session(tables: Tables, opens: Receipt) -> None:
    # Inside the transaction, so that a call judged before a breach but committed after it does not run either.
    found = tables.session(opens.session)
    if found is None:
        return
    if found.forked:
        raise Forked(opens.session)
    if found.breach is not None and opens.status == "open":
        raise Stopped(found.breach)


def _is_open(receipt: Receipt | None) -> bool:
    return receipt is not None and receipt.status == "open"


def _losses(tables: Tables, entry: Entry) -> Iterator[tuple[Receipt, Status, str | None]]:
    if entry.fails is not None:
        failed = tables.receipt(entry.fails)
        if failed is not None and failed.status == "open":
            yield failed, "failed", entry.withheld
    kept = {entry.closes, entry.fails}
    unreported = tables.open_receipts(*entry.expires) if entry.expires is not None else []
    unreported += tables.open_receipts(entry.notes.session) if entry.notes is not None and entry.notes.end else []
    for receipt in unreported:
        if receipt.key not in kept:
            kept.add(receipt.key)
            yield receipt, "expired", None


def _lose(tables: Tables, lost: Iterable[tuple[Receipt, Status, str | None]]) -> dict[Scope, None]:
    touched: dict[Scope, None] = {}
    for receipt, status, withheld in lost:
        for pending in receipt.pending:
            _mark(tables, pending)
            touched[pending.scope] = None
        tables.close_receipt(receipt.key, status, withheld)
    return touched


def _write_note(tables: Tables, note: Note, at: float) -> None:
    found = replace(tables.session(note.session) or Session(at), touched=at)
    if note.watch and found.since is None:
        found = replace(found, since=at)
    if note.fork:
        found = replace(found, forked=True)
    if note.end:
        tables.drop_receipts(note.session)
        found = replace(found, since=None)
    if note.breach is not None:
        found = replace(found, breach=found.breach or note.breach)
    tables.keep_session(note.session, found)


def inherit(tables: Tables, parent: str | None, child: str) -> None:
    """Give a fork its parent's state, and note that it has it now."""
    tables.advance()
    if parent is not None:
        tables.copy_scope(Scope("session", parent), Scope("session", child))
    found = tables.session(child)
    if found is not None and found.forked:
        tables.keep_session(child, replace(found, forked=False))
    _record(tables, {"event": "Inherit", "session": child, "parent": parent})


def lift_breach(tables: Tables, session: str, by: str | None, at: float | None) -> bool:
    """Let a stopped session go on."""
    found = tables.session(session)
    if found is None or found.breach is None:
        return False
    tables.advance()
    tables.keep_session(session, replace(found, breach=None, since=None))
    _record(tables, {"event": "Lift", "session": session, "by": by, "breach": found.breach}, at)
    return True


def forget_session(tables: Tables, session: str) -> None:
    """Drop what is kept about a session. What its open calls would have set elsewhere becomes unknown."""
    tables.advance()
    at = tables.newest() or 0.0
    for scope in _lose(tables, [(one, "expired", None) for one in tables.open_receipts(session)]):
        tables.bump(scope, at)
    tables.drop_receipts(session)
    tables.drop_session(session)
    _record(tables, {"event": "Forget", "session": session})


def _record(tables: Tables, record: dict[str, Any], at: float | None = None) -> None:
    """Record a change to the tables that no host event caused; its time is the newest record's unless `at` is given."""
    when = at if at is not None else tables.newest() or 0.0
    tables.append(prepare(Entry(record=record, raw=b"", at=when)))


def forget_stale(tables: Tables) -> None:
    """Drop what is kept about sessions that are too old to be resumed."""
    newest = tables.newest()
    if newest is not None:
        for session in tables.untouched(newest - SESSIONS_KEPT):
            forget_session(tables, session)


def _mark(tables: Tables, pending: Pending) -> None:
    held = tables.held(pending.scope, pending.name)
    tables.hold(pending.scope, pending.name, lose(held, pending.key))
