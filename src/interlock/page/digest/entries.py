"""Entries: those that match, newest first, and how many there are."""

from __future__ import annotations

import sqlite3
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from interlock.page.digest.intake import Digest
from interlock.page.digest.rows import COLUMNS, EntryRow

__all__ = [
    "ROW_NAMES",
    "EntryFilter",
    "FacetCounts",
    "count_entries",
    "entries",
    "entry_row",
    "facet_counts",
    "newest_id",
    "tools",
]

ROW_NAMES = ", ".join(f"entry.{name}" for name in COLUMNS)


class EntryFilter(Struct, frozen=True, kw_only=True):
    """Which entries are wanted: everything that is given must match."""

    text: str = ""  # every word of it must occur in the call, its reason, its rules or its tool
    decision: str | None = None
    asked: bool = False
    answer: str | None = None
    stopped: bool = False
    changed: bool = False
    tool: str | None = None
    project: str | None = None
    session: str | None = None
    rule: str | None = None
    since: float | None = None
    until: float | None = None
    events: bool = False  # also events that are not calls and that nobody said anything about

    def clause(self, connection: sqlite3.Connection) -> tuple[str, list[Any]]:
        """The tables and conditions of a query, and its values."""
        tests: list[str] = [] if self.events else ["entry.is_listed"]
        values: list[Any] = []
        for name in ("decision", "answer", "tool", "project", "session"):
            value = getattr(self, name)
            if value is not None:
                tests.append(f"entry.{name} = ?")
                values.append(value)
        tests += [f"entry.is_{name}" for name in ("asked", "stopped", "changed") if getattr(self, name)]
        table = "entry"
        if self.rule is not None:
            table = "entry_rule CROSS JOIN entry ON entry.id = entry_rule.id"
            tests.append("entry_rule.rule = ?")
            values.append(self.rule)
        # Times as numbers of entries, in whose order they are read.
        for time, test, order in ((self.since, ">=", "at, id"), (self.until, "<", "at DESC, id DESC")):
            if time is not None:
                query = f"SELECT id FROM entry WHERE at {test} ? ORDER BY {order} LIMIT 1"  # noqa: S608 - ours
                bound = connection.execute(query, (time,)).fetchone()
                tests.append(f"entry.id {test[0]}= ? AND entry.at {test} ?")
                values += [None if bound is None else bound[0], time]
        for word in self.text.lower().split():
            tests.append("instr(entry.words, ?)")  # LIKE would give % and _ a meaning
            values.append(word)
        return f"FROM {table} WHERE {' AND '.join(tests or ['1'])}", values


def entries(
    digest: Digest,
    wanted: EntryFilter,
    *,
    before: int | None = None,
    after: int | None = None,
    most: int = 100,
    oldest: bool = False,
) -> list[EntryRow]:
    """The newest entries that match, newest first; or the oldest, oldest first.

    `before`, `after`: only those with a smaller or larger number.
    """
    with digest.file.reading() as connection:
        clause, values = wanted.clause(connection)
        id_ = "entry_rule.id" if wanted.rule is not None else "entry.id"
        for bound, test in ((before, "<"), (after, ">")):
            if bound is not None:
                clause += f" AND {id_} {test} ?"
                values.append(bound)
        query = f"SELECT {ROW_NAMES} {clause} ORDER BY {id_} {'ASC' if oldest else 'DESC'} LIMIT ?"
        return [EntryRow(*row) for row in connection.execute(query, (*values, most))]


def count_entries(digest: Digest, wanted: EntryFilter, *, after: int = 0, most: int = 1000) -> int:
    """How many entries match; counting ends at `most`, so that no filter takes long."""
    with digest.file.reading() as connection:
        clause, values = wanted.clause(connection)
        id_ = "entry_rule.id" if wanted.rule is not None else "entry.id"
        query = f"SELECT count(*) FROM (SELECT 1 {clause} AND {id_} > ? LIMIT ?)"  # noqa: S608 - ours
        (found,) = connection.execute(query, (*values, after, most)).fetchone()
    return int(found)


def entry_row(digest: Digest, id: int) -> EntryRow | None:
    """One entry, by the number of its first record."""
    with digest.file.reading() as connection:
        found = connection.execute(f"SELECT {ROW_NAMES} FROM entry WHERE id = ?", (id,)).fetchone()  # noqa: S608 - ours
    return None if found is None else EntryRow(*found)


def newest_id(digest: Digest) -> int:
    with digest.file.reading() as connection:
        (found,) = connection.execute("SELECT ifnull(max(id), 0) FROM entry").fetchone()
    return int(found)


def tools(digest: Digest) -> list[str]:
    """The tools that were called, in alphabetical order."""
    query = (
        "WITH RECURSIVE one(name) AS (SELECT min(tool) FROM entry WHERE is_listed UNION ALL"
        " SELECT (SELECT min(tool) FROM entry WHERE is_listed AND tool > name) FROM one WHERE name IS NOT NULL)"
        " SELECT name FROM one WHERE name != ''"
    )
    with digest.file.reading() as connection:
        return [name for (name,) in connection.execute(query)]


class FacetCounts(Struct, frozen=True):
    """How many entries there are of each kind; of a large record, among the newest that match."""

    total: int = 0
    stopped: int = 0
    deny: int = 0
    ask: int = 0
    change: int = 0
    allow: int = 0
    is_partial: bool = False


def facet_counts(digest: Digest, wanted: EntryFilter, most: int = 20_000) -> FacetCounts:
    """How many of the entries that match are of each kind, among at most so many of the newest."""
    parts = "is_stopped, decision = 'deny' AS deny, is_asked, is_changed, decision = 'allow' AS allow"
    with digest.file.reading() as connection:
        if wanted == EntryFilter(project=wanted.project):
            sums = "sum(calls), sum(stopped), sum(denied), sum(asked), sum(changed), sum(allowed)"
            where, values = ("1", []) if wanted.project is None else ("project = ?", [wanted.project])
            row = connection.execute(f"SELECT {sums} FROM day WHERE {where}", values).fetchone()  # noqa: S608 - ours
            query = f"SELECT count(*) FROM entry WHERE is_listed AND NOT is_call AND {where}"  # noqa: S608 - ours
            (notes,) = connection.execute(query, values).fetchone()
            return _facets((row[0] or 0) + notes, *row[1:])
        clause, values = wanted.clause(connection)
        id_ = "entry_rule.id" if wanted.rule is not None else "entry.id"
        inner = f"SELECT {parts} {clause} ORDER BY {id_} DESC LIMIT ?"
        sums = "count(*), sum(is_stopped), sum(deny), sum(is_asked), sum(is_changed), sum(allow)"
        row = connection.execute(f"SELECT {sums} FROM ({inner})", (*values, most + 1)).fetchone()  # noqa: S608 - ours
    return replace(_facets(*row), is_partial=row[0] > most)


def _facets(*numbers: int | None) -> FacetCounts:
    total, stopped, deny, ask, change, allow = (value or 0 for value in numbers)
    return FacetCounts(total, stopped, deny, ask, change, allow)
