"""Time tasks so that noise falls on all of them alike."""

from __future__ import annotations

import contextlib
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

__all__ = ["alternating", "progress", "scratch_folder", "shuffled"]


def alternating(
    tasks: Mapping[str, Callable[[], object]], blocks: int, calls: int, clock: Callable[[], float] = time.thread_time
) -> dict[str, float]:
    """The median seconds that a call of each task takes, hot. Blocks of calls alternate between the tasks.

    What this thread computes is counted, not what other programs take from it meanwhile. Tasks that wait for another
    process or thread need a clock on the wall.
    """
    times: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(blocks):
        for name, task in tasks.items():
            task()  # hot
            start = clock()
            for _ in range(calls):
                task()
            times[name].append((clock() - start) / calls)
    return {name: statistics.median(found) for name, found in times.items()}


def shuffled(tasks: Mapping[str, Callable[[], float]], times: int) -> dict[str, float]:
    """The median of the seconds that each task reports. The order is new every time."""
    found: dict[str, list[float]] = {name: [] for name in tasks}
    order = list(tasks)
    for _ in range(times):
        random.shuffle(order)
        for name in order:
            found[name].append(tasks[name]())
    return {name: statistics.median(took) for name, took in found.items()}


def progress(text: str) -> None:
    """Tell whoever waits; figures alone go to standard output."""
    print(f"  … {text}", file=sys.stderr, flush=True)


@contextlib.contextmanager
def scratch_folder() -> Iterator[Path]:
    """A folder on the disk of the project, since /tmp may be in memory. Its name is one that git ignores."""
    with tempfile.TemporaryDirectory(prefix=".bench-", dir=Path.cwd()) as folder:
        yield Path(folder)
