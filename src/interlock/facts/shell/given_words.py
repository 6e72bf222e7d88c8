"""The words that `xargs` and its like take from a text that they read."""

from __future__ import annotations

import re

from interlock.facts.programs.use import Use
from interlock.facts.shell.formats import NUL
from interlock.facts.shell.model import UNKNOWN

__all__ = ["lines_of", "rounds_of"]

_WORD = re.compile(r"(?:[^ \t\n\\'\"]|\\.|'[^'\n]*'|\"[^\"\n]*\")+|[\\'\"]", re.DOTALL)
_QUOTE = re.compile(r"\\(.)|'([^'\n]*)'|\"([^\"\n]*)\"", re.DOTALL)
_WHOLE = frozenset({"--null", "-0"})  # words are parted by it
_PARTED = frozenset({"--delimiter", "-d"})
_BOUNDED = frozenset({
    "--max-args", "--max-lines", "-n", "-L", "-l", "--max-chars", "-s", "-x", "--exit", "-X",
})  # fmt: skip


def lines_of(text: str, use: Use) -> list[str]:
    """What is put into a command where the mark stands: each line, without the blanks before it."""
    if not _WHOLE.isdisjoint(use.flags):
        return text.removesuffix(NUL).split(NUL)
    if not _PARTED.isdisjoint(use.flags):
        return [UNKNOWN]
    return [_without_quotes(line.lstrip(" \t")) for line in text.split("\n") if line.strip()]


def rounds_of(text: str, use: Use) -> list[list[str]]:
    """The words that are added to each command. Where it is not clear how many each gets: all of them, then each."""
    if not _PARTED.isdisjoint(use.flags):
        return [[UNKNOWN]]
    if not _WHOLE.isdisjoint(use.flags):
        words = text.removesuffix(NUL).split(NUL)
    else:
        words = [_without_quotes(word) for word in _WORD.findall(text)]
    if len(words) > 1 and not _BOUNDED.isdisjoint(use.flags):
        return [words, *([word] for word in words)]
    return [words or [UNKNOWN]]


def _without_quotes(word: str) -> str:
    return (
        _QUOTE.sub(lambda found: found[1] or found[2] or found[3] or "", word) if re.search(r"[\\'\"]", word) else word
    )
