"""Expansions that fail: the shell then leaves out the rest of the line that they stand in, and goes on behind it."""

from __future__ import annotations

import re

__all__ = ["READ_ONLY", "may_fail"]

READ_ONLY = frozenset({"BASHOPTS", "BASH_VERSINFO", "EUID", "PPID", "SHELLOPTS", "UID"})
# A division by what may be nothing, or a number that is none.
_FAILS = re.compile(r"[/%]=?[ \t\n]*(?![1-9 \t\n=])|(?<![\w.#])0[0-9]*[89]|[-+*/%&|^<>=][ \t\n]*\Z")


def may_fail(text: str) -> bool:
    """Whether arithmetic in a command may fail, as far as that can be seen in it."""
    for mark, end in (("$((", "))"), ("$[", "]")):
        for piece in text.split(mark)[1:]:
            if _FAILS.search(piece.partition(end)[0]):
                return True
    return False
