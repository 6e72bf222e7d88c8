"""What the digest knows of a session besides its calls: whose it is, what it is about, and when it was at work."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

from msgspec import Struct

from interlock.receipts.logbook import LogEntry
from interlock.store.base import StoredRecord

__all__ = ["SessionNotes", "SessionRow"]

_MOST_TITLE = 300
# The time before one of these was not the agent's: a person was thinking, or nobody was there.
_IDLE = frozenset({"UserPromptSubmit", "SessionStart", "SessionEnd", "Notification", "Lift", "Forget"})


class SessionRow(Struct):
    """A session, as far as its records tell without their calls."""

    id: str
    project: str
    host: str
    title: str  # the first prompt
    began: float
    last: float
    ended: float | None
    busy: float  # seconds between its records, without those in which it was a person's turn


class SessionNotes:
    """The sessions of one step: read when their first record comes, written at the end."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._rows: dict[str, SessionRow] = {}

    def take(self, record: StoredRecord, entries: Mapping[int, LogEntry]) -> None:
        id_ = record.session
        if not id_:
            return
        row = self._rows.get(id_)
        if row is None:
            row = self._rows[id_] = self._read(id_) or SessionRow(id_, "", "", "", record.at, record.at, None, 0.0)
        if record.event not in _IDLE:
            row.busy += max(0.0, record.at - row.last)
        row.last = max(row.last, record.at)
        if record.event not in ("Forget", "Lift", "Answer", "Abandoned", "Paused"):
            row.ended = record.at if record.event == "SessionEnd" else None
        row.project = row.project or str(record.record.get("project") or "")
        row.host = row.host or str(record.record.get("host") or "")
        if record.event == "UserPromptSubmit" and not row.title:
            row.title = entries[record.sequence].text.strip()[:_MOST_TITLE]

    def _read(self, id_: str) -> SessionRow | None:
        names = ", ".join(SessionRow.__struct_fields__)
        found = self._connection.execute(f"SELECT {names} FROM session WHERE id = ?", (id_,)).fetchone()  # noqa: S608
        return None if found is None else SessionRow(*found)

    def write(self) -> None:
        names = SessionRow.__struct_fields__
        sets = ", ".join(f"{name} = excluded.{name}" for name in names[1:])
        self._connection.executemany(
            f"INSERT INTO session ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"  # noqa: S608 - ours
            f" ON CONFLICT (id) DO UPDATE SET {sets}",
            [tuple(getattr(row, name) for name in names) for row in self._rows.values()],
        )
