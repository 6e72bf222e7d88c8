"""How much an expression may make: CEL bounds how often a loop turns, and not how long a text grows.

The functions that multiply texts are our own here, and look at the size of what they would make first. What loops do
is bounded from outside: how often they turn, times the longest text that they could take in hand.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import force_setattr

from interlock.policy.tokens import ExpressionToken

__all__ = [
    "MOST_PATTERN", "MOST_PIECES", "MOST_TEXT", "Growth", "Sizes", "TooMuch", "check_pattern", "check_replacing",
    "growth_of", "joined", "made", "replaced", "split",
]  # fmt: skip

MOST_TEXT = 16 * 1024 * 1024  # characters that a function makes; twice what an event may have
MOST_PIECES = 100_000  # of a text that is split
MOST_PATTERN = 10_000  # characters of a regex
MOST_TURNS = 10_000  # of all loops of an evaluation: CEL's own limit
MOST_WORK = 1024 * 1024 * 1024  # characters that the loops of an expression look at
MOST_MADE = 256 * 1024 * 1024  # characters that they put together
_MACROS = frozenset({"all", "exists", "exists_one", "filter", "map"})


class TooMuch(Exception):  # noqa: N818 - the caller words it
    """An expression would make or look at more than it may."""


# --- functions -----------------------------------------------------------------------------------------------------


def replaced(text: str, old: str, new: str, most: int = -1) -> str:
    """CEL's `replace`."""
    times = text.count(old) if most < 0 else min(text.count(old), most)
    _check(len(text) + times * (len(new) - len(old)))
    return text.replace(old, new, most)


def joined(texts: list[Any], between: str = "") -> str:
    """CEL's `join`."""
    if not all(isinstance(text, str) for text in texts):
        raise TypeError("`join` takes a list of texts")
    _check(sum(map(len, texts)) + len(between) * len(texts))
    return between.join(texts)


def split(text: str, at: str, most: int = -1) -> list[str]:
    """CEL's `split`; at nothing, into characters."""
    pieces = text.count(at) + 1 if at else len(text)
    if (pieces if most < 0 else min(pieces, most)) > MOST_PIECES:
        raise TooMuch(f"a text would be split into more than {MOST_PIECES:,} pieces")
    _check(len(text))
    if most in (0, 1):
        return [text][:most]
    if at:
        return text.split(at, most - 1 if most > 0 else -1)
    return list(text) or [""] if most < 0 or most >= len(text) else [*text[: most - 1], text[most - 1 :]]


def check_replacing(pattern: Any, text: str, to: str) -> None:
    """Whether a regex may be replaced: each group that `to` names can be as long as what was found."""
    named = sum(to.count(f"\\{number}") for number in range(10))
    if len(text) + (len(text) + 1) * len(to) + named * len(text) <= MOST_TEXT:
        return
    times = sum(1 for _ in pattern.finditer(text))
    _check(len(text) + times * len(to) + named * len(text))


def check_pattern(pattern: str) -> None:
    if len(pattern) > MOST_PATTERN:
        raise TooMuch(f"a regex has more than {MOST_PATTERN:,} characters")


class _Sizes(threading.local):
    size: int = 0


made = _Sizes()  # by the functions of an expression; whoever evaluates one sets it to nothing first


def _check(size: int) -> None:
    """Whether a text of this size may be made, in a loop perhaps, where others were made before it."""
    if size > MOST_TEXT:
        raise TooMuch(f"a text would have more than {MOST_TEXT:,} characters")
    made.size += size
    if made.size > MOST_MADE:
        raise TooMuch(f"its functions would make more than {MOST_MADE:,} characters")


# --- loops ---------------------------------------------------------------------------------------------------------


class Growth(Struct, frozen=True):
    """What the loops of an expression could do: how deep they stand in each other, and how much they add up."""

    depth: int = 0
    adds: int = 0  # `+` inside of loops
    maps: int = 0
    listed: int = 0  # commas: no list that is written in it has more items by much
    harmless: int = 0  # no longer than this, texts cost little however often the loops turn

    def __post_init__(self) -> None:
        harmless = 0 if self.maps > 1 else MOST_MADE // (MOST_TURNS * (self.adds + 1))
        force_setattr(self, "harmless", harmless)

    def check(self, longest: int, most: int) -> None:
        """Raise TooMuch if they could take too long over the longest text and the longest list they are given."""
        turns = min(max(most, self.listed + 1) ** self.depth, MOST_TURNS)
        if longest * turns > MOST_WORK:
            raise TooMuch("its loops would look at too much text")
        # Each of several maps may double what the one before it made; else a `+` adds one more text.
        times = 2 ** min(self.adds, 64) if self.maps > 1 else self.adds + 1
        if (self.adds or self.maps) and longest * turns * times > MOST_MADE:
            raise TooMuch("its loops would put too much text together")


def growth_of(words: Sequence[ExpressionToken]) -> Growth:
    """What the loops in the tokens of an expression could do."""
    opened: list[bool] = []  # for each bracket, whether it is a loop's
    depth = adds = maps = 0
    for place, word in enumerate(words):
        if word.kind != "mark":
            continue
        if word.text in ("(", "[", "[?", "{"):
            name = words[place - 1].text if place > 1 and words[place - 2].text in (".", ".?") else ""
            opened.append(word.text == "(" and name in _MACROS)
            depth = max(depth, sum(opened))
            maps += opened[-1] and name == "map"
        elif word.text in (")", "]", "}") and opened:
            opened.pop()
        elif word.text == "+" and any(opened):
            adds += 1
    return Growth(depth, adds, maps, sum(word.text == "," for word in words))


class Sizes:
    """The longest text and the longest list in some values, each value looked at once."""

    def __init__(self) -> None:
        self.found: dict[int, tuple[Any, int, int]] = {}  # with the value, so that its id stays its own

    def look(self, value: Any) -> tuple[Any, int, int]:
        """Look at a value: itself, its longest text and its longest list."""
        # On the way of every event: comparing costs less than calling `max`.
        longest = most = 0
        waiting = [value]
        while waiting:
            one = waiting.pop()
            if isinstance(one, str):
                if len(one) > longest:
                    longest = len(one)
            elif isinstance(one, dict):
                if len(one) > most:
                    most = len(one)
                waiting += map(str, one)
                waiting += one.values()
            elif isinstance(one, list | tuple):
                if len(one) > most:
                    most = len(one)
                waiting += one
        held = self.found[id(value)] = (value, longest, most)
        return held

    def of(self, values: Iterable[Any], least: tuple[int, int] = (1, 1)) -> tuple[int, int]:
        """The longest of several values, and at least so much."""
        longest, most = least
        for value in values:
            held = self.found.get(id(value)) or self.look(value)
            longest, most = max(longest, held[1]), max(most, held[2])
        return longest, most
