"""A shell's patterns, `*`, `?` and `[a-c]`, and what the operators of `${name…}` do with them."""

from __future__ import annotations

import math
import re

from msgspec import Struct

__all__ = ["Pattern", "changed_case", "read_pattern", "replaced", "without_end", "without_start"]

_CLASSES = {
    "alnum": "a-zA-Z0-9", "alpha": "a-zA-Z", "blank": r"\ \t", "digit": "0-9", "lower": "a-z", "space": r"\s",
    "upper": "A-Z", "xdigit": "0-9A-Fa-f", "word": r"\w",
}  # fmt: skip
_CLASS = re.compile(r"\[:([a-z]+):\]")
_SET = re.compile(r"\[([!^]?)(\]?(?:\[:[a-z]+:\]|[^\]\\\[])*)\]")


class Pattern(Struct, frozen=True):
    """A pattern, as pieces of a regular expression; a star is None."""

    pieces: tuple[str | None, ...]

    @property
    def stars(self) -> int:
        return self.pieces.count(None)

    def steps(self, text: str) -> int:
        """How many steps it may take to find it in a text, however both are made."""
        return int(math.pow(len(text) + 1, min(self.stars + 1, 8)))

    def expression(self, *, lazy: bool = False, backwards: bool = False) -> re.Pattern[str]:
        star = ".*?" if lazy else ".*"
        pieces = reversed(self.pieces) if backwards else self.pieces
        return re.compile("".join(star if one is None else one for one in pieces), re.DOTALL)


def read_pattern(text: str) -> Pattern | None:
    """The pattern that a text is, in which `\\` makes the next character a plain one; None if it is not understood."""
    pieces: list[str | None] = []
    at = 0
    while at < len(text):
        character = text[at]
        if character == "\\" and at + 1 < len(text):
            pieces.append(re.escape(text[at + 1]))
            at += 2
            continue
        if character in "?*+@!" and text.startswith("(", at + 1):
            return None
        if character == "[":
            found = _SET.match(text, at)
            inner = _set(found) if found else None
            if found is None or inner is None:
                return None
            pieces.append(inner)
            at = found.end()
            continue
        if character == "*":
            pieces += [] if pieces and pieces[-1] is None else [None]
        else:
            pieces.append("." if character == "?" else re.escape(character))
        at += 1
    return Pattern(tuple(pieces))


def _set(found: re.Match[str]) -> str | None:
    inner = found[2]
    if not inner or not all(name in _CLASSES for name in _CLASS.findall(inner)):
        return None
    parts = []
    at = 0
    for one in _CLASS.finditer(inner):
        parts += [_plain(inner[at : one.start()]), _CLASSES[one[1]]]
        at = one.end()
    parts.append(_plain(inner[at:]))
    text = f"[{'^' if found[1] else ''}{''.join(parts)}]"
    try:
        re.compile(text)
    except re.error:
        return None
    return text


def _plain(text: str) -> str:
    return re.sub(r"([\[\]&~|^\\])", r"\\\1", text)


def without_start(text: str, pattern: Pattern, *, longest: bool) -> str:
    found = pattern.expression(lazy=not longest).match(text)
    return text if found is None else text[found.end() :]


def without_end(text: str, pattern: Pattern, *, longest: bool) -> str:
    found = pattern.expression(lazy=not longest, backwards=True).match(text[::-1])
    return text if found is None else text[: len(text) - found.end()]


def replaced(text: str, pattern: Pattern, by: str, how: str) -> str:
    """The text with what the pattern finds replaced: `/` the first, `//` all, `/#` at the start, `/%` at the end."""
    if not pattern.pieces:
        return by + text if how == "/#" else text + by if how == "/%" else text
    if how == "/#":
        found = pattern.expression().match(text)
        return text if found is None else by + text[found.end() :]
    if how == "/%":
        found = pattern.expression(backwards=True).match(text[::-1])
        return text if found is None else text[: len(text) - found.end()] + by
    if text == "":
        return by if pattern.pieces == (None,) else ""
    # What matches nothing at all, as `*` may at the end of a text, is no place to put something.
    return pattern.expression().sub(lambda found: by if found[0] else "", text, count=0 if how == "//" else 1)


def changed_case(text: str, op: str, pattern: Pattern | None) -> str | None:
    """The text with the case of its first character changed, or of all; only where the pattern is, if there is one."""
    change = str.upper if op[0] == "^" else str.lower
    if pattern is None:
        return change(text) if len(op) > 1 else change(text[:1]) + text[1:]
    if len(pattern.pieces) != 1:
        return None
    whole = pattern.expression()
    some = text if len(op) > 1 else text[:1]
    return "".join(change(one) if whole.fullmatch(one) else one for one in some) + text[len(some) :]
