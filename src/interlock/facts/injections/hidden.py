"""Characters that a model reads and a person does not see: tags, selectors, zero-width runs, reordered lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

__all__ = ["INVISIBLE", "HiddenText", "find_hidden", "without_invisible"]

# Nothing is hidden in a text without these.
INVISIBLE = (
    "[\u00ad\u0334-\u0338\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe00-\ufe0f\ufeff"
    "\U000e0000-\U000e01ef]"
)
# Tag characters. Behind a black flag they spell the flag of a region, and are seen.
_TAGS = re.compile("(?<![\U0001f3f4\U000e0020-\U000e007f])[\U000e0000-\U000e007f]{3,}")
# One selector behind a sign chooses how that sign looks. Four in a row choose nothing: they carry bytes.
_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{4,}")
# One joiner between letters or emoji is ordinary. A long run carries bits.
_ZERO_WIDTH = re.compile("[\u180e\u200b-\u200d\u2060-\u2064\ufeff]{12,}")
# No script puts one between Latin letters again and again.
_BETWEEN = re.compile("(?:[A-Za-z][\u180e\u200b-\u200d\u2060-\u2064\ufeff]){6,}")
# What reorders a line. Marks (LRM, RLM) only help a line to be shown as it is meant, and are not among them.
_REORDERING = re.compile("[\u202a-\u202e\u2066-\u2069]")
_OVERRIDE = re.compile("[\u202d\u202e]")
_OPEN, _CLOSE = re.compile("[\u202a\u202b\u202d\u202e\u2066-\u2068]"), re.compile("[\u202c\u2069]")
# Letters that are written from right to left: a line with them needs marks for its direction.
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
_WORTH = re.compile(r"[(){};=/\"'<>]|\w+\W+\w+\W+\w+")
_INVISIBLE = re.compile(
    "[\u00ad\u0334-\u0338\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe00-\ufe0f\ufeff]+"
)


class HiddenText(Struct, frozen=True):
    """Something that a person would not see: what sort it is, where it stands, and what it says, if that is known."""

    kind: str
    start: int
    end: int
    says: str = ""


def find_hidden(text: str) -> Iterator[HiddenText]:
    """Everything in a text that is hidden by its characters; none if it has no INVISIBLE ones."""
    for hit in _TAGS.finditer(text):
        yield HiddenText(
            "tag characters", *hit.span(), "".join(chr(ord(one) - 0xE0000) for one in hit[0]).strip("\0\x01\x7f")
        )
    for hit in _SELECTORS.finditer(text):
        yield HiddenText("variation selectors", *hit.span(), _bytes_of(hit[0]))
    for hit in _ZERO_WIDTH.finditer(text):
        if len(set(hit[0])) > 1:  # one sign, however often, says nothing
            yield HiddenText("zero-width characters", *hit.span())
    for hit in _BETWEEN.finditer(text):
        yield HiddenText("zero-width characters", *hit.span(), without_invisible(hit[0]))
    yield from _reordered_lines(text)


def _bytes_of(selectors: str) -> str:
    """The bytes that a run of selectors stands for, if they are a text."""
    numbers = [ord(one) - (0xFE00 if one < "\uff00" else 0xE0100 - 16) for one in selectors]
    try:
        found = bytes(numbers).decode()
    except (ValueError, UnicodeDecodeError):
        return ""
    return found if found.isprintable() else ""


def _reordered_lines(text: str) -> Iterator[HiddenText]:
    """Lines that are shown in another order than they are read in, though nothing in them is written that way."""
    at = -1
    for hit in _REORDERING.finditer(text):
        if hit.start() < at:
            continue
        start = text.rfind("\n", 0, hit.start()) + 1
        at = text.find("\n", hit.start())
        at = len(text) if at < 0 else at
        line = text[start:at]
        if _RIGHT_TO_LEFT.search(line) is not None:
            continue
        unbalanced = len(_OPEN.findall(line)) > len(_CLOSE.findall(line))
        # A name or a title may be a joke. Code or a sentence that is shown in another order is not.
        if (unbalanced or _OVERRIDE.search(line) is not None) and _WORTH.search(line) is not None:
            yield HiddenText("reordered text", start, at, without_invisible(line).strip()[:200])


def without_invisible(text: str) -> str:
    """The text as it is read, without signs that are not seen."""
    return _INVISIBLE.sub("", text)
