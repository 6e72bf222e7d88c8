"""The basic operations of the SQLite store inside one write transaction."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from typing import Any

from msgspec import Struct

from interlock.store.asking import UNANSWERED, ApprovalRequest, Grant
from interlock.store.asking_rows import (
    keep_grant,
    keep_request,
    read_grant,
    read_grants,
    read_request,
    read_requests,
    sweep_asking,
)
from interlock.store.base import (
    ANSWERS_KEPT,
    MOST_FIRINGS,
    RECEIPTS_KEPT,
    CallKey,
    Pending,
    Receipt,
    Scope,
    Session,
    Snapshot,
    Status,
    StoreError,
)
from interlock.store.chain import Line, Log, Segment, encode_rules, genesis, link
from interlock.store.prepare import PreparedEntry
from interlock.store.state import NOTHING, StateValue, value_of
from interlock.store.tally import Tally

__all__ = [
    "SqlTables",
    "read_answer",
    "read_firings",
    "read_held",
    "read_receipt",
    "read_receipts",
    "read_scope",
    "read_segments",
    "read_session",
    "read_states",
    "read_stopped",
]

_SWEEP_EVERY = 32  # segments: a sweep walks all receipts, which costs less than one more index on every call
_TRIM_EVERY = 251  # a prime, so that rules that fire in turns all get their turn

_RECEIPT = (
    "SELECT session, call, tool, input_digest, decision, at, agent, pending, status, input, cwd, said, withheld,"
    " guard FROM receipt WHERE session = ?"
)

_OF_SCOPE = (
    "DELETE FROM state WHERE scope = ?",
    "DELETE FROM firing WHERE scope = ?",
    "DELETE FROM scope WHERE key = ?",
)


# --- reading, inside any transaction -----------------------------------------------------------------------


def read_scope(connection: sqlite3.Connection, scope: Scope) -> tuple[int, int] | None:
    """The key and the version of a scope, if anything was ever written to it."""
    row: tuple[int, int] | None = connection.execute(
        "SELECT key, version FROM scope WHERE kind = ? AND id = ?", scope
    ).fetchone()
    return row


def read_states(
    connection: sqlite3.Connection, names: Mapping[Scope, Collection[str]]
) -> tuple[Snapshot, dict[Scope, int]]:
    """The state of these scopes, for the names wanted, and the keys of those that exist. One statement."""
    snapshot, keys = Snapshot(versions=dict.fromkeys(names, 0)), dict[Scope, int]()
    if not names:
        return snapshot, keys
    wanted = list(dict.fromkeys(name for some in names.values() for name in some))
    rows = connection.execute(
        _states_of(len(wanted), len(names)), [*wanted, *(part for scope in names for part in scope)]
    ).fetchall()
    for kind, id_, version, key, name, value, unknown in rows:
        scope = Scope(kind, id_)
        snapshot.versions[scope], keys[scope] = version, key
        if name is not None and name in names[scope] and (held := _state_value(value, unknown)) != NOTHING:
            snapshot.values[scope, name] = value_of(held)
    return snapshot, keys


@cache
def _states_of(names: int, scopes: int) -> str:
    places, either = ", ".join("?" * names), " OR ".join(["(kind = ? AND id = ?)"] * scopes)
    return (
        "SELECT kind, id, version, key, name, value, unknown FROM scope"  # noqa: S608 - nothing but request marks
        f" LEFT JOIN state ON state.scope = scope.key AND name IN ({places}) WHERE {either}"
    )


def read_held(connection: sqlite3.Connection, key: int, name: str) -> StateValue:
    row = connection.execute("SELECT value, unknown FROM state WHERE scope = ? AND name = ?", (key, name)).fetchone()
    return NOTHING if row is None else _state_value(*row)


def _state_value(value: str | None, unknown: str | None) -> StateValue:
    return StateValue(value, frozenset() if unknown is None else frozenset(json.loads(unknown)))


def read_firings(connection: sqlite3.Connection, key: int, rule: str) -> tuple[float, ...]:
    rows = connection.execute(
        "SELECT at FROM firing WHERE scope = ? AND rule = ? ORDER BY at DESC LIMIT ?", (key, rule, MOST_FIRINGS)
    ).fetchall()
    return tuple(at for (at,) in reversed(rows))


def read_receipt(connection: sqlite3.Connection, key: CallKey) -> Receipt | None:
    row = connection.execute(f"{_RECEIPT} AND call = ? AND guard = ?", key).fetchone()
    return None if row is None else _receipt(row)


def read_receipts(connection: sqlite3.Connection, session: str, call: str) -> tuple[Receipt, ...]:
    rows = connection.execute(f"{_RECEIPT} AND call = ? ORDER BY guard", (session, call)).fetchall()
    return tuple(_receipt(row) for row in rows)


def read_answer(connection: sqlite3.Connection, once: str) -> bytes | None:
    row = connection.execute("SELECT answer FROM answer WHERE once = ?", (once,)).fetchone()
    return None if row is None else bytes(row[0])


def read_segments(connection: sqlite3.Connection) -> list[Segment]:
    columns = "first, last, head, since, until, decisions, pruned, tables"
    rows = connection.execute(f"SELECT {columns} FROM segment ORDER BY last")  # noqa: S608 - ours
    try:
        return [_segment(*row) for row in rows]
    except (ValueError, TypeError, RecursionError) as error:
        raise StoreError("the summary of a segment was changed until it could not be read") from error


def _segment(
    first: int, last: int, head: bytes, since: float, until: float, decisions: str, pruned: int, tables: bytes | None
) -> Segment:
    # Tampering may have put anything anywhere; an audit that walks the segments must still terminate.
    if not (isinstance(first, int) and isinstance(head, bytes) and isinstance(pruned, int) and 0 < first <= last):
        raise TypeError(f"segment {last}")
    return Segment(first, last, head, since, until, json.loads(decisions), bool(pruned), tables)


def read_session(connection: sqlite3.Connection, session: str) -> Session | None:
    row = connection.execute("SELECT touched, since, breach, forked FROM session WHERE id = ?", (session,)).fetchone()
    return None if row is None else Session(row[0], row[1], row[2], bool(row[3]))


def read_stopped(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    rows = connection.execute("SELECT id, breach FROM session WHERE breach IS NOT NULL ORDER BY touched DESC")
    return [(session, breach) for session, breach in rows]


def _receipt(row: tuple[Any, ...]) -> Receipt:
    before, pending, behind = row[:7], json.loads(row[7]), row[8:]
    found = tuple(Pending(Scope(kind, id_), name, key) for kind, id_, name, key in pending)
    return Receipt(*[*before, found, *behind])


def _encode_pending(pending: Iterable[Pending]) -> str:
    return json.dumps([[*one.scope, one.name, one.key] for one in pending]) if pending else "[]"


# --- writing -----------------------------------------------------------------------------------------------


class _ScopeRow(Struct):
    key: int
    version: int


class SqlTables:
    """One write transaction. What it caches between statements is valid only until the transaction ends."""

    def __init__(self, connection: sqlite3.Connection, log: Log, tally: Tally) -> None:
        self._execute = connection.execute
        self.connection = connection
        self._log = log
        self._scopes: dict[Scope, _ScopeRow] = {}
        self._part = 0
        self.seals: list[tuple[int, bytes]] = []
        # INVARIANT: the tail is read inside the write transaction, so that a second writer is harmless.
        self.last, self.head, left = self._tail()
        self.durable = self.last  # later records of this transaction are not durable yet
        self._tally = tally
        tally.begin(left if left is not None else self._execute("SELECT tally FROM log").fetchone()[0])

    def _tail(self) -> tuple[int, bytes, bytes | None]:
        row = self._execute("SELECT sequence, hash, tables FROM record ORDER BY sequence DESC LIMIT 1").fetchone()
        if row is None:
            row = self._execute("SELECT last, head, tables FROM segment ORDER BY last DESC LIMIT 1").fetchone()
        return row or (0, genesis(self._log.id), None)

    # --- state ---------------------------------------------------------------------------------------------

    def version(self, scope: Scope) -> int:
        found = self._scope(scope)
        return 0 if found is None else found.version

    def held(self, scope: Scope, name: str) -> StateValue:
        found = self._scope(scope)
        return NOTHING if found is None else read_held(self.connection, found.key, name)

    def hold(self, scope: Scope, name: str, held: StateValue) -> None:
        unknown = json.dumps(sorted(held.unknown, key=lambda key: (key is not None, key))) if held.unknown else None
        self._execute(
            "INSERT OR REPLACE INTO state VALUES (?, ?, ?, ?)", (self._made(scope).key, name, held.value, unknown)
        )

    def fire(self, scope: Scope, rule: str, at: float) -> None:
        key = self._made(scope).key
        self._part += 1
        self._execute("INSERT INTO firing VALUES (?, ?, ?, ?, ?)", (key, rule, at, self.last, self._part))
        if (self.last + self._part) % _TRIM_EVERY == 0:
            self._execute(
                "DELETE FROM firing WHERE scope = ?1 AND rule = ?2 AND at < (SELECT at FROM firing"
                " WHERE scope = ?1 AND rule = ?2 ORDER BY at DESC LIMIT 1 OFFSET ?3)",
                (key, rule, MOST_FIRINGS - 1),
            )

    def bump(self, scope: Scope, at: float) -> None:
        row = self._made(scope)
        row.version += 1
        self._execute("UPDATE scope SET version = ?, at = ? WHERE key = ?", (row.version, at, row.key))

    def copy_scope(self, parent: Scope, child: Scope) -> None:
        """Copy the contents of a scope to one that has not been written to yet."""
        source = self._scope(parent)
        if source is None or self.version(child):
            return
        key = self._made(child).key
        self._execute("INSERT INTO state SELECT ?, name, value, unknown FROM state WHERE scope = ?", (key, source.key))
        self._execute(
            "INSERT INTO firing SELECT ?, rule, at, sequence, part FROM firing WHERE scope = ?", (key, source.key)
        )
        (at,) = self._execute("SELECT at FROM scope WHERE key = ?", (source.key,)).fetchone()
        self.bump(child, at)

    def _scope(self, scope: Scope) -> _ScopeRow | None:
        found = self._scopes.get(scope)
        if found is None and (row := read_scope(self.connection, scope)) is not None:
            found = self._scopes[scope] = _ScopeRow(*row)
        return found

    def _made(self, scope: Scope) -> _ScopeRow:
        found = self._scope(scope)
        if found is None:
            made = self._execute("INSERT INTO scope (kind, id, version) VALUES (?, ?, 0)", scope)
            found = self._scopes[scope] = _ScopeRow(made.lastrowid or 0, 0)
        return found

    # --- receipts and answers ------------------------------------------------------------------------------

    def receipt(self, key: CallKey) -> Receipt | None:
        return read_receipt(self.connection, key)

    def open_receipts(self, session: str, agent: str | None = None) -> list[Receipt]:
        rows = self._execute(
            f"{_RECEIPT} AND status = 'open' AND (?2 IS NULL OR agent = ?2) ORDER BY call, guard", (session, agent)
        ).fetchall()
        return [_receipt(row) for row in rows]

    def open_receipt(self, receipt: Receipt) -> None:
        self._execute(
            "INSERT OR REPLACE INTO receipt VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(self.last, receipt.session, receipt.call, receipt.tool, receipt.input_digest, receipt.decision),
                *(float(receipt.at), receipt.agent, _encode_pending(receipt.pending)),
                *(receipt.status, receipt.input, receipt.cwd, receipt.said, receipt.withheld, receipt.guard),
            ),
        )

    def close_receipt(self, key: CallKey, status: Status, withheld: str | None = None) -> None:
        # The input served to compare it with what ran; once a call is closed, only the fact that it was judged matters.
        self._execute(
            "UPDATE receipt SET status = ?, withheld = ?, input = NULL WHERE session = ? AND call = ? AND guard = ?",
            (status, withheld, *key),
        )

    def drop_receipts(self, session: str) -> None:
        self._execute("DELETE FROM receipt WHERE session = ?", (session,))

    def answer(self, once: str) -> bytes | None:
        return read_answer(self.connection, once)

    def keep_answer(self, once: str, sequence: int, answer: bytes) -> None:
        self._execute("INSERT INTO answer VALUES (?, ?, ?)", (sequence, once, answer))

    # --- requests and grants ------------------------------------------------------------------------------

    def request(self, id: str) -> ApprovalRequest | None:
        return read_request(self.connection, id)

    def open_requests(self, session: str) -> list[ApprovalRequest]:
        return read_requests(self.connection, UNANSWERED, session, None)

    def keep_request(self, request: ApprovalRequest) -> None:
        keep_request(self.connection, request)

    def grant(self, id: str) -> Grant | None:
        return read_grant(self.connection, id)

    def grants_of(self, scope: Scope) -> list[Grant]:
        return read_grants(self.connection, (scope,))

    def keep_grant(self, grant: Grant) -> None:
        keep_grant(self.connection, grant)

    # --- sessions ------------------------------------------------------------------------------------------

    def session(self, session: str) -> Session | None:
        return read_session(self.connection, session)

    def keep_session(self, session: str, found: Session) -> None:
        self._execute(
            "INSERT OR REPLACE INTO session VALUES (?, ?, ?, ?, ?)",
            (session, float(found.touched), found.since, found.breach, found.forked),
        )

    def newest(self) -> float | None:
        found: tuple[float | None] = self._execute("SELECT max(at) FROM record").fetchone()
        return found[0]

    def untouched(self, before: float) -> list[str]:
        rows = self._execute(
            "SELECT id, touched FROM session UNION ALL SELECT id, at FROM scope WHERE kind = 'session'"
            " UNION ALL SELECT session, at FROM receipt"
        ).fetchall()
        rows += [
            (id_.rpartition("/")[0], at)
            for id_, at in self._execute("SELECT id, at FROM scope WHERE kind = 'agent'").fetchall()
        ]
        last: dict[str, float] = {}
        for id_, at in rows:
            last[id_] = max(at, last.get(id_, at))
        return sorted(id_ for id_, at in last.items() if at < before)

    def drop_session(self, session: str) -> None:
        self._execute("DELETE FROM session WHERE id = ?", (session,))
        rows = self._execute("SELECT key, id FROM scope WHERE kind = 'session' AND id = ?", (session,)).fetchall()
        # '0' is the character after '/', so this selects all ids that begin with the session's id and a slash.
        agents = self._execute(
            "SELECT key, id FROM scope WHERE kind = 'agent' AND id >= ? AND id < ?", (f"{session}/", f"{session}0")
        ).fetchall()
        rows += [(key, id_) for key, id_ in agents if id_.rpartition("/")[0] == session]
        for key, _ in rows:
            for statement in _OF_SCOPE:
                self._execute(statement, (key,))
        self._scopes.clear()

    # --- records -------------------------------------------------------------------------------------------

    def advance(self) -> int:
        self.last += 1
        return self.last

    def append(self, prepared: PreparedEntry) -> None:
        seals = self.last % self._log.segment_size == 0
        if seals:
            self._sweep()
        rules = encode_rules(prepared.rules)
        raw, tables = prepared.raw, self._tally.encode()
        self.head = link(self.head, self.last, prepared.at, rules, prepared.body, raw, tables)
        line = Line(self.last, prepared.at, *prepared.columns, rules, prepared.body, raw, self.head, tables)
        self._execute("INSERT INTO record VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", line)
        for rule in prepared.rules:
            self._execute("INSERT INTO record_rule VALUES (?, ?)", (rule, self.last))
        if seals:
            self._seal(tables)

    def _sweep(self) -> None:
        """Drop answers and receipts that are too old to be asked for."""
        self._execute("DELETE FROM answer WHERE sequence <= ?", (self.last - ANSWERS_KEPT,))
        if self.last % (self._log.segment_size * _SWEEP_EVERY) == 0:
            # Open receipts stay: they say what becomes unknown if a result never comes.
            self._execute("DELETE FROM receipt WHERE sequence <= ? AND status != 'open'", (self.last - RECEIPTS_KEPT,))
            sweep_asking(self.connection, self.newest() or 0.0)

    def _seal(self, tables: bytes) -> None:
        first = self.last - self._log.segment_size + 1
        since, until = self._execute("SELECT min(at), max(at) FROM record WHERE sequence >= ?", (first,)).fetchone()
        counts = self._execute(
            "SELECT ifnull(decision, ''), count(*) FROM record WHERE sequence >= ? GROUP BY 1", (first,)
        ).fetchall()
        self._execute(
            "INSERT INTO segment VALUES (?, ?, ?, ?, ?, ?, 0, ?)",
            (self.last, first, self.head, since, until, json.dumps(dict(counts), sort_keys=True), tables),
        )
        self.seals.append((self.last, self.head))
