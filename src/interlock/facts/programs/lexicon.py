"""The shipped descriptions, found by a program's name. An entry is decoded when its program is first met."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, json

from interlock.facts.programs.compiled import ENTRIES, INDEX
from interlock.facts.programs.table import Program

__all__ = ["ProgramEntry", "entries", "entry_of", "known_programs", "program_of"]

_MOST_KEPT = 10_000  # names; those that nobody has described count as well


class ProgramEntry(Struct, frozen=True, omit_defaults=True):
    """One description, and where it comes from."""

    names: str
    family: str
    program: Program
    about: str = ""
    cases: int = 0


_DECODER = json.Decoder(ProgramEntry)
_PLACES: dict[str, int] = {}  # of every name, once one was asked for that has none
_KEPT: dict[str, Program | None] = {}


def entry_of(name: str) -> ProgramEntry | None:
    """The description of a program, by one of its names."""
    start = _place_of(name)
    return None if start is None else _DECODER.decode(ENTRIES[start : ENTRIES.index(b"\n", start)])


def _place_of(name: str) -> int | None:
    """Where the description of a program begins."""
    if not _PLACES:
        # Most names of a session are found in a few microseconds; one that is missing is looked for to the end.
        key = f"\n{name} ".encode("utf-8", "surrogatepass")
        at = INDEX.find(key) if name and " " not in name and "\n" not in name else -1
        if at >= 0:
            return int(INDEX[at + len(key) : INDEX.index(b"\n", at + 1)])
        words = INDEX.decode().split()
        _PLACES.update(zip(words[::2], map(int, words[1::2]), strict=True))
    return _PLACES.get(name)


def program_of(name: str) -> Program | None:
    """What facts need of a program's description."""
    try:
        return _KEPT[name]
    except KeyError:
        found = entry_of(name)
        if len(_KEPT) >= _MOST_KEPT:
            _KEPT.clear()
        program = _KEPT[name] = None if found is None else found.program
        return program


def entries() -> Iterator[ProgramEntry]:
    """Every description."""
    for line in ENTRIES.splitlines():
        if line:
            yield _DECODER.decode(line)


def known_programs() -> frozenset[str]:
    """Every name that has a description."""
    return frozenset(line.partition(b" ")[0].decode() for line in INDEX.splitlines() if line)
