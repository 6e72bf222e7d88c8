"""A run over many lines: make each, run it, read it, and shorten those whose programs were not known."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from tools.fuzz.box import Box
from tools.fuzz.judge import Verdict, judge, read
from tools.fuzz.lines import entries, load_grammar, make_line
from tools.fuzz.mutations import mutate

__all__ = ["Hole", "Session", "Tally", "lines_of", "shorten"]

_TRIES = 300
_MUTATED = 0.5
_OF_KEPT = 0.4
_PIECE = re.compile(r"[A-Za-z0-9_]+|[ \t]+|.", re.DOTALL)


class Hole(NamedTuple):
    """A line that starts a program which the facts do not have."""

    line: str
    dash: bool
    kind: str  # "missed": the program; "words": its arguments
    program: str


class Tally:
    """What became of the lines."""

    def __init__(self) -> None:
        self.lines = self.opaque = self.refused = self.late = self.silent = self.programs = 0

    def as_text(self) -> str:
        share = {
            "opaque": self.opaque,
            "refused by bash": self.refused,
            "late": self.late,
            "without a program": self.silent,
        }
        shares = ", ".join(f"{name} {count / max(self.lines, 1):.1%}" for name, count in share.items())
        return f"{self.lines:,} lines, {self.programs:,} programs started; {shares}"


def lines_of(seed: int) -> Iterator[tuple[str, bool]]:
    """Lines without end, and whether `sh` is dash for each. The same seed gives the same lines."""
    chance = random.Random(seed)
    grammar = load_grammar()
    kept = [*entries("holes.txt").values(), *entries("usual.txt").values()]
    recent: list[str] = []
    while True:
        if chance.random() < _MUTATED:
            line = mutate(kept if chance.random() < _OF_KEPT else recent or kept, chance)
        else:
            line = make_line(grammar, chance)
            recent = [*recent[-40:], line]
        if "\0" not in line and len(line) < 4000:
            yield line, chance.random() < 0.5


class Session:
    """Lines held against bash, in one box."""

    def __init__(self, box: Box) -> None:
        self._box = box
        self.tally = Tally()

    def look(self, line: str, *, dash: bool) -> list[Hole]:
        """The holes of one line, without counting it."""
        ran = self._box.run(line, dash=dash)
        return _holes(line, judge(read(line), ran), dash=dash)

    def hold(self, line: str, *, dash: bool) -> list[Hole]:
        """Run and read one line; the holes that it shows."""
        ran = self._box.run(line, dash=dash)
        reading = read(line)
        tally = self.tally
        tally.lines += 1
        tally.opaque += reading.opaque
        tally.refused += ran.refused
        tally.late += ran.late
        tally.silent += not ran.started
        tally.programs += len(ran.started)
        return _holes(line, judge(reading, ran), dash=dash)

    def shorten(self, hole: Hole) -> Hole:
        """The same hole in as short a line as can be found soon."""

        def shows(line: str) -> bool:
            return any(one.kind == hole.kind for one in self.look(line, dash=hole.dash))

        line = shorten(hole.line, shows)
        again = [one for one in self.look(line, dash=hole.dash) if one.kind == hole.kind]
        return again[0] if again else hole


def _holes(line: str, found: Verdict, *, dash: bool) -> list[Hole]:
    holes = [Hole(line, dash, "missed", one.name) for one in found.missed]
    if dash:  # it gives words that bash expands as they are
        return holes
    return holes + [Hole(line, dash, "words", one.name) for one in found.changed]


def shorten(line: str, shows: Callable[[str], bool]) -> str:
    """Leave out what can be left out of a line, larger pieces first, as long as it shows the same."""
    pieces = _PIECE.findall(line)
    tries = _TRIES
    size = max(len(pieces) // 2, 1)
    while size:
        at = 0
        while at < len(pieces) and tries:
            shorter = pieces[:at] + pieces[at + size :]
            tries -= 1
            if shorter and shows("".join(shorter)):
                pieces = shorter
            else:
                at += size
        size //= 2
    return "".join(pieces)
