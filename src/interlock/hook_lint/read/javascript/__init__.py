"""Read hook programs in JavaScript and TypeScript."""

from __future__ import annotations

from interlock.hook_lint.read.javascript.reading import read_javascript

__all__ = ["read_javascript"]
