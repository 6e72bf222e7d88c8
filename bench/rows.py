"""Rows of the bench: what is measured, what it may cost, and how several runs of it are summed up."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TypeAlias

__all__ = ["Part", "Row", "Run", "Skipped", "Spread", "Values"]

Values: TypeAlias = Mapping[str, float]
Run: TypeAlias = Callable[[], Values]


class Skipped(Exception):  # noqa: N818 - not a fault: something that the part needs is not installed
    """Why a part cannot be measured on this machine."""


@dataclass(frozen=True)
class Row:
    """One measured value; lower is better. Without a target it is reported and not judged."""

    name: str
    target: float | None = None
    unit: str = "x"
    reference: bool = False  # a thing that others are measured against, in which Interlock has no part


@dataclass(frozen=True)
class Part:
    """Rows that are measured together: `opens` sets them up, and each call of what it yields runs every row once."""

    name: str
    rows: Mapping[str, Row]
    opens: Callable[[], AbstractContextManager[Run]]
    once: bool = False  # for rows that take minutes, or are the same in every run


@dataclass(frozen=True)
class Spread:
    """The median of several runs, and their quartiles."""

    low: float
    median: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        if len(values) == 1:
            return cls(values[0], values[0], values[0])
        low, median, high = statistics.quantiles(values, n=4, method="inclusive")
        return cls(low, median, high)

    def __str__(self) -> str:
        low, median, high = _to_three_digits(self.low, self.median, self.high)
        return f"{median} [{low}–{high}]"


def _to_three_digits(*values: float) -> Iterator[str]:
    for value in values:
        size = abs(value)
        yield f"{value:.0f}" if size >= 1000 else f"{value:.1f}" if size >= 100 else f"{value:.2f}"
