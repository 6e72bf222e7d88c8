"""What a pattern asks of the beginning of a text, as far as its form shows it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from interlock.hook_lint.program import PatternUse

__all__ = ["alternatives", "anchored_words", "first_word", "is_anywhere"]

_BLANKS = r"(?:\\s|\\t|\[\[:(?:space|blank):\]\]|\[\\s\]|\[ \\t\]|\[\[:(?:space|blank):\] \]| )(?:[*+?]|\{[^}]*\})?"
_ANCHOR = re.compile(rf"(?:\^|\\A)(?:{_BLANKS}|\((?:\?:)?sudo(?:{_BLANKS})?\)[?*])*")
_WORD = re.compile(r"(?:\\\.|[\w.])(?:\\[.-]|[\w-])*")
_CLASS = re.compile(r"\\[bBsSdDwW<>]|\[\[:\w+:\]\]")
_FLAGS = re.compile(r"\(\?[aiLmsux-]+\)")
_JOINS = re.compile(r";|&&|\\\||\[[^\]]*[;&|][^\]]*\]")  # where a line goes on with another command


def alternatives(text: str) -> Iterator[str]:
    """The alternatives of a regular expression. If all of it is one group, these are the alternatives of the group."""
    text = _FLAGS.sub("", text)
    parts = list(_split(text))
    for part in parts:
        inner = _whole_group(part)
        if inner is None:
            yield part
        else:
            yield from alternatives(inner)


def _split(text: str) -> Iterator[str]:
    depth = start = at = 0
    while at < len(text):
        sign = text[at]
        if sign == "\\":
            at += 1
        elif sign == "[":
            at = _end_of_set(text, at)
        elif sign in "()":
            depth += 1 if sign == "(" else -1
        elif sign == "|" and depth == 0:
            yield text[start:at]
            start = at + 1
        at += 1
    yield text[start:]


def _end_of_set(text: str, at: int) -> int:
    """The place of the `]` that ends a set whose `[` is here."""
    at += 2 if text.startswith("[^", at) else 1
    at += text.startswith("]", at)
    while at < len(text) and text[at] != "]":
        if text.startswith("[:", at):
            at = max(at, text.find(":]", at) + 1)
        elif text[at] == "\\":
            at += 1
        at += 1
    return at


def _whole_group(text: str) -> str | None:
    """What is inside the parentheses around all of a text."""
    if not text.startswith("(") or text.startswith(("(?=", "(?!", "(?<")) or _end_of_group(text) != len(text) - 1:
        return None
    return text[1:-1].removeprefix("?:")


def _end_of_group(text: str) -> int:
    depth = at = 0
    while at < len(text):
        if text[at] == "\\":
            at += 1
        elif text[at] == "[":
            at = _end_of_set(text, at)
        elif text[at] in "()":
            depth += 1 if text[at] == "(" else -1
            if depth == 0:
                return at
        at += 1
    return len(text)


def anchored_words(use: PatternUse) -> str | None:
    """What a text must begin with, apart from blanks, to be found: as a regular expression, from its first word on.

    None if the pattern is found elsewhere as well, or if its beginning is not a word.
    """
    if use.how in ("starts", "whole", "glob"):
        text = use.text.lstrip() if use.how != "glob" else use.text.lstrip().partition("*")[0].partition("?")[0]
        return text if re.match(r"[\w.]", text) else None
    if use.how not in ("regex", "match"):
        return None
    found: list[str] = []
    for part in alternatives(use.text):
        text = part if use.how == "regex" or part.startswith(("^", "\\A")) else f"^{part}"
        anchor = _ANCHOR.match(text)
        if anchor is None:
            return None
        rest = text[anchor.end() :].removeprefix("\\b")
        if not _begins_with_word(rest) or _JOINS.search(rest):
            return None
        found.append(rest)
    return found[0] if found else None


def _begins_with_word(text: str) -> bool:
    if not text.startswith("("):
        found = _WORD.match(text)
        return found is not None and text[found.end() : found.end() + 1] not in ("*", "?")
    end = _end_of_group(text)
    if text[end + 1 : end + 2] in ("?", "*", "{"):
        return False
    return all(_WORD.match(part) for part in alternatives(text[: end + 1]))


def first_word(text: str) -> str:
    """The first word of a pattern, without its escapes."""
    found = _WORD.search(text)
    return found[0].replace("\\", "") if found is not None else ""


def is_anywhere(use: PatternUse, word: str) -> bool:
    """Whether a pattern looks for a word, and not only at the beginning of the text."""
    plain = _CLASS.sub(" ", use.text).replace("\\", "")
    if not re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", plain):
        return False
    if use.how == "glob":
        return use.text.startswith("*")
    return use.how == "contains" or (use.how in ("regex", "match") and anchored_words(use) is None)
