"""What a pattern asks of the beginning of a text, and what it can find, as far as its form shows it."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator

from interlock.hook_lint.program import PatternUse

__all__ = [
    "alternatives", "anchored_words", "expression_of", "first_word", "is_anywhere", "never_in_case",
    "sample_before_boundary",
]  # fmt: skip

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


# --- what a pattern can fit ------------------------------------------------------------------------------------

_NAMED_SETS = {"space": r"\s", "blank": " \\t", "alnum": "a-zA-Z0-9", "alpha": "a-zA-Z", "digit": "0-9",
               "upper": "A-Z", "lower": "a-z", "punct": "!-/:-@"}  # fmt: skip
_NAMED_SET = re.compile(r"\[:(\w+):\]")
_BEFORE = re.compile(r"\\b\\?([^\w\s\\()\[\]{}|?*+^$])|\\b\\([$^*+?|()\[\]{}])")
_BEHIND = re.compile(r"(?:[^\w\s\\()\[\]{}|?*+^$.]|\\([^\w\s]))\\b\Z")
_LITERALS = re.compile(r"(?:\\[^\w\s]|[\w/-])*")


def expression_of(use: PatternUse) -> re.Pattern[str] | None:
    """A pattern as Python understands it; None if it does not."""
    text = re.escape(use.text) if use.how == "contains" else _NAMED_SET.sub(_members, use.text)
    with warnings.catch_warnings(action="ignore"):
        try:
            return re.compile(text, 0 if use.is_exact else re.IGNORECASE)
        except (re.error, OverflowError, RecursionError):
            return None


def _members(found: re.Match[str]) -> str:
    return _NAMED_SETS.get(found[1], found[0])


def never_in_case(text: str, case: str) -> bool:
    """Whether a regular expression asks for a letter that a text in one case (`lower` or `upper`) does not have."""
    if "(?" in text.replace("(?:", "") or _NAMED_SET.search(text):
        return False
    rest = _OPTIONAL_GROUP.sub(" ", _ESCAPE_OR_SET.sub(" ", text))
    if "|" in rest:
        return False  # inside a group
    letters = [found[0] for found in re.finditer(r"[A-Za-z](?![?*]|\{0?,)", rest)]
    return any(letter.isupper() if case == "lower" else letter.islower() for letter in letters)


_ESCAPE_OR_SET = re.compile(r"\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|[pP]\{\w+\}|.)|\[\^?\]?[^\]]*\](?:[*+?]|\{[^}]*\})?")
_OPTIONAL_GROUP = re.compile(r"\([^()]*\)(?:[?*]|\{0?,\d*\})")


def sample_before_boundary(text: str) -> tuple[str, str, bool] | None:
    """A sign that an alternative has `\\b` beside, at its beginning or its end, and a text that only lacks the letter.

    The last says whether `\\b` is before the sign.
    """
    found = _BEFORE.match(text)
    if found is not None:
        rest = _LITERALS.match(text, 2)
        plain = rest[0].replace("\\", "") if rest is not None else ""
        return found[1] or found[2], plain, True
    behind = _BEHIND.search(text)
    plain = re.sub(r"\\s[*+]?|\[\[:space:\]\][*+]?", " ", text.removesuffix("\\b").removeprefix("\\b"))
    if behind is None or not re.fullmatch(r"(?:\\[^\w\s]|[\w /~:-])+", plain):
        return None
    return behind[0].removesuffix("\\b").lstrip("\\"), plain.replace("\\", ""), False
