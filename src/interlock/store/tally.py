"""The tally: one number for each table besides the log, so that a row changed behind the store's back is detected.

A table's number is the sum of its rows' hashes. Triggers on the writing connection add what is written and subtract
what was there before, wherever in the code that happens. Every record states the tally after it, and its hash covers
that.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from msgspec import msgpack

__all__ = ["TABLES", "Tally", "count", "differing"]

# Table → what one row of it is, in words for a person. They are written in this order. A tally from before the last
# ones existed ends earlier: they were empty then.
TABLES = {
    "answer": "an answer that was kept for a repeated event",
    "firing": "a firing of a rule",
    "receipt": "a receipt",
    "scope": "the version of somebody's state",
    "session": "what is known of a session, its breach among it,",
    "state": "a state value",
    "request": "a request to a person",
    "granted": "a grant",
}
# The last column of a table that got one later, and what it contains in rows from before. Such a row keeps its hash,
# because records of that time attest it.
_LATER = {"request": ""}
_NUMBER = 16  # bytes
_MODULUS = 1 << (8 * _NUMBER)
_SIZES = (_NUMBER * (len(TABLES) - 2), _NUMBER * len(TABLES))

_encode = msgpack.encode


class Tally:
    """The numbers inside one write transaction, kept by the connection itself."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._sums = dict.fromkeys(TABLES, 0)
        connection.execute("PRAGMA recursive_triggers = ON")  # otherwise a replaced row would not be subtracted
        connection.create_function("interlock_add", -1, self._add)
        connection.create_function("interlock_drop", -1, self._drop)
        for statement in _triggers(connection):
            connection.execute(statement)

    def begin(self, kept: object) -> None:
        """Start from the tally of the newest record. If that is malformed, no later tally will match."""
        sums = _numbers(kept) if isinstance(kept, bytes) and len(kept) in _SIZES else [1] * len(TABLES)
        self._sums = dict(zip(TABLES, sums, strict=True))

    def encode(self) -> bytes:
        """What a record says about the tables after it."""
        return b"".join(number.to_bytes(_NUMBER) for number in self._sums.values())

    def _add(self, table: str, *row: Any) -> None:
        self._sums[table] = (self._sums[table] + _hash(table, row)) % _MODULUS

    def _drop(self, table: str, *row: Any) -> None:
        self._sums[table] = (self._sums[table] - _hash(table, row)) % _MODULUS


def count(connection: sqlite3.Connection) -> bytes:
    """The tally of what the tables contain now."""
    numbers = []
    for table in TABLES:
        rows = connection.execute(f"SELECT * FROM {table}")  # noqa: S608 - a name from TABLES
        numbers.append(sum(_hash(table, row) for row in rows) % _MODULUS)
    return b"".join(number.to_bytes(_NUMBER) for number in numbers)


def differing(kept: object, counted: bytes) -> list[str]:
    """A description of each table that does not contain what was written to it."""
    if not isinstance(kept, bytes) or len(kept) not in _SIZES:
        return ["what the log says of its tables cannot be read"]
    return [
        f"{row} was changed, added or removed by something other than Interlock"
        for row, found, said in zip(TABLES.values(), _numbers(counted), _numbers(kept), strict=True)
        if found != said
    ]


def _hash(table: str, row: tuple[Any, ...]) -> int:
    if row[-1] == _LATER.get(table):
        row = row[:-1]
    return int.from_bytes(sha256(_encode((table, row))).digest()[:_NUMBER])


def _numbers(kept: bytes) -> list[int]:
    found = [int.from_bytes(kept[at : at + _NUMBER]) for at in range(0, len(kept), _NUMBER)]
    return found + [0] * (len(TABLES) - len(found))


def _triggers(connection: sqlite3.Connection) -> Iterator[str]:
    """Temporary triggers: triggers stored in a file may not call Interlock's functions."""
    for table in TABLES:
        names = [f'"{name}"' for _, name, *_ in connection.execute(f"PRAGMA table_info({table})")]
        add, drop = (
            f"SELECT interlock_{action}('{table}', {', '.join(f'{row}.{name}' for name in names)});"
            for action, row in (("add", "NEW"), ("drop", "OLD"))
        )
        for event, body in (("INSERT", add), ("DELETE", drop), ("UPDATE", f"{drop} {add}")):
            yield f"CREATE TEMP TRIGGER tally_{table}_{event.lower()} AFTER {event} ON main.{table} BEGIN {body} END"
