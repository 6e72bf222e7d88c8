"""Where a here-document ends: its delimiter as a shell reads it, and the line that is the delimiter."""

from __future__ import annotations

import re
from typing import NamedTuple

from interlock.facts.shell.ansi import ansi_at

__all__ = ["Delimiter", "delimiter_at"]

_PLAIN = re.compile(r"[^ \t\n'\"\\$`;&|<>()]+")
_IN_DOUBLE = re.compile(r"[^\"\\$`]+")
_ENDS = frozenset(" \t\n;&|<>()")
_ESCAPED_IN_DOUBLE = frozenset('$`"\\')


class Delimiter(NamedTuple):
    """The word behind `<<`, without its quotes."""

    text: str
    quoted: bool  # nothing is expanded in the document
    end: int
    certain: bool  # shells agree on it


def delimiter_at(text: str, start: int, size: int) -> Delimiter | None:
    """The delimiter that stands here, or None if there is none. Nothing in it is expanded, and any quote counts."""
    at = start
    parts: list[str] = []
    quoted = False
    certain = True
    while at < size and text[at] not in _ENDS:
        plain = _PLAIN.match(text, at, size)
        if plain is not None:
            parts.append(plain[0])
            at = plain.end()
            continue
        character, behind = text[at], text[at + 1 : at + 2]
        if character == "\\":
            if behind != "\n":  # a line that goes on is no quote
                parts.append(behind)
                quoted = True
            at += 2
        elif character == "'":
            end = text.find("'", at + 1, size)
            end = size if end < 0 else end
            parts.append(text[at + 1 : end])
            quoted, at = True, end + 1
        elif character == '"':
            inner, at, plain_text = _double(text, at + 1, size)
            parts.append(inner)
            quoted, certain = True, certain and plain_text
        elif character == "$" and behind == "'":
            found = ansi_at(text, at, size)
            if found is None:
                return Delimiter("".join(parts), True, size, False)
            parts.append(found[0])
            quoted, at = True, found[1]
        elif character == "$" and behind == '"':
            at += 1
        else:
            certain = certain and character == "$" and behind not in ("(", "{", "[")
            parts.append(character)
            at += 1
    return Delimiter("".join(parts), quoted, min(at, size), certain) if at > start else None


def _double(text: str, at: int, size: int) -> tuple[str, int, bool]:
    """The text in double quotes, where it ends, and whether nothing else stands in them."""
    parts: list[str] = []
    certain = True
    while at < size and text[at] != '"':
        plain = _IN_DOUBLE.match(text, at, size)
        if plain is not None:
            parts.append(plain[0])
            at = plain.end()
            continue
        character, behind = text[at], text[at + 1 : at + 2]
        if character == "\\":
            if behind != "\n":
                parts.append(behind if behind in _ESCAPED_IN_DOUBLE else character + behind)
            at += 2
        else:
            certain = certain and character == "$" and behind not in ("(", "{")
            parts.append(character)
            at += 1
    return "".join(parts), at + 1, certain
