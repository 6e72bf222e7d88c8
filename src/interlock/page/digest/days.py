"""Numbers by day: of all calls, and of each rule."""

from __future__ import annotations

import sqlite3
from typing import TypeVar

from msgspec import Struct

from interlock.page.digest.intake import Digest
from interlock.page.digest.tallies import DAY, RULE_DAY

__all__ = ["DayNumbers", "RuleNumbers", "answer_seconds", "days", "projects", "rule_days"]


class DayNumbers(Struct, frozen=True):
    """One day. Without `by_project`, `project` is empty and the numbers are of all projects that were asked for."""

    day: str
    project: str
    calls: int
    allowed: int
    asked: int
    denied: int
    changed: int
    stopped: int  # denied, withheld, unanswered, ended turns and breaches
    breaches: int
    failed: int
    yes: int
    edited: int
    no: int
    unanswered: int


class RuleNumbers(Struct, frozen=True):
    """One rule on one day: how often it had an opinion, which, and how people answered when it asked."""

    rule: str
    day: str
    project: str
    hits: int
    allowed: int
    asked: int
    denied: int
    changed: int
    observed: int  # it only observes, and would have decided
    yes: int
    edited: int
    no: int
    unanswered: int


T = TypeVar("T", DayNumbers, RuleNumbers)


def days(
    digest: Digest, since: str | None = None, project: str | None = None, *, by_project: bool = False
) -> list[DayNumbers]:
    """The days with calls from `since` (2026-01-05) on, in order."""
    keys = ("day", "project") if by_project else ("day",)
    return _sums(digest, DayNumbers, "day", keys, DAY, {"day >= ?": since, "project = ?": project})


def rule_days(
    digest: Digest,
    since: str | None = None,
    project: str | None = None,
    rule: str | None = None,
    *,
    by_project: bool = False,
) -> list[RuleNumbers]:
    """Each rule's days from `since` on, ordered by rule and day."""
    keys = ("rule", "day", "project") if by_project else ("rule", "day")
    wanted = {"rule = ?": rule, "day >= ?": since, "project = ?": project}
    return _sums(digest, RuleNumbers, "rule_day", keys, RULE_DAY, wanted)


def answer_seconds(digest: Digest, since: float, project: str | None = None) -> list[tuple[str, float]]:
    """How long people took to answer in the inbox: the day and the seconds of each answer."""
    where = "answered_after IS NOT NULL AND at >= ?" + ("" if project is None else " AND project = ?")
    with digest.file.reading() as connection:
        query = f"SELECT day, answered_after FROM entry INDEXED BY entry_answered WHERE {where} ORDER BY at"  # noqa: S608
        return connection.execute(query, (since,) if project is None else (since, project)).fetchall()


def projects(digest: Digest) -> list[tuple[str, int]]:
    """The projects that have calls, each with how many, the largest first."""
    with digest.file.reading() as connection:
        return connection.execute(
            "SELECT project, sum(calls) FROM day WHERE project != '' GROUP BY project HAVING sum(calls) > 0"
            " ORDER BY 2 DESC, 1"
        ).fetchall()


def _sums(
    digest: Digest,
    kind: type[T],
    table: str,
    keys: tuple[str, ...],
    names: tuple[str, ...],
    wanted: dict[str, str | None],
) -> list[T]:
    given = {test: value for test, value in wanted.items() if value is not None}
    where = f"WHERE {' AND '.join(given)}" if given else ""
    sums = ", ".join(f"sum({name})" for name in names)
    grouped = ", ".join(keys)
    # Days of which everything was pruned or belongs elsewhere now have only zeros.
    some = " + ".join(f"sum({name})" for name in names)
    query = f"SELECT {grouped}, {sums} FROM {table} {where} GROUP BY {grouped} HAVING {some} > 0"  # noqa: S608 - ours
    columns = tuple(name for name in kind.__struct_fields__ if name not in names)
    with digest.file.reading() as connection:
        found: list[sqlite3.Row] = connection.execute(f"{query} ORDER BY {grouped}", tuple(given.values())).fetchall()
    blank = tuple("" for name in columns if name not in keys)
    return [kind(*row[: len(keys)], *blank, *row[len(keys) :]) for row in found]
