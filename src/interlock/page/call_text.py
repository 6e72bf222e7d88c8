"""A call as a person reads it: its text, what was changed word by word, and the part that a rule spoke about."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Any, Literal, TypeAlias

from msgspec import Struct, json

from interlock.facts.shapes import line_of_call, main_value
from interlock.facts.tools import kind_of

__all__ = ["Piece", "editable_text", "input_from", "one_line", "pieces_of", "text_of_call", "visible"]

JsonObject: TypeAlias = dict[str, Any]
Side: TypeAlias = Literal["before", "after"]

_WORDS = re.compile(r"\s+|[^\s\w]|\w+")
_JOINS = re.compile(r"\s+(?=(?:&&|\|\||\||;)\s)")
_QUOTED = re.compile(r"`([^`]+)`")
_MOST_WORDS = 3000  # beyond this, nobody reads a difference word by word, and finding it is slow
_DESCRIBES = "description"


class Piece(Struct, frozen=True):
    """A part of a text: as it was, taken out, put in, or what a rule spoke about."""

    text: str
    kind: Literal["", "del", "ins", "mark"] = ""


def visible(text: str) -> str:
    """The text with control characters as escapes: they could hide or turn round what a person is asked about."""
    return "".join(
        char if char.isprintable() or char in "\n\t" else char.encode("unicode_escape").decode() for char in text
    )


def one_line(tool: str, given: JsonObject, most: int = 300) -> str:
    """A call on one line."""
    text = line_of_call(tool, given) if main_value(tool, given) is not None else json.encode(given).decode()
    return visible(text[:most])


def text_of_call(tool: str, given: JsonObject) -> str:
    """A shell line as it is, anything else field by field."""
    line = _line(tool, given)
    if line is not None:
        return visible(line)
    return visible("\n".join(f"{name}: {_value(value)}" for name, value in given.items()) or "(no input)")


def _line(tool: str, given: JsonObject) -> str | None:
    value = main_value(tool, given)
    is_alone = {name for name in given if name != _DESCRIBES} == {"command"}
    return value if kind_of(tool) == "shell" and is_alone else None


def _value(value: Any) -> str:
    if isinstance(value, str):
        return f"\n{value}" if "\n" in value else value
    return json.encode(value).decode()


def editable_text(tool: str, given: JsonObject) -> tuple[str, bool]:
    """What a person edits, and whether that is JSON: of a shell call, the command alone."""
    line = _line(tool, given)
    if line is not None:
        return line, False
    return json.format(json.encode(given), indent=2).decode(), True


def input_from(tool: str, given: JsonObject, text: str) -> JsonObject | None:
    """The input that a person's edited text stands for; None if it stands for none."""
    if _line(tool, given) is not None:
        return {**given, "command": text} if text.strip() else None
    try:
        found = json.decode(text)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def pieces_of(text: str, other: str | None, side: Side, reasons: list[str]) -> list[Piece]:
    """A text in pieces: what differs from the other one, and else what the reasons quote; on lines that can be read."""
    found = list(_differences(text, other, side)) if other is not None else [Piece(text)]
    if side == "after":
        found = [part for piece in found for part in _with_marks(piece, reasons)]
    return [Piece(_JOINS.sub("\n  ", piece.text) if "\n" not in text else piece.text, piece.kind) for piece in found]


def _differences(text: str, other: str, side: Side) -> Iterator[Piece]:
    here, there = _WORDS.findall(text), _WORDS.findall(other)
    if len(here) > _MOST_WORDS or len(there) > _MOST_WORDS:
        yield Piece(text)
        return
    matcher = SequenceMatcher(None, there, here, autojunk=False)
    for kind, _, _, first, last in matcher.get_opcodes():
        if last > first:
            yield Piece("".join(here[first:last]), "" if kind == "equal" else _KINDS[side])


_KINDS: dict[Side, Literal["del", "ins"]] = {"before": "del", "after": "ins"}


def _with_marks(piece: Piece, reasons: list[str]) -> Iterator[Piece]:
    """What a reason quotes from the call."""
    quoted = [one for reason in reasons for one in _QUOTED.findall(reason) if piece.kind == "" and one in piece.text]
    if not quoted:
        yield piece
        return
    one = max(quoted, key=len)
    before, _, after = piece.text.partition(one)
    yield from (found for found in (Piece(before), Piece(one, "mark"), Piece(after)) if found.text)
