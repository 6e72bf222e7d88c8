"""The daemon's log."""

from __future__ import annotations

import contextlib
import sys
import time

__all__ = ["say"]


def say(text: str) -> None:
    """Write a line to the log. A failure, such as a full disk, must not change an answer."""
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write(f"{time.strftime('%Y-%m-%dT%H:%M:%S')} {text}\n")
        sys.stderr.flush()
