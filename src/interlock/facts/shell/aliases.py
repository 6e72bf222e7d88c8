"""Aliases. A shell replaces them when it reads a line, not when it runs it, and only if it is told to.

So what an alias stands for is read beside the name itself, and so is what it stood for before it was changed or
removed: a function that was read by then has it still.
"""

from __future__ import annotations

from collections.abc import Iterator

__all__ = ["KEYWORDS", "Aliases"]

# Words by which a line is read. Under another meaning it is another line.
KEYWORDS = frozenset({
    "!", "[[", "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for", "function", "if", "in", "select",
    "then", "time", "until", "while", "{", "}",
})  # fmt: skip
_BLANK = (" ", "\t")


class Aliases:
    """Every alias that a line sets, by name, with all that it was set to."""

    def __init__(self) -> None:
        self._values: dict[str, list[str]] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def set(self, words: tuple[str, ...]) -> list[str]:
        """Remember what `alias` is given; the names that it sets."""
        names = []
        for word in words:
            name, mark, value = word.partition("=")
            if mark and name:
                values = self._values.setdefault(name, [])
                if value not in values:
                    values.append(value)
                names.append(name)
        return names

    def texts(self, name: str, args: tuple[str, ...]) -> Iterator[str]:
        """The lines that a command may stand for. Behind a value that ends in a blank, the next word may be one too."""
        for value in self._values[name]:
            yield _line(value, args)
            if value[-1:] in _BLANK and args and args[0] in self._values:
                for text in self.texts(args[0], args[1:]):
                    yield value + text


def _line(value: str, args: tuple[str, ...]) -> str:
    return " ".join([value, *(_quote(word) for word in args)])


def _quote(word: str) -> str:
    return "'" + word.replace("'", "'\\''") + "'"
