"""Take medians of hot blocks, and print figures against their targets."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Figure", "alternating"]


@dataclass(frozen=True)
class Figure:
    """One measured value. Without a target it is reported, not judged."""

    name: str
    value: float
    target: float | None = None
    unit: str = "x"

    def __str__(self) -> str:
        goal = "-" if self.target is None else f"<={self.target:g}{self.unit}"
        mark = "-" if self.target is None else "ok" if self.value <= self.target else "SHORT"
        return f"{self.name:58} {self.value:9.3f}{self.unit:3} {goal:9} {mark}"


def alternating(tasks: dict[str, Callable[[], object]], blocks: int, calls: int) -> dict[str, float]:
    """Median seconds a call of each task, their blocks interleaved so that noise falls on all alike."""
    times: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(blocks):
        for name, task in tasks.items():
            task()  # hot
            start = time.perf_counter()
            for _ in range(calls):
                task()
            times[name].append((time.perf_counter() - start) / calls)
    return {name: statistics.median(found) for name, found in times.items()}
