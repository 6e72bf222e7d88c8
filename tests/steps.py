"""Counting the steps of a computation, so that a test can say how they grow without looking at a clock."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

__all__ = ["TooManySteps", "steps_of"]


class TooManySteps(Exception):  # noqa: N818 - what a test looks for
    """A computation was ended because it takes more steps than it may."""


def steps_of(compute: Callable[[], Any], most: int = 1 << 40) -> int:
    """How many lines of code run, and functions of others are called. Raises TooManySteps beyond `most`."""
    taken = 0

    def count(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal taken
        taken += 1
        if taken > most:
            raise TooManySteps(f"more than {most:,} steps")
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        compute()
    finally:
        sys.settrace(before)
    return taken
