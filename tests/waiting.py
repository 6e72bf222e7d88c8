"""Waiting for what happens in another process."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any


def until(condition: Callable[[], Any], *, within: float = 30.0) -> Any:
    """Wait for something that must become true, and give what it was."""
    deadline = time.monotonic() + within
    while not (found := condition()):
        if time.monotonic() > deadline:
            raise AssertionError(f"it did not come about within {within:g} s")
        time.sleep(0.01)
    return found
