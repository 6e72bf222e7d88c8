"""The strip of a session: one tick a call, and what was stopped stands out."""

from __future__ import annotations

from msgspec import Struct

__all__ = ["Strip", "strip_of"]

WIDTH, HEIGHT = 220, 26
_BASE = HEIGHT - 3
# The letters of a session's marks, the one that matters most first.
_ORDER = "bdwacyn"
_TALL = {"a": "ask", "d": "deny", "w": "deny", "b": "breach"}
_WORDS = {"a": "asked", "d": "denied", "w": "withheld or unanswered", "c": "changed", "b": "breaches"}


class Strip(Struct, frozen=True):
    """What is drawn: the ticks of plain and changed calls as paths, and a head at each place that was stopped."""

    label: str
    plain: str
    changed: str
    heads: list[tuple[str, float]]  # the verdict, and where
    width: int = WIDTH
    height: int = HEIGHT
    top: int = 8  # where the heads end


def strip_of(marks: str) -> Strip:
    """The strip of these calls. Of many calls that share a place, the strictest verdict is seen."""
    places = min(len(marks), WIDTH // 2)
    step = (WIDTH - 10) / max(places - 1, 1)
    plain, changed, heads = [], [], []
    for place in range(places):
        here = marks[place * len(marks) // places : (place + 1) * len(marks) // places]
        mark = min(here, key=_rank)
        x = 5 + place * step if places > 1 else 5.0
        if mark in _TALL:
            heads.append((_TALL[mark], round(x, 1)))
        elif mark == "c":
            changed.append(f"M{x:.1f} {_BASE - 11}V{_BASE}")
        else:
            plain.append(f"M{x:.1f} {_BASE - 6}V{_BASE}")
    return Strip(_label(marks), "".join(plain), "".join(changed), heads)


def _rank(mark: str) -> int:
    return _ORDER.index(mark)


def _label(marks: str) -> str:
    counted = [f"{marks.count(mark)} {word}" for mark, word in _WORDS.items() if mark in marks]
    calls = f"{len(marks):,} call{'s' * (len(marks) != 1)}"
    return f"{calls}: {', '.join(counted)}" if counted else f"{calls}, nothing stopped"
