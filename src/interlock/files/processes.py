"""Name a process so that others can tell later whether it still runs."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

__all__ = ["has_ended", "own_mark"]

_ENDED = "ZXx"


def own_mark() -> str:
    """A mark of this process: its number, its start and the container that it is numbered in; empty without /proc."""
    return _mark_of(os.getpid())


def has_ended(mark: str) -> bool:
    """Whether the process of this mark is gone. If that cannot be told from here, it is not."""
    parts = mark.split(" ")
    if len(parts) != 3 or not parts[0].isdigit() or parts[2] != _namespace():
        return False
    return _start_of(int(parts[0])) != parts[1]


@lru_cache(maxsize=1)  # by the number, since a process that was forked is another one
def _mark_of(pid: int) -> str:
    started, space = _start_of(pid), _namespace()
    return f"{pid} {started} {space}" if started and space else ""


def _start_of(pid: int) -> str:
    """When a process started, by the system's clock; empty if it has ended."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    fields = text.rpartition(")")[2].split()
    return "" if fields[0] in _ENDED else fields[19]


@lru_cache(maxsize=1)
def _namespace() -> str:
    try:
        return str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        return ""
