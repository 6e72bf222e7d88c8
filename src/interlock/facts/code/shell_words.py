"""Words and lines for a shell, with its own way to write what nobody knows."""

from __future__ import annotations

import re

from interlock.facts.shell import UNKNOWN

__all__ = ["line_for_shell", "quoted"]

_PLAIN = re.compile(r"[\w./:=@%+-]+")
_VALUE = "${VALUE}"


def quoted(word: str) -> str:
    """A word as a shell takes it for one. The folder of a person stays what it is."""
    if UNKNOWN in word:
        parts = re.split(f"({UNKNOWN})", word)
        return "".join(f'"{_VALUE}"' if part == UNKNOWN else quoted(part) for part in parts if part)
    if word == "~" or word.startswith("~/"):
        return "~" + ("/" + quoted(word[2:]) if word[2:] else word[1:])
    return word if _PLAIN.fullmatch(word) else "'" + word.replace("'", "'\\''") + "'"


def line_for_shell(text: str) -> str:
    """A line with unknown parts."""
    return text.replace(UNKNOWN, _VALUE)
