"""Text for a person at a terminal: wrapped or cut to its width, and values before and after a change."""

from __future__ import annotations

import difflib
import os
import sys
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
from msgspec import UNSET, json

from interlock.cli.common import visible
from interlock.config.bundles import PACKS
from interlock.errors import Source

__all__ = [
    "COLOURS",
    "Section",
    "changed_value",
    "cut",
    "flat",
    "place_of",
    "short_path",
    "terminal_width",
    "text_width",
]

COLOURS = {"deny": "red", "ask": "yellow", "defer": "yellow", "allow": "green", "none": "cyan"}
_USUAL = 80
_MOST_WIDE = 100  # longer lines of prose are hard to read
_MOST_LINES = 24  # of one value that is shown whole
_LABEL = 10


def terminal_width() -> int | None:
    """How many characters fit into a line of the terminal; None if the output goes to a file or another program."""
    given = os.environ.get("COLUMNS", "")
    if given.isdecimal() and int(given) > 0:
        return int(given)
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or _USUAL if sys.stdout.isatty() else None
    except (OSError, ValueError):  # a stream without a file, or a terminal that does not know its size
        return _USUAL


def text_width() -> int:
    """How wide prose is set."""
    return max(40, min(terminal_width() or _USUAL, _MOST_WIDE))


def flat(text: str) -> str:
    """A text on one line: spaces for line ends, and control characters written as escapes."""
    return visible(" ".join(text.split()))


def cut(text: str, room: int | None) -> str:
    """A text that fits into `room` characters; an ellipsis stands for what was cut off. None: the whole text."""
    if room is None or len(text) <= room:
        return text
    return text[: max(room - 1, 0)] + "…"


def short_path(file: str) -> str:
    """A file as a person here would name it: from this folder, or from their home. Shipped packs by their name."""
    path = Path(file)
    for folder, before in ((PACKS, "packs/"), (Path.cwd(), ""), (Path.home(), "~/")):
        if path.is_absolute() and path != Path(folder) and path.is_relative_to(folder):
            return f"{before}{path.relative_to(folder)}"
    return file


def place_of(source: Source | None) -> str:
    """Where a rule is, as short as it can be found by; empty if that is not known."""
    if source is None:
        return ""
    # Rules that protect Interlock's own files are in no file that a person could open.
    return "built in" if " (own " in source.file else f"{short_path(source.file)}:{source.line}"


def in_colour(text: str, colour: str | None, *, bold: bool = False) -> str:
    """The text in a colour, if it has one; a text without one is left as it is."""
    return click.style(text, fg=colour, bold=bold or None) if text and colour else text


class Section:
    """A part of a report: a label in a column of its own, and text beside it, wrapped to the width."""

    def __init__(self, label: str, colour: str | None = None, indent: int = _LABEL) -> None:
        """`indent` is the width of the column for labels."""
        self._label = label
        self._colour = colour
        self._indent = indent
        self._lines: list[str] = []
        self._room = text_width() - indent

    def say(self, text: str, indent: int = 0, mark: str = "") -> Section:
        """Add a paragraph. A mark, such as a number, stands in front of its first line, in the indentation."""
        before = f"{mark:<{indent}}"
        for line in visible_lines(text):
            for part in wrap_lines(line, self._room - indent):
                self._lines.append(before + part)
                before = " " * indent
        return self

    def verbatim(self, lines: Sequence[str], indent: int = 0, mark: int = 0) -> Section:
        """Add lines whose spaces are kept, such as code. Each begins with a mark of so many characters."""
        # The rest of a long line stays under its own text, so that the marks in front stay visible.
        for line in lines:
            for number, part in enumerate(_pieces(line[mark:], self._room - indent - mark)):
                self._lines.append(" " * indent + (line[:mark] if number == 0 else " " * mark) + part)
        return self

    def lines(self) -> Iterator[str]:
        """The lines of the section, ready to print."""
        for number, line in enumerate(self._lines):
            label = self._label if number == 0 else ""
            shown = in_colour(label, self._colour, bold=True) + " " * (self._indent - len(label))
            yield (shown + line).rstrip() if line else shown.rstrip()


def _pieces(text: str, room: int) -> Iterator[str]:
    """A long line in pieces, broken behind a space where there is one in the second half of a piece."""
    room = max(room, 10)
    while len(text) > room:
        space = text.rfind(" ", room // 2, room)
        end = room if space < 0 else space + 1
        yield text[:end]
        text = text[end:]
    yield text


def visible_lines(text: str) -> list[str]:
    """The lines of a text, with control characters written as escapes."""
    return [visible(line) for line in text.splitlines()] or [""]


def wrap_lines(text: str, room: int) -> list[str]:
    """A text in lines of at most so many characters."""
    # Commands are quoted in reasons, and a hyphen in one is no place to break it.
    return textwrap.wrap(text, max(room, 20), break_on_hyphens=False, drop_whitespace=True) or [""]


# --- values before and after ---------------------------------------------------------------------------------


def changed_value(before: Any, after: Any, room: int) -> tuple[str, list[str]]:
    """A change as one line, or as several if it does not fit into one; the other of the two is empty."""
    short = f"{_word(before, 'nothing')} → {_word(after, 'removed')}"
    one_line = not any(isinstance(value, str) and "\n" in value for value in (before, after))
    if one_line and len(short) <= room:
        return short, []
    lines = list(_difference(_text(before), _text(after)))
    if len(lines) > _MOST_LINES:
        left = len(lines) - _MOST_LINES
        lines = [*lines[:_MOST_LINES], f"  … {left} more line{'s' * (left != 1)}"]
    return "", lines


def _difference(before: str, after: str) -> Iterator[str]:
    """The lines that differ, with two lines around each place."""
    old, new = before.splitlines(), after.splitlines()
    for number, line in enumerate(difflib.unified_diff(old, new, n=2, lineterm="")):
        if number < 2:
            continue  # the names of the files
        if line.startswith("@@"):
            if number > 2:
                yield "  …"
            continue
        yield f"{line[0]} {visible(line[1:])}"


def _word(value: Any, absent: str) -> str:
    if value is UNSET:
        return absent
    return visible(json.encode(value).decode()) if not isinstance(value, str) else f'"{visible(value)}"'


def _text(value: Any) -> str:
    if value is UNSET:
        return ""
    return value if isinstance(value, str) else json.format(json.encode(value), indent=2).decode()
