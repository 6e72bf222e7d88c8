"""Marks of files: what changes when somebody writes, replaces or removes one."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeAlias

__all__ = ["Mark", "Marks", "marks_of"]

Mark: TypeAlias = tuple[int, int, int, int] | None  # None: nothing is there
Marks: TypeAlias = tuple[Mark, ...]


def marks_of(files: Sequence[str]) -> Marks:
    """The marks of some files, in their order."""
    found: list[Mark] = []
    # One loop without helpers: it runs at every event for every file of every policy; a call costs more than `stat`.
    for file in files:
        try:
            seen = os.stat(file)  # noqa: PTH116 - a Path costs more than the call
        except OSError:
            found.append(None)
        else:
            found.append((seen.st_ino, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns))
    return tuple(found)
