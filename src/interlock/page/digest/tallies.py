"""What the digest counts: how one entry adds to the numbers of its day, of its rules and of its session."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Mapping
from operator import add, sub
from typing import Any, TypeAlias

from interlock.page.digest.rows import EntryRow, RuleWord

__all__ = ["ANSWERS", "DAY", "RULE_DAY", "SESSION", "Tallies"]

ANSWERS = ("yes", "edit", "no", "none")

DAY = (
    "calls", "allowed", "asked", "denied", "changed", "stopped", "breaches", "failed",
    "yes", "edited", "no", "unanswered",
)  # fmt: skip
RULE_DAY = ("hits", "allowed", "asked", "denied", "changed", "observed", "yes", "edited", "no", "unanswered")
SESSION = ("calls", "asked", "denied", "changed", "stopped", "breaches", "tools", "waited")

Numbers: TypeAlias = tuple[float, ...]


def _answers(row: EntryRow) -> Numbers:
    return tuple(row.answer == name for name in ANSWERS)


def _of_day(row: EntryRow) -> Numbers:
    called = row.is_call
    return (
        called,
        called and row.decision == "allow",
        row.is_asked,
        called and row.decision == "deny",
        row.is_changed,
        row.is_stopped,
        row.is_breach,
        row.outcome == "failed",
        *_answers(row),
    )


def _of_rule(row: EntryRow, said: str) -> Numbers:
    asked = said in ("ask", "defer")
    answers = _answers(row) if asked else (0,) * len(ANSWERS)
    return (1, said == "allow", asked, said == "deny", said == "change", said == "observe", *answers)


def _of_session(row: EntryRow) -> Numbers:
    return (
        row.is_call,
        row.is_asked,
        row.is_call and row.decision == "deny",
        row.is_changed,
        row.is_stopped,
        row.is_breach,
        row.took or 0.0,
        row.answered_after or 0.0,
    )


class Tallies:
    """Differences that a step makes to the numbers, written at its end."""

    def __init__(self) -> None:
        self._days: dict[tuple[str, str], list[float]] = defaultdict(lambda: [0] * len(DAY))
        self._rules: dict[tuple[str, str, str], list[float]] = defaultdict(lambda: [0] * len(RULE_DAY))
        self._sessions: dict[tuple[str], list[float]] = defaultdict(lambda: [0] * len(SESSION))

    def count(self, row: EntryRow, words: Iterable[RuleWord], sign: int = 1) -> None:
        """Count an entry; with -1, take it out of the numbers again."""
        if row.is_listed:
            _add(self._days[row.day, row.project], _of_day(row), sign)
        for rule, said in words:
            _add(self._rules[rule, row.day, row.project], _of_rule(row, said), sign)
        if row.session:
            _add(self._sessions[(row.session,)], _of_session(row), sign)

    def write(self, connection: sqlite3.Connection) -> None:
        _write(connection, "day", ("day", "project"), DAY, self._days)
        _write(connection, "rule_day", ("rule", "day", "project"), RULE_DAY, self._rules)
        # A session's row is there already: its records were taken in first.
        sets = ", ".join(f"{name} = {name} + ?" for name in SESSION)
        connection.executemany(
            f"UPDATE session SET {sets} WHERE id = ?",  # noqa: S608 - names of columns
            [(*numbers, *key) for key, numbers in self._sessions.items()],
        )


def _add(numbers: list[float], more: Numbers, sign: int) -> None:
    numbers[:] = map(add if sign > 0 else sub, numbers, more)


def _write(
    connection: sqlite3.Connection,
    table: str,
    keys: tuple[str, ...],
    names: tuple[str, ...],
    numbers: Mapping[Any, list[float]],
) -> None:
    columns = (*keys, *names)
    sets = ", ".join(f"{name} = {name} + excluded.{name}" for name in names)
    connection.executemany(
        f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"  # noqa: S608 - ours
        f" ON CONFLICT ({', '.join(keys)}) DO UPDATE SET {sets}",
        [(*key, *counted) for key, counted in numbers.items()],
    )
