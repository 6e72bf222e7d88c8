"""A text that a regex finds, so that an imported rule has a case that it must catch."""

from __future__ import annotations

import re
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

__all__ = ["sample_of"]

_CATEGORIES = {
    codes.CATEGORY_DIGIT: "1",
    codes.CATEGORY_SPACE: " ",
    codes.CATEGORY_WORD: "a",
    codes.CATEGORY_NOT_DIGIT: "a",
    codes.CATEGORY_NOT_SPACE: "a",
    codes.CATEGORY_NOT_WORD: " ",
}
_ANY = "a1 _-./:=@#'\"()[]{}<>$%&*+,;|~^?!\\\n"


def sample_of(pattern: str) -> str | None:
    """A short text in which Python finds the pattern, whatever the case of its letters; None if none was made."""
    try:
        made = _texts(parser.parse(pattern))
        return made if re.search(pattern, made, re.IGNORECASE) else None
    except (re.error, _NoSampleError, RecursionError, OverflowError):
        return None


class _NoSampleError(Exception):
    pass


def _texts(parsed: Any) -> str:
    return "".join(_text(code, value) for code, value in parsed)


def _text(code: Any, value: Any) -> str:
    if code is codes.LITERAL:
        return chr(value)
    if code is codes.ANY:
        return "a"
    if code is codes.IN:
        return _member(value)
    if code is codes.NOT_LITERAL:
        return "a" if value != ord("a") else "b"
    if code is codes.BRANCH:
        return _texts(value[1][0])
    if code is codes.SUBPATTERN:
        return _texts(value[-1])
    if code in (codes.MAX_REPEAT, codes.MIN_REPEAT):
        least, _, inner = value
        if least > 100:
            raise _NoSampleError
        return str(_texts(inner) * least)
    if code is codes.AT:
        return ""
    raise _NoSampleError  # a lookaround or a reference, which RE2 has not either


def _member(value: Any) -> str:
    """One character of a set."""
    code, first = value[0]
    if code is codes.NEGATE:
        known = [_matching(part) for part in value[1:]]
        return next((char for char in _ANY if not any(test(char) for test in known)), "a")
    if code is codes.LITERAL:
        return chr(first)
    if code is codes.RANGE:
        return chr(first[0])
    if code is codes.CATEGORY:
        return _CATEGORIES[first]
    raise _NoSampleError


def _matching(part: tuple[Any, Any]) -> Any:
    code, value = part
    if code is codes.LITERAL:
        return lambda char: ord(char) == value
    if code is codes.RANGE:
        return lambda char: value[0] <= ord(char) <= value[1]
    tests = {
        codes.CATEGORY_DIGIT: str.isdigit, codes.CATEGORY_SPACE: str.isspace,
        codes.CATEGORY_WORD: lambda char: char.isalnum() or char == "_",
        codes.CATEGORY_NOT_DIGIT: lambda char: not char.isdigit(),
        codes.CATEGORY_NOT_SPACE: lambda char: not char.isspace(),
        codes.CATEGORY_NOT_WORD: lambda char: not (char.isalnum() or char == "_"),
    }  # fmt: skip
    return tests[value]
