"""Places in files that people write, and errors that point at them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

__all__ = ["InterlockError", "Source", "did_you_mean", "misspelt", "suggest", "text_of"]


class Source(NamedTuple):
    """A place in a file that a person wrote."""

    file: str
    line: int
    column: int = 0

    def __str__(self) -> str:
        return ":".join(str(part) for part in self if part)


class InterlockError(Exception):
    """An error that a person can fix: what is wrong, where, and how to fix it."""

    def __init__(
        self, message: str, source: Source | None = None, help: str | None = None, line: str | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.source = source
        self.help = help
        self.line = line
        self.at = 0  # the character of a text that it is about; a caller that knows where the text is makes it a place

    def render(self) -> str:
        """The error on several lines: what, where, the line with a caret, the fix; each part only if it is known."""
        parts = [f"error: {self.message}"]
        if self.source is not None:
            parts.append(f" --> {self.source}")
            if self.line is not None:
                parts += _caret(self.source, self.line)
        if self.help is not None:
            parts.append(f"help: {self.help}")
        return "\n".join(parts)

    def in_one_line(self) -> str:
        """The error as one sentence, for a log or a model."""
        where = f" [{self.source}]" if self.source is not None else ""
        return f"{self.message}{where}" + (f"; {self.help}" if self.help else "")


def text_of(error: BaseException) -> str:
    """The text of an exception, or an empty text if producing it fails."""
    try:
        return str(error)
    except Exception:  # noqa: BLE001 - other people's exceptions
        return ""


def _caret(source: Source, line: str) -> list[str]:
    number = str(source.line)
    margin = " " * len(number)
    # A tab must stay a tab under itself, or the caret points at the wrong character.
    blank = "".join("\t" if char == "\t" else " " for char in line[: max(source.column - 1, 0)])
    return [f"{margin} |", f"{number} | {line}", f"{margin} | {blank}^"]


def suggest(word: str, known: Iterable[str]) -> str | None:
    """The known word that `word` was probably meant to be, if one is close enough."""
    names = list(known)
    best = min(names, key=lambda name: _distance(word.lower(), name.lower()), default=None)
    if best is None:
        return None
    begins = [name for name in names if len(word) > 3 and name.lower().startswith(word.lower())]
    if begins:
        return min(begins, key=len)
    if min(len(word), len(best)) < 2 and word.lower() != best.lower():
        return None  # every letter is near every other
    # A suggestion that shares little with the word misleads more than none: one slip in three letters, or two if the
    # words begin alike.
    slips = max(2 if word[:1].lower() == best[:1].lower() else 1, len(word) // 3)
    return best if _distance(word.lower(), best.lower()) <= slips else None


def misspelt(word: str, known: Iterable[str]) -> str | None:
    """The known word that `word` surely misspells: one slip, or two in a long word. Names are free, so it is strict."""
    best = min(known, key=lambda name: _distance(word.lower(), name.lower()), default=None)
    if best is None or word == best or len(word) < 3:
        return None
    return best if _distance(word.lower(), best.lower()) <= (2 if len(word) > 6 else 1) else None


def did_you_mean(word: str, known: Iterable[str], otherwise: str | None = None) -> str | None:
    """The help for a misspelt word: the word that was probably meant, or else `otherwise`."""
    meant = suggest(word, known)
    return f"did you mean `{meant}`?" if meant else otherwise


def _distance(left: str, right: str) -> int:
    """The number of edits between two words. Swapping two neighbours counts as one."""
    before: list[int] = []
    above = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        row = [i]
        for j, b in enumerate(right, 1):
            cost = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        before, above = above, row
    return above[-1]
