"""Text that a participant removed from a result, and other texts without it.

A word is a run of letters and digits, in the keys of objects too; the characters between words are not secret.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

__all__ = ["Removal", "adds_words", "removes_words"]

_WORD = re.compile(r"\w+")
_INSTEAD = "[removed]"
_NUMBER = "number"
_SHORTEST = 4  # characters: anything shorter occurs in any text
_MOST_RUNS = 1_000  # a result that was cut to its last lines has lost thousands; the longest runs are enough


def removes_words(before: Any, after: Any) -> bool:
    """Whether anything that could be read before cannot be read afterwards, or is there less often.

    Replacing a number by a number hides nothing: a hook that adds one to a number must not be made to do it twice.
    """
    return bool(Counter(_words(before, _NUMBER)) - Counter(_words(after, _NUMBER)))


def adds_words(before: Any, after: Any) -> bool:
    """Whether anything can be read afterwards that could not be read before."""
    return not set(_words(after)) <= set(_words(before))


class Removal:
    """The text that was in one of several earlier results and is not in the final one."""

    def __init__(self, earlier: Iterable[Any], final: Any) -> None:
        left = set(_words(final))
        texts = [text for one in earlier for text in _texts(one)]
        self.words = {word for text in texts for word in _WORD.findall(text)} - left
        runs = {run for text in texts for run in _runs(text, self.words) if len(run) >= _SHORTEST}
        self._runs = sorted(runs, key=len, reverse=True)[:_MOST_RUNS]

    def strip(self, text: str) -> str:
        """The text without what was removed: lines and parts of lines as they were, and distinctive words.

        An ordinary word alone stays. It reveals nothing, and a sentence about a hidden token may well say `token`.
        """
        if not self.words:
            return text
        for run in self._runs:
            if len(run) <= len(text):
                text = text.replace(run, _INSTEAD)
        return _WORD.sub(lambda found: _INSTEAD if self._is_telling(found[0]) else found[0], text)

    def strip_value(self, value: Any) -> Any:
        """A JSON value whose texts no longer contain what was removed."""
        if isinstance(value, str):
            return self.strip(value)
        if isinstance(value, dict):
            return {name: self.strip_value(item) for name, item in value.items()}
        return [self.strip_value(item) for item in value] if isinstance(value, list) else value

    def quotes(self, text: str) -> bool:
        """Whether the text contains any word that was removed."""
        return any(len(word) >= _SHORTEST and word in self.words for word in _WORD.findall(text))

    def _is_telling(self, word: str) -> bool:
        """Whether a removed word reveals something by itself: a name, a number or a key, not an everyday word."""
        ordinary = word.isalpha() and (word.islower() or word.istitle() or word.isupper()) and len(word) < 20
        return len(word) >= _SHORTEST and not ordinary and word in self.words


def _runs(text: str, removed: set[str]) -> Iterator[str]:
    """The parts of a text's lines whose words are all gone, and values that are gone completely."""
    for line in text.splitlines():
        start = end = -1
        for found in _WORD.finditer(line):
            if found[0] in removed:
                start, end = (found.start() if start < 0 else start), found.end()
            elif start >= 0:
                yield line[start:end]
                start = -1
        if start >= 0:
            yield line[start:end]


def _words(value: Any, number: str | None = None) -> Iterator[str]:
    for text in _texts(value, number):
        yield from _WORD.findall(text)


def _texts(value: Any, number: str | None = None) -> Iterator[str]:
    """Every text in a JSON value, including keys; numbers as they are written, or all as one word."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict):
            waiting += one.keys()
            waiting += one.values()
        elif isinstance(one, list | tuple):
            waiting += one
        elif isinstance(one, int | float) and not isinstance(one, bool):
            yield number or str(one)
