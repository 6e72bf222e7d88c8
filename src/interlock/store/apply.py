"""How an entry is committed, in one place for every store: check it, then write in a fixed order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Protocol

from msgspec import to_builtins
from msgspec.structs import replace

from interlock.errors import InterlockError
from interlock.store.asking import UNANSWERED, ApprovalRequest, Grant, RequestAnswer, late_grant, refuse_answered
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

__all__ = [
    "Tables",
    "answer_request",
    "apply_entry",
    "forget_session",
    "forget_stale",
    "inherit",
    "lift_breach",
    "revoke_grant",
]


class Tables(Protocol):
    """The basic operations that a store offers inside one write transaction."""

    def answer(self, once: str) -> bytes | None: ...
    def version(self, scope: Scope) -> int: ...
    def held(self, scope: Scope, name: str) -> StateValue: ...
    def receipt(self, key: CallKey) -> Receipt | None: ...
    def open_receipts(self, session: str, agent: str | None = None) -> list[Receipt]: ...
    def session(self, session: str) -> Session | None: ...
    def request(self, id: str) -> ApprovalRequest | None: ...
    def open_requests(self, session: str) -> list[ApprovalRequest]: ...
    def grant(self, id: str) -> Grant | None: ...
    def grants_of(self, scope: Scope) -> list[Grant]: ...
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
    def keep_request(self, request: ApprovalRequest) -> None: ...
    def keep_grant(self, grant: Grant) -> None: ...
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
    if entry.asks is not None:
        tables.keep_request(entry.asks)
    if entry.leaves is not None:
        _leave(tables, entry.leaves, prepared.at)
    if entry.drops is not None:
        _drop(tables, entry.drops)
    if entry.spends is not None:
        _spend(tables, entry.spends)
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
    if entry.spends is not None and not _holds(tables.grant(entry.spends), prepared.at):
        # Two calls may both have found its last use; only one of them can have it.
        raise Conflict(f"the grant `{entry.spends}` no longer holds")
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


def _holds(grant: Grant | None, at: float) -> bool:
    return grant is not None and grant.holds_at(at)


def _leave(tables: Tables, id: str, at: float) -> None:
    request = tables.request(id)
    if request is None:
        return
    if request.status == "waiting":
        tables.keep_request(replace(request, status="open"))
    elif request.status == "yes" and request.edit is None:
        late = late_grant(request, at)  # the yes came while the call was giving up
        if tables.grant(late.id) is None:
            tables.keep_grant(late)


def _drop(tables: Tables, id: str) -> None:
    request = tables.request(id)
    if request is not None and request.status in UNANSWERED:
        tables.keep_request(replace(request, status="over"))


def _spend(tables: Tables, id: str) -> None:
    grant = tables.grant(id)
    if grant is not None:  # as was checked before anything was written
        left = None if grant.left is None else grant.left - 1
        tables.keep_grant(replace(grant, used=grant.used + 1, left=left))


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
        _end_asking(tables, note.session, at)
        found = replace(found, since=None)
    if note.breach is not None:
        found = replace(found, breach=found.breach or note.breach)
    tables.keep_session(note.session, found)


def _end_asking(tables: Tables, session: str, at: float) -> None:
    """Nobody needs the answers any more, and what was granted for the session ends with it."""
    for request in tables.open_requests(session):
        tables.keep_request(replace(request, status="over"))
    for grant in tables.grants_of(Scope("session", session)):
        tables.keep_grant(replace(grant, revoked=at))


def answer_request(tables: Tables, id: str, answer: RequestAnswer, grant: Grant | None) -> ApprovalRequest:
    """Write a person's answer, and the grant that they give with it."""
    found = tables.request(id)
    if found is None:
        raise InterlockError(f"there is no request `{id}`", help="interlock inbox shows what waits")
    refuse_answered(found)
    said = replace(
        found,
        status="yes" if answer.yes else "no",
        answered=answer.at,
        by=answer.by,
        note=answer.note,
        edit=answer.edit,
    )
    is_late = found.is_late_at(answer.at)
    if is_late and answer.edit is not None:
        raise InterlockError(
            f"request {id} no longer waits, so the call cannot be edited", help="say yes as it is, or no with a note"
        )
    tables.advance()
    tables.keep_request(said)
    given = [grant] if grant is not None else []
    if is_late and answer.yes:
        given.append(late_grant(said, answer.at))
    for one in given:
        tables.keep_grant(one)
    record = {
        "event": "Answer",
        "session": found.session,
        "tool": found.tool,
        "request": id,
        "answer": said.status,
        "by": answer.by,
        "late": is_late,
        "note": answer.note,
        "edited": answer.edit is not None,
        "grant": None if grant is None else _grant_in_record(grant),
    }
    _record(tables, record, answer.at)
    return said


def revoke_grant(tables: Tables, id: str, by: str, at: float) -> bool:
    """Take a grant back."""
    found = tables.grant(id)
    if found is None or found.revoked is not None:
        return False
    tables.advance()
    tables.keep_grant(replace(found, revoked=at))
    _record(tables, {"event": "Revoke", "session": None, "by": by, "grant": _grant_in_record(found)}, at)
    return True


def _grant_in_record(grant: Grant) -> dict[str, Any]:
    kept = ("id", "text", "left", "until", "used")
    return {name: value for name, value in to_builtins(grant).items() if name in kept} | {"scope": list(grant.scope)}


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
    _end_asking(tables, session, at)
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
