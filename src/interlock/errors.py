"""Where something was written, and errors that point at it."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["InterlockError", "Source", "did_you_mean", "suggest", "text_of"]


class Source(NamedTuple):
    """A place in a file a person wrote."""

    file: str
    line: int
    column: int = 0

    def __str__(self) -> str:
        return ":".join(str(part) for part in self if part)


class InterlockError(Exception):
    """Something a person can mend: what is wrong, where, and how to fix it."""

    def __init__(
        self, message: str, source: Source | None = None, help: str | None = None, line: str | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.source = source
        self.help = help
        self.line = line
        self.at = 0  # which character of a text it is about, for whoever knows where that text stands

    def render(self) -> str:
        """What, where, the line with a caret, how to fix; each part only if it is known."""
        parts = [f"error: {self.message}"]
        if self.source is not None:
            parts.append(f" --> {self.source}")
            if self.line is not None:
                parts += _caret(self.source, self.line)
        if self.help is not None:
            parts.append(f"help: {self.help}")
        return "\n".join(parts)

    def in_one_line(self) -> str:
        """The same in one sentence, for a log or a model."""
        where = f" [{self.source}]" if self.source is not None else ""
        return f"{self.message}{where}" + (f"; {self.help}" if self.help else "")


def text_of(error: BaseException) -> str:
    """What an exception says; its own text may fail, and then it says nothing."""
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


def suggest(word: str, known: list[str]) -> str | None:
    """The known word that `word` was probably meant to be, if one is near."""
    best = min(known, key=lambda name: _distance(word.lower(), name.lower()), default=None)
    if best is None or _distance(word.lower(), best.lower()) > max(2, len(word) // 3):
        return None
    return best


def did_you_mean(word: str, known: list[str], otherwise: str | None = None) -> str | None:
    """The help for a misspelt word: the one it was meant to be, or what else to do."""
    meant = suggest(word, known)
    return f"did you mean `{meant}`?" if meant else otherwise


def _distance(left: str, right: str) -> int:
    """Edits between two words, a swap of neighbours counting once."""
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
