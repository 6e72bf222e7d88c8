"""Lines for a shell, put together from `grammar.txt` by a seed."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import NamedTuple

__all__ = ["Grammar", "Way", "entries", "load_grammar", "make_line"]

_HERE = Path(__file__).parent
_DEPTH = 7
_PROGRAMS, _FAILING, _PRINTING = 100, 10, 10
_REFERENCE = re.compile("«([A-Za-z0-9]+)»")
_SIGNS = str.maketrans({"⏎": "\n", "⇥": "\t", "␣": " "})


class Way(NamedTuple):
    """One way to write a part: texts and names of parts by turns, a text first."""

    pieces: tuple[str, ...]
    depth: int  # how deep the parts in it go at least


Grammar = dict[str, list[Way]]


def load_grammar(text: str | None = None) -> Grammar:
    """The ways to write each part, those that are likelier more than once."""
    written: dict[str, list[tuple[str, ...]]] = {}
    ways: list[tuple[str, ...]] = []
    for line in (_HERE / "grammar.txt").read_text("utf-8").splitlines() if text is None else text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if not line.startswith("  "):
            ways = written.setdefault(line, [])
            continue
        weight, mark, rest = line[2:].partition("× ")
        times, form = (int(weight), rest) if mark and weight.isdigit() else (1, line[2:])
        ways += [tuple(_REFERENCE.split(form.translate(_SIGNS)))] * times
    depths = _depths(written)
    return {
        name: [Way(pieces, max((depths[part] for part in pieces[1::2]), default=0)) for pieces in forms]
        for name, forms in written.items()
    }


def _depths(written: dict[str, list[tuple[str, ...]]]) -> dict[str, int]:
    """How deep each part goes at least."""
    depths = {name: 0 if name in _NAMED else 99 for name in [*_NAMED, *written]}
    for _ in range(20):
        for name, forms in written.items():
            depths[name] = 1 + min(max((depths[part] for part in form[1::2]), default=0) for form in forms)
    return depths


class _Names:
    """The names of programs and aliases of one line."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._left = chance.sample(range(_PROGRAMS), _PROGRAMS)
        self._last = "z0"

    def p(self) -> str:
        self._last = f"z{self._left.pop()}" if self._left else "z0"
        return self._last

    def P(self) -> str:  # noqa: N802 - as the grammar writes it
        return self.p().upper()

    def same(self) -> str:
        return self._last

    def n(self) -> str:
        return f"n{self._chance.randrange(_FAILING)}"

    def print(self) -> str:
        return f"y{self._chance.randrange(_PRINTING)}"

    def a(self) -> str:
        return self._chance.choice(("a", "ll", "a.b"))

    def a2(self) -> str:
        return "b2"


_NAMED = {"p": _Names.p, "P": _Names.P, "same": _Names.same, "n": _Names.n, "print": _Names.print, "a": _Names.a,
          "a2": _Names.a2}  # fmt: skip


def make_line(grammar: Grammar, chance: random.Random) -> str:
    """One line."""
    names = _Names(chance)
    made: list[str] = []
    _write("line", grammar, chance, names, made, _DEPTH)
    return "".join(made)


def _write(part: str, grammar: Grammar, chance: random.Random, names: _Names, made: list[str], depth: int) -> None:
    named = _NAMED.get(part)
    if named is not None:
        made.append(named(names))
        return
    ways = grammar[part]
    way = chance.choice(ways)
    if way.depth > depth:
        least = min(one.depth for one in ways)
        way = chance.choice([one for one in ways if one.depth <= max(depth, least)])
    for at, piece in enumerate(way.pieces):
        if at % 2:
            _write(piece, grammar, chance, names, made, depth - 1)
        else:
            made.append(piece)


def entries(file: str) -> dict[str, str]:
    """The lines of `holes.txt` or `usual.txt`, each by what is told of it: behind `%%`, above the line."""
    found: dict[str, str] = {}
    for block in re.split(r"^%% ?", (_HERE / file).read_text("utf-8"), flags=re.MULTILINE)[1:]:
        title, _, line = block.partition("\n")
        if title in found:
            raise ValueError(f"{file} has two entries `{title}`")
        found[title] = line.removesuffix("\n")
    return found
