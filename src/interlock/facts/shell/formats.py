"""Texts as `printf`, `echo -e` and `${x@Q}` make them: escapes, directives, quotes."""

from __future__ import annotations

import re
from collections import deque

from interlock.facts.limits import OUTPUT

__all__ = ["NUL", "OutputTooLong", "cut", "format_text", "quote", "unescape"]

_ESCAPE = re.compile(
    r"\\(?:x([0-9A-Fa-f]{1,2})|0([0-7]{0,3})|([1-7][0-7]{0,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})"
    r"|([abeEfnrtv\\\"'?]))"
)
_LETTERS = {
    "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\\": "\\",
    '"': '"', "'": "'", "?": "?",
}  # fmt: skip
_ONLY_IN_FORMATS = "\"'?"
_DIRECTIVE = re.compile(r"%(?:(%)|([-+ #0']*)([0-9]+|\*)?(?:\.([0-9]*|\*))?(?:hh|h|ll|l|j|z|t|L)?([sbqQcdiuoxX]))")
_NUMBER = re.compile(r"[-+]?(?:0[xX][0-9A-Fa-f]+|[0-9]{1,18})")
_UNPRINTED = re.compile(r"[\x00-\x1f\x7f]")
_NEEDS_QUOTES = re.compile(r"[^A-Za-z0-9_./:=+@%,-]")
_BEHIND = re.compile(r"\\(.)", re.DOTALL)
NUL = "\ufdd0"  # stands for the character that no value has, and that `xargs -0` parts words by


class OutputTooLong(Exception):  # noqa: N818 - not an error: the caller says that there is more
    """A program prints more than is worked out."""


def quote(text: str) -> str | None:
    """A text in quotes; None if the shell would write it another way."""
    return None if _UNPRINTED.search(text) else "'" + text.replace("'", "'\\''") + "'"


def unescape(text: str, how: str = "format") -> str:
    """A text with its escapes done, as in a format of printf, behind `%b`, or by `echo -e`."""
    if "\\" not in text:
        return text

    def put(found: re.Match[str]) -> str:
        digits, zero, octal, short, long, letter = found.groups()
        if letter is not None:
            return found[0] if how != "format" and letter in _ONLY_IN_FORMATS else _LETTERS[letter]
        if octal is not None:
            return found[0] if how == "echo" else _character(int(octal, 8) & 0xFF)
        if zero is not None:
            if how == "format":  # three digits at most, the nought being one of them
                return _character(int("0" + zero[:2], 8)) + zero[2:]
            return _character(int(zero or "0", 8) & 0xFF)
        return _character(int(digits or short or long, 16))

    return _ESCAPE.sub(put, text)


def _character(number: int) -> str:
    if number == 0:
        return NUL
    try:
        text = chr(number)
        text.encode()
    except (ValueError, OverflowError):  # there is no such character
        return "\N{REPLACEMENT CHARACTER}"
    return text


def cut(text: str) -> tuple[str, bool]:
    """The text up to a `\\c`, behind which nothing is printed, and whether there is one."""
    end = next((found.start() for found in _BEHIND.finditer(text) if found[1] == "c"), None)
    return (text, False) if end is None else (text[:end], True)


def format_text(form: str, args: tuple[str, ...]) -> str | None:
    """What `printf` prints for a format and its arguments; None if that is not known."""
    pieces: list[str | re.Match[str]] = []
    at = 0
    for found in _DIRECTIVE.finditer(form):
        pieces += [unescape(form[at : found.start()]), found]
        at = found.end()
    pieces.append(unescape(form[at:]))
    if any("%" in piece for piece in pieces if isinstance(piece, str)):
        return None
    takes = sum(_takes(one) for one in pieces if not isinstance(one, str))
    words = deque(args)
    if takes and len(form) * (len(words) // takes + 1) + sum(map(len, words)) > 2 * OUTPUT.most:
        raise OutputTooLong
    printed: list[str] = []
    while True:
        left = len(words)
        for piece in pieces:
            last = False
            if not isinstance(piece, str) and piece[5] == "b" and words and "\\c" in words[0]:
                words[0], last = cut(words[0])
            text = piece if isinstance(piece, str) else _directive(piece, words)
            if text is None:
                return None
            printed.append(text)
            if last:
                return "".join(printed)
        if not words or len(words) == left:
            return "".join(printed)


def _takes(found: re.Match[str]) -> int:
    return 0 if found[1] else 1 + (found[3] == "*") + (found[4] == "*")


def _directive(found: re.Match[str], words: deque[str]) -> str | None:
    """One directive, which takes its words."""
    if found[1]:
        return "%"
    flags, width, precision, kind = found[2], found[3], found[4], found[5]
    if width == "*":
        width = words.popleft() if words else "0"
    if precision == "*":
        precision = words.popleft() if words else "0"
    size = _count(width)
    limit = None if precision is None else _count(precision or "0")
    if size is None or (precision is not None and limit is None):
        return None
    text = _conversion(kind, words.popleft() if words else None, flags, limit)
    if text is None or abs(size) > OUTPUT.most:
        return None
    if size < 0 or "-" in flags:
        return text.ljust(abs(size))
    if "0" in flags and kind in "diuoxX" and limit is None:
        return text.zfill(size)
    return text.rjust(size)


def _count(text: str | None) -> int | None:
    if not text:
        return 0
    return int(text) if re.fullmatch(r"-?[0-9]{1,6}", text) else None


def _conversion(kind: str, word: str | None, flags: str, limit: int | None) -> str | None:
    if kind in "sbcqQ":
        given = word or ""
        if kind == "c":
            return given[:1]
        if kind == "b":
            given = unescape(given, "b")
        elif kind in "qQ":
            quoted = quote(given) if not given or _NEEDS_QUOTES.search(given) else given
            if quoted is None:
                return None
            given = quoted
        return given if limit is None else given[: max(limit, 0)]
    if word and (word[0] in "\"'" or "\0" in word):
        return str(ord(word[1])) if len(word) > 1 and kind in "di" and not flags and "\0" not in word else None
    if flags.strip("-0") or limit is not None or (word and not _NUMBER.fullmatch(word.strip())):
        return None
    digits = (word or "0").strip()
    sign = -1 if digits[0] == "-" else 1
    plain = digits.lstrip("+-")
    octal = plain[0] == "0" and plain[1:].isdigit()
    if octal and not re.fullmatch("[0-7]+", plain):
        return None
    number = sign * int(plain, 16 if plain[:2] in ("0x", "0X") else 8 if octal else 10)
    if kind in "di":
        return str(number)
    return None if number < 0 else format(number, {"u": "d", "o": "o", "x": "x", "X": "X"}[kind])
