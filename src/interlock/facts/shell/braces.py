"""Brace expansion: `{a,b}`, `{1..9}`, in words whose quoted parts take no part in it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from interlock.facts.limits import BRACE_NESTING, BRACES
from interlock.facts.shell.tree import Part, Quoted

__all__ = ["expand_braces"]

_MARK = re.compile(r"[{},]")
_RANGE = re.compile(r"(-?[0-9]+)\.\.(-?[0-9]+)(?:\.\.(-?[0-9]+))?|([A-Za-z])\.\.([A-Za-z])(?:\.\.(-?[0-9]+))?")


class _Mark(str):
    """An unquoted `{`, `,` or `}`."""

    __slots__ = ()


def expand_braces(parts: list[Part]) -> list[list[Part]] | None:
    """The words that a word stands for; None if they are too many."""
    if sum(part.count("{") + part.count(",") for part in parts if isinstance(part, str)) > BRACES.most:
        return None
    atoms: list[Part] = []
    for part in parts:
        if isinstance(part, str) and _MARK.search(part):
            atoms += _split(part)
        else:
            atoms.append(part)
    words = _expand(atoms, 0)
    if words is None or len(words) > BRACES.most:
        return None
    return [_join(word) for word in words]


def _split(text: str) -> Iterator[Part]:
    at = 0
    for found in _MARK.finditer(text):
        if found.start() > at:
            yield text[at : found.start()]
        yield _Mark(found[0])
        at = found.end()
    if at < len(text):
        yield text[at:]


def _join(atoms: list[Part]) -> list[Part]:
    joined: list[Part] = []
    for atom in atoms:
        if isinstance(atom, str) and joined and isinstance(joined[-1], str):
            joined[-1] = f"{joined[-1]}{atom}"
        else:
            joined.append(str(atom) if isinstance(atom, _Mark) else atom)
    return joined


def _expand(atoms: list[Part], depth: int) -> list[list[Part]] | None:
    """Each word, still in atoms. The first brace that closes is expanded, and the rest behind it."""
    start = 0
    while (open := _next_open(atoms, start)) is not None:
        closed = _choices(atoms, open)
        if closed is None:
            start = open + 1
            continue
        choices, end = closed
        rest = _expand(atoms[end + 1 :], depth)
        inner: list[list[Part]] = []
        for choice in choices:
            words = _expand(choice, depth + 1) if depth < BRACE_NESTING.most else None
            if words is None or len(inner) > BRACES.most:
                return None
            inner += words
        if rest is None or len(inner) * len(rest) > BRACES.most:
            return None
        return [[*atoms[:open], *middle, *tail] for middle in inner for tail in rest]
    return [atoms]


def _next_open(atoms: list[Part], start: int) -> int | None:
    return next((at for at in range(start, len(atoms)) if isinstance(atoms[at], _Mark) and atoms[at] == "{"), None)


def _choices(atoms: list[Part], open: int) -> tuple[list[list[Part]], int] | None:
    """What stands between the commas of the brace, or the range that it is, and where it closes."""
    choices: list[list[Part]] = [[]]
    level = 0
    for at in range(open + 1, len(atoms)):
        atom = atoms[at]
        if isinstance(atom, _Mark):
            if atom == "}" and level == 0:
                if len(choices) > 1:
                    return choices, at
                numbers = _range(choices[0])
                return None if numbers is None else (numbers, at)
            if atom == "," and level == 0:
                choices.append([])
                continue
            level += {"{": 1, "}": -1}.get(atom, 0)
        choices[-1].append(atom)
    return None


def _range(atoms: list[Part]) -> list[list[Part]] | None:
    if any(not isinstance(atom, str) for atom in atoms):
        return None
    found = _RANGE.fullmatch("".join(atom for atom in atoms if isinstance(atom, str)))
    if found is None:
        return None
    letters = found[4] is not None
    first, last = (ord(found[4]), ord(found[5])) if letters else (int(found[1]), int(found[2]))
    step = abs(int(found[6 if letters else 3] or 1)) or 1
    if abs(last - first) // step >= BRACES.most:
        return [[Quoted("\0")]]
    width = 0
    if not letters and any(re.match(r"-?0[0-9]", end) for end in (found[1], found[2])):
        width = max(len(found[1]), len(found[2]))
    numbers = range(first, last + 1, step) if first <= last else range(first, last - 1, -step)
    return [[chr(number) if letters else str(number).zfill(width)] for number in numbers]
