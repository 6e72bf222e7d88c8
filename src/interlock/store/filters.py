"""The records that a reader asks for, as SQL."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from interlock.store.chain import Line

if TYPE_CHECKING:
    import sqlite3  # not needed by a store in memory, and slow to import

__all__ = ["Filters", "read_page", "start_of_newest"]

_COLUMNS = ", ".join(f"record.{name}" for name in Line._fields)


class Filters(Struct, frozen=True, kw_only=True):
    """Every filter that is given must match."""

    session: str | None = None
    rule: str | None = None
    decision: str | None = None
    since: float | None = None
    until: float | None = None

    def match(self, line: Line, rules: tuple[str, ...]) -> bool:
        """The same in Python, for a store without SQL."""
        return (
            (self.session is None or line.session == self.session)
            and (self.rule is None or self.rule in rules)
            and (self.decision is None or line.decision == self.decision)
            and (self.since is None or line.at >= self.since)
            and (self.until is None or line.at < self.until)
        )

    def clause(self, after: int) -> tuple[str, list[Any]]:
        """The tables and conditions of a query, and its values."""
        tests: dict[str, Any] = {"record.sequence > ?": after}
        tests |= {"record.session = ?": self.session, "record.decision = ?": self.decision}
        tests |= {"record.at >= ?": self.since, "record.at < ?": self.until, "record_rule.rule = ?": self.rule}
        given = {test: value for test, value in tests.items() if value is not None}
        joined = "" if self.rule is None else " JOIN record_rule ON record_rule.sequence = record.sequence"
        return f"FROM record{joined} WHERE {' AND '.join(given)}", list(given.values())


def start_of_newest(connection: sqlite3.Connection, filters: Filters, after: int, newest: int) -> int:
    """The sequence number after which only the `newest` matching records are left."""
    clause, values = filters.clause(after)
    query = f"SELECT record.sequence {clause} ORDER BY record.sequence DESC LIMIT 1 OFFSET ?"
    row = connection.execute(query, (*values, newest)).fetchone()
    return after if row is None else int(row[0])


def read_page(connection: sqlite3.Connection, filters: Filters, after: int, most: int) -> list[Line]:
    """The next matching records."""
    clause, values = filters.clause(after)
    query = f"SELECT {_COLUMNS} {clause} ORDER BY record.sequence LIMIT ?"
    return [Line(*row) for row in connection.execute(query, (*values, most))]
