"""Words for a shell."""

from __future__ import annotations

import re

__all__ = ["quoted"]

_PLAIN = re.compile(r"[\w./:=@%+-]+|\0")


def quoted(word: str) -> str:
    """A word as a shell takes it for one."""
    return word if _PLAIN.fullmatch(word) else "'" + word.replace("'", "'\\''") + "'"
