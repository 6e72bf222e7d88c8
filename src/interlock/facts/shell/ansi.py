"""`$'…'`: a text with the escapes of C in it."""

from __future__ import annotations

import re

__all__ = ["ansi_at", "ansi_text"]

_TEXT = re.compile(r"\$'([^'\\]*(?:\\.[^'\\]*)*)'", re.DOTALL)
_ESCAPE = re.compile(
    r"\\(?:x([0-9A-Fa-f]{1,2})|x\{([0-9A-Fa-f]*)\}?|([0-7]{1,3})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})"
    r"|c(\\\\|.)|(.))",
    re.DOTALL,
)
_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "v": "\v"}
_MOST_CODE_POINT = 0x10FFFF


def ansi_at(text: str, at: int, size: int) -> tuple[str, int] | None:
    """What a `$'…'` stands for and where it ends, or None if it is not closed."""
    found = _TEXT.match(text, at, size)
    if found is None:
        return None
    return ansi_text(found[1]), found.end()


def ansi_text(text: str) -> str:
    """What stands between the quotes of `$'…'`, as it is read."""
    return _ESCAPE.sub(_character, text).split("\0", 1)[0]


def _character(found: re.Match[str]) -> str:
    digits, braced, octal, short, long, control, letter = found.groups()
    if letter is not None:
        return _LETTERS.get(letter, letter if letter in "\\'\"?" else "\\" + letter)
    if control is not None:
        return chr(ord(control[0]) & 0x1F)
    number = int(octal, 8) & 0xFF if octal else int(digits or short or long or braced[-8:] or "0", 16)
    if braced is not None:
        number &= 0xFF
    return chr(number) if number <= _MOST_CODE_POINT and not 0xD800 <= number <= 0xDFFF else "\N{REPLACEMENT CHARACTER}"
