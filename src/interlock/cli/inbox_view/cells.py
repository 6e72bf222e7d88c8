"""Text in the cells of a terminal: wide characters take two of them, and nothing in a text moves the cursor."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from interlock.cli.common import visible

__all__ = ["Row", "Style", "StyledText", "clip", "clip_row", "fold", "harmless", "pad", "row", "width_of"]

Style: TypeAlias = Literal["", "bold", "dim", "reverse"]
_TAB = "    "


class StyledText(NamedTuple):
    """A piece of a row in one style."""

    text: str
    style: Style = ""


Row: TypeAlias = tuple[StyledText, ...]


def row(*parts: str | StyledText) -> Row:
    """A row of plain and styled texts."""
    return tuple(part if isinstance(part, StyledText) else StyledText(part) for part in parts)


def harmless(text: str) -> str:
    """The text as it can be written to a terminal: control characters as escapes, and tabs as spaces."""
    return visible(text).replace("\t", _TAB)


@lru_cache(maxsize=4096)
def _cells(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me"):
        return 0  # drawn onto the character before it
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1


def width_of(text: str) -> int:
    """How many cells a text takes."""
    return len(text) if text.isascii() else sum(map(_cells, text))


def clip(text: str, room: int) -> str:
    """A text that fits into so many cells; an ellipsis stands for what was cut off."""
    if width_of(text) <= room:
        return text
    return _head(text, room - 1) + "…" if room > 0 else ""


def pad(text: str, room: int) -> str:
    """A text that takes exactly so many cells."""
    shown = clip(text, room)
    return shown + " " * (room - width_of(shown))


def fold(text: str, room: int) -> list[str]:
    """A text in pieces that fit, broken behind a space where there is one in the second half of a piece."""
    room = max(room, 4)
    pieces = []
    while width_of(text) > room:
        head = _head(text, room)
        space = head.rfind(" ", len(head) // 2)
        end = len(head) if space < 0 else space + 1
        pieces.append(text[:end])
        text = text[end:]
    return [*pieces, text]


def clip_row(spans: Row, room: int) -> Row:
    """A row that fits into so many cells."""
    fitting = []
    for span in spans:
        shown = clip(span.text, room)
        fitting.append(StyledText(shown, span.style))
        room -= width_of(shown)
        if shown != span.text:
            break
    return tuple(fitting)


def _head(text: str, room: int) -> str:
    """The beginning of a text that fits."""
    for number, char in enumerate(text):
        room -= _cells(char)
        if room < 0:
            return text[:number]
    return text
