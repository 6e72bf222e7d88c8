"""Frameworks that run their tools in this process, under a gate: a module for each, on top of what they share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["needs"]


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Around the imports of a framework: say how to install it if it is not there, or is too old."""
    try:
        yield
    except ImportError as error:
        help = f"pip install 'interlock[{extra}]'"
        raise ImportError(f"{error}. Install Interlock together with the framework: {help}") from error
