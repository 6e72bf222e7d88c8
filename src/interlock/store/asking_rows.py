"""Questions and grants as rows of the SQLite store."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from typing import Any

from msgspec.structs import astuple

from interlock.store.asking import GRANTS_KEPT, ApprovalRequest, Grant
from interlock.store.base import Scope

__all__ = [
    "ASKING_TABLES",
    "WAITER_COLUMN",
    "keep_grant",
    "keep_request",
    "read_grant",
    "read_grants",
    "read_request",
    "read_requests",
    "read_waiting",
    "sweep_asking",
]

# The columns are the fields of the structs, in their order; a scope is two columns.
WAITER_COLUMN = "waiter TEXT NOT NULL"  # since format 5
ASKING_TABLES = f"""
CREATE TABLE request (
  id TEXT PRIMARY KEY, session TEXT NOT NULL, tool TEXT NOT NULL, at REAL NOT NULL, until REAL NOT NULL,
  status TEXT NOT NULL, agent TEXT NOT NULL, project TEXT NOT NULL, host TEXT NOT NULL, call TEXT NOT NULL,
  guard TEXT NOT NULL, "key" TEXT NOT NULL, shape TEXT NOT NULL, body BLOB NOT NULL, answered REAL, "by" TEXT,
  note TEXT, edit BLOB, {WAITER_COLUMN}) WITHOUT ROWID;
CREATE INDEX request_unanswered ON request (at) WHERE status IN ('waiting', 'open');
CREATE INDEX request_session ON request (session, at);
CREATE TABLE granted (
  id TEXT PRIMARY KEY, at REAL NOT NULL, "by" TEXT NOT NULL, kind TEXT NOT NULL, owner TEXT NOT NULL,
  text TEXT NOT NULL, "match" BLOB NOT NULL, "key" TEXT NOT NULL, agent TEXT, "left" INTEGER, until REAL,
  used INTEGER NOT NULL, revoked REAL, request TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX granted_owner ON granted (kind, owner) WHERE revoked IS NULL;
"""
_QUESTION = ", ".join(f'"{name}"' for name in ApprovalRequest.__struct_fields__)
_PLACES = ", ".join("?" * len(ApprovalRequest.__struct_fields__))
_GRANT = 'id, at, "by", kind, owner, text, "match", "key", agent, "left", until, used, revoked, request'


def read_request(connection: sqlite3.Connection, id: str) -> ApprovalRequest | None:
    row = connection.execute(f"SELECT {_QUESTION} FROM request WHERE id = ?", (id,)).fetchone()  # noqa: S608 - ours
    return None if row is None else _request(row)


def read_requests(
    connection: sqlite3.Connection, statuses: Collection[str] | None, session: str | None, newest: int | None
) -> list[ApprovalRequest]:
    """Questions, the oldest first; only the `newest` of them, if given."""
    tests, values = [], list[Any]()
    if statuses is not None:
        # Written out, so that SQLite sees that its index of the unanswered ones applies.
        tests.append(f"status IN ({', '.join(repr(one) for one in sorted(statuses) if one.isalpha())})")
    if session is not None:
        tests.append("session = ?")
        values.append(session)
    where = f" WHERE {' AND '.join(tests)}" if tests else ""
    query = f"SELECT {_QUESTION} FROM request{where} ORDER BY at DESC, id DESC LIMIT ?"  # noqa: S608 - ours
    rows = connection.execute(query, (*values, -1 if newest is None else newest)).fetchall()
    return [_request(row) for row in reversed(rows)]


def read_waiting(connection: sqlite3.Connection, ids: Collection[str]) -> frozenset[str]:
    """Which of these requests still wait."""
    marks = ", ".join("?" * len(ids))
    query = f"SELECT id FROM request WHERE id IN ({marks}) AND status = 'waiting'"  # noqa: S608 - nothing but marks
    return frozenset(id for (id,) in connection.execute(query, tuple(ids)).fetchall())


def keep_request(connection: sqlite3.Connection, request: ApprovalRequest) -> None:
    connection.execute(f"INSERT OR REPLACE INTO request VALUES ({_PLACES})", astuple(request))  # noqa: S608 - ours


def read_grant(connection: sqlite3.Connection, id: str) -> Grant | None:
    row = connection.execute(f"SELECT {_GRANT} FROM granted WHERE id = ?", (id,)).fetchone()  # noqa: S608 - ours
    return None if row is None else _grant(row)


def read_grants(connection: sqlite3.Connection, scopes: Collection[Scope] | None) -> list[Grant]:
    """Grants, the oldest first: all of them, or those of these scopes that were not taken back."""
    query = f"SELECT {_GRANT} FROM granted"  # noqa: S608 - ours
    if scopes is None:
        return [_grant(row) for row in connection.execute(f"{query} ORDER BY at, id").fetchall()]
    found: list[Grant] = []
    for scope in scopes:
        rows = connection.execute(f"{query} WHERE revoked IS NULL AND kind = ? AND owner = ?", scope).fetchall()
        found += [_grant(row) for row in rows]
    return sorted(found, key=lambda one: (one.at, one.id))


def keep_grant(connection: sqlite3.Connection, grant: Grant) -> None:
    connection.execute(
        "INSERT OR REPLACE INTO granted VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *(grant.id, grant.at, grant.by, *grant.scope, grant.text, grant.match, grant.key, grant.agent),
            *(grant.left, grant.until, grant.used, grant.revoked, grant.request),
        ),
    )


def sweep_asking(connection: sqlite3.Connection, now: float) -> None:
    """Drop requests and grants that ended long ago."""
    connection.execute("DELETE FROM request WHERE status NOT IN ('waiting', 'open') AND at < ?", (now - GRANTS_KEPT,))
    connection.execute(
        'DELETE FROM granted WHERE at < ?1 AND (revoked IS NOT NULL OR "left" = 0 OR until < ?1)', (now - GRANTS_KEPT,)
    )


def _request(row: tuple[Any, ...]) -> ApprovalRequest:
    return ApprovalRequest(**dict(zip(ApprovalRequest.__struct_fields__, row, strict=True)))


def _grant(row: tuple[Any, ...]) -> Grant:
    id, at, by, kind, owner, text, match, key, agent, left, until, used, revoked, request = row
    return Grant(
        id=id,
        at=at,
        by=by,
        scope=Scope(kind, owner),
        text=text,
        match=match,
        key=key,
        agent=agent,
        left=left,
        until=until,
        used=used,
        revoked=revoked,
        request=request,
    )
