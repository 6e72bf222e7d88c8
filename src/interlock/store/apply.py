"""What committing an entry means, in one place for every store: check, then write in a fixed order."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from interlock.store.base import Conflict, Duplicate, Pending, Receipt, Scope
from interlock.store.prepare import Prepared
from interlock.store.state import Held, change, lose

__all__ = ["Tables", "apply_entry"]


class Tables(Protocol):
    """The plain operations a store offers inside one write transaction."""

    def answer(self, once: str) -> bytes | None: ...
    def version(self, scope: Scope) -> int: ...
    def held(self, scope: Scope, name: str) -> Held: ...
    def receipt(self, session: str, call: str) -> Receipt | None: ...
    def open_receipts(self, session: str, agent: str) -> list[Receipt]: ...

    def bump(self, scope: Scope) -> None: ...
    def hold(self, scope: Scope, name: str, held: Held) -> None: ...
    def fire(self, scope: Scope, rule: str, at: float) -> None: ...
    def open_receipt(self, receipt: Receipt) -> None: ...
    def close_receipt(self, session: str, call: str) -> None: ...
    def append(self, prepared: Prepared) -> int: ...
    def keep_answer(self, once: str, sequence: int, answer: bytes) -> None: ...


def apply_entry(tables: Tables, prepared: Prepared) -> int:
    """Write one entry and return its sequence number.

    INVARIANT: Conflict and Duplicate are raised before the first write, so that the other entries of a batch can
    share the transaction.
    """
    lost = _check(tables, prepared)
    entry = prepared.entry
    sequence = tables.append(prepared)
    touched = _lose(tables, lost)
    for scope, name, value, whole in prepared.settings:
        tables.hold(scope, name, change(tables.held(scope, name), value, whole=whole))
        touched[scope] = None
    for scope, rule in entry.fired:
        tables.fire(scope, rule, prepared.at)
        touched[scope] = None
    for scope in touched:
        tables.bump(scope)
    if entry.closes is not None:
        tables.close_receipt(*entry.closes)
    if entry.opens is not None:
        tables.open_receipt(entry.opens)
    if entry.once is not None:
        tables.keep_answer(entry.once, sequence, entry.answer)
    return sequence


def _check(tables: Tables, prepared: Prepared) -> list[Receipt]:
    """Refuse what may not be written, and return the receipts whose results are lost with this entry."""
    entry = prepared.entry
    if entry.once is not None and (answer := tables.answer(entry.once)) is not None:
        raise Duplicate(answer)
    for scope, version in entry.expect.items():
        if tables.version(scope) != version:
            raise Conflict(f"the state of {scope.kind} `{scope.id}` has changed since it was read")
    if entry.closes is not None and tables.receipt(*entry.closes) is None:
        # Two deliveries of one result may both have seen the receipt open; only one of them can close it.
        raise Conflict(f"the call `{entry.closes[1]}` has no open receipt")
    failed = None if entry.fails is None else tables.receipt(*entry.fails)
    lost = [] if failed is None else [failed]
    if entry.expires is not None:
        kept = {entry.closes, entry.fails}
        lost += [r for r in tables.open_receipts(*entry.expires) if (r.session, r.call) not in kept]
    return lost


def _lose(tables: Tables, receipts: Iterable[Receipt]) -> dict[Scope, None]:
    touched: dict[Scope, None] = {}
    for receipt in receipts:
        for pending in receipt.pending:
            _mark(tables, pending)
            touched[pending.scope] = None
        tables.close_receipt(receipt.session, receipt.call)
    return touched


def _mark(tables: Tables, pending: Pending) -> None:
    held = tables.held(pending.scope, pending.name)
    tables.hold(pending.scope, pending.name, lose(held, pending.key))
