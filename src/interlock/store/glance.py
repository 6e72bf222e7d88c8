"""A store that shows what another one holds and keeps nothing: for judging a call that nobody makes."""

from __future__ import annotations

from collections.abc import Collection

from interlock.store.asking import Grant
from interlock.store.base import Entry, Receipt, Scope, Session, Snapshot, Stopped, Store, Wants
from interlock.store.memory import MemoryStore

__all__ = ["GlanceStore"]


class GlanceStore(MemoryStore):
    """State, sessions, receipts and grants of another store. What is committed here goes nowhere."""

    def __init__(self, other: Store) -> None:
        super().__init__()
        self._other = other

    def read(self, wanted: Wants) -> Snapshot:
        return self._other.read(wanted)

    def receipt(self, session: str, call: str, guard: str = "") -> Receipt | None:
        return self._other.receipt(session, call, guard)

    def receipts(self, session: str, call: str) -> tuple[Receipt, ...]:
        return self._other.receipts(session, call)

    def session(self, session: str) -> Session | None:
        return self._other.session(session)

    def grants(self, scopes: Collection[Scope] | None = None) -> list[Grant]:
        return self._other.grants(scopes)

    def commit(self, entry: Entry) -> int:
        """Write nothing. A session that was stopped still refuses its calls, as it really would."""
        opens = entry.opens
        if opens is not None and opens.status == "open" and not entry.despite:
            found = self._other.session(opens.session)
            if found is not None and found.breach is not None:
                raise Stopped(found.breach)
        return 0
