"""Read hook programs in Python."""

from __future__ import annotations

from interlock.hook_lint.read.python.reading import read_python

__all__ = ["read_python"]
