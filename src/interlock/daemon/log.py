"""The daemon's log."""

from __future__ import annotations

import contextlib
import sys
import time

__all__ = ["say"]


def say(text: str) -> None:
    """Write a line to the log, which may be on a full disk: that must not change an answer."""
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write(f"{time.strftime('%Y-%m-%dT%H:%M:%S')} {text}\n")
        sys.stderr.flush()
