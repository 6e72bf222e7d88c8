"""Words that `xargs` and its like take from their input and put into the commands that they run."""

from __future__ import annotations

import re
from collections.abc import Iterator

from interlock.facts.programs.use import Use
from interlock.facts.shell.filling import options_of
from interlock.facts.shell.formats import NUL, unescape
from interlock.facts.shell.model import UNKNOWN

__all__ = ["commands_with", "takes_places"]

_PLACES = frozenset({"-I", "-J", "--replace"})  # each line of the input is put where the mark stands
_WORD = re.compile(r"(?:\\.|'[^'\n]*'|\"[^\"\n]*\"|[^\s'\"\\])+", re.DOTALL)
_UNPAIRED = re.compile(r"[\\'\"]")
_QUOTE = re.compile(r"\\(.)|'([^'\n]*)'|\"([^\"\n]*)\"", re.DOTALL)
_COUNT = re.compile(r"[1-9][0-9]{0,8}")
_TAKES = "aEdILnPsRSJ"


def commands_with(text: str, words: tuple[str, ...], args: tuple[str, ...], use: Use) -> Iterator[list[str]]:
    """Each command that is run for a text: the words, with items of the text where `\\0` stands."""
    end, most, lines = _parting(args)
    if not end and ("-E" in use.flags or _UNPAIRED.search(_WORD.sub("", text))):
        yield list(words)  # only some of it is taken
        return
    if takes_places(use) or any(UNKNOWN in word and word != UNKNOWN for word in words):
        for item in _items(text, end) if end else [_without_quotes(line.strip(" \t")) for line in text.splitlines()]:
            if item:
                yield [word.replace(UNKNOWN, item) for word in words]
        return
    if lines and not end:
        kept = [line for line in text.splitlines() if line.strip()]
        batches = [[word for line in kept[at : at + most] for word in _words(line)] for at in range(0, len(kept), most)]
    else:
        items = _items(text, end) if end else _words(text)
        batches = [items[at : at + most] for at in range(0, len(items), most)] if most else [items]
    for batch in batches or [[]]:
        filled: list[str] = []
        for word in words:
            filled += batch if word == UNKNOWN else [word]
        yield filled


def takes_places(use: Use) -> bool:
    """Whether each item is put where a mark stands."""
    return not _PLACES.isdisjoint(use.flags)


def _parting(args: tuple[str, ...]) -> tuple[str, int, bool]:
    """What ends an item, how many are taken at a time, and whether those are lines."""
    options, _ = options_of(tuple(word for word in args if not word.startswith("--")), _TAKES)
    named = dict(word.partition("=")[::2] for word in args if word.startswith("--"))
    end = ""
    if "0" in options or "--null" in named:
        end = NUL
    elif "d" in options or "--delimiter" in named:
        end = unescape(options.get("d", named.get("--delimiter", "")))[:1]
    if "l" in options:
        options["L"] = options["l"] or "1"
    many = options.get("n") or named.get("--max-args") or options.get("L") or named.get("--max-lines") or ""
    counts = _COUNT.fullmatch(many) is not None
    return end, int(many) if counts else 0, counts and not (options.get("n") or named.get("--max-args"))


def _items(text: str, end: str) -> list[str]:
    items = text.split(end)
    if items[-1] == "":
        items.pop()
    return items


def _words(text: str) -> list[str]:
    return [_without_quotes(found[0]) for found in _WORD.finditer(text)]


def _without_quotes(word: str) -> str:
    if not any(quote in word for quote in "\\'\""):
        return word
    return _QUOTE.sub(lambda found: found[1] or found[2] or found[3] or "", word)
