"""The words of a CEL expression: which names it refers to, where, and whether it guards them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from msgspec import Struct

__all__ = ["ExpressionToken", "Reference", "called_with", "expand", "references", "tokens"]

_TOKEN = re.compile(
    r"""(?P<text>[rRbB]{0,2}(?:\"\"\"[\s\S]*?\"\"\"|'''[\s\S]*?'''|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'))
      | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
      | (?P<number>\d[\w.]*)
      | (?P<space>\s+|//[^\n]*)
      | (?P<mark>\.\?|\[\?|&&|\|\||[<>=!]=|.)""",
    re.VERBOSE | re.DOTALL,
)
_WORDS = frozenset({"true", "false", "null", "in"})


class ExpressionToken(Struct, frozen=True):
    kind: str
    text: str
    start: int


class Reference(Struct, frozen=True):
    """A name an expression uses, with the fields it takes of it."""

    root: str
    path: tuple[str, ...]
    guarded: tuple[bool, ...]  # for each field: taken with `.?`, `[?…]`, or looked for with has() or `in`
    start: int


@lru_cache(256)  # each check of an expression looks at its tokens anew, one check after another
def tokens(expression: str) -> tuple[ExpressionToken, ...]:
    """The tokens of an expression, white space and comments left out."""
    found = [
        ExpressionToken(match.lastgroup or "", match[0], match.start())
        for match in _TOKEN.finditer(expression)
        if match.lastgroup
    ]
    return tuple(token for token in found if token.kind != "space")


def references(expression: str) -> list[Reference]:
    """Every name the expression refers to. `has(a.b)` and `"b" in a` guard `a.b` wherever it stands."""
    words = tokens(expression)
    looked_for = set(_looked_for(words))
    found = []
    for place, token in enumerate(words):
        before = words[place - 1].text if place else ""
        after = words[place + 1].text if place + 1 < len(words) else ""
        if token.kind != "name" or token.text in _WORDS or before in (".", ".?") or after == "(":
            continue
        found.append(_follow(words, place, looked_for))
    return found


def called_with(expression: str, functions: frozenset[str]) -> Iterator[tuple[str, str | None, int]]:
    """Each call of one of the functions: its name, its first argument if that is a text, and where."""
    words = tokens(expression)
    for place, token in enumerate(words[:-2]):
        if token.text in functions and words[place + 1].text == "(":
            argument = words[place + 2]
            yield token.text, argument.text.strip("'\"") if argument.kind == "text" else None, argument.start


def expand(expression: str, named: dict[str, str]) -> str:
    """The expression with each name in `named` replaced by its own expression, in brackets."""
    out, end = "", 0
    words = tokens(expression)
    for place, token in enumerate(words):
        before = words[place - 1].text if place else ""
        if token.kind == "name" and token.text in named and before not in (".", ".?"):
            out += expression[end : token.start] + f"({named[token.text]})"
            end = token.start + len(token.text)
    return out + expression[end:]


def _looked_for(words: Sequence[ExpressionToken]) -> Iterator[tuple[str, ...]]:
    for place, token in enumerate(words):
        if token.text == "has" and place + 2 < len(words) and words[place + 1].text == "(":
            followed = _follow(words, place + 2, set())
            yield (followed.root, *followed.path)
        if token.text == "in" and place and words[place - 1].kind == "text" and place + 1 < len(words):
            followed = _follow(words, place + 1, set())
            yield (followed.root, *followed.path, words[place - 1].text.strip("'\""))


def _follow(words: Sequence[ExpressionToken], place: int, looked_for: set[tuple[str, ...]]) -> Reference:
    root = words[place]
    path: list[str] = []
    guarded: list[bool] = []
    place += 1
    optional = False
    while place + 1 < len(words) and words[place].text in (".", ".?", "[", "[?"):
        mark, name = words[place].text, words[place + 1]
        closes = place + 2 < len(words) and words[place + 2].text == "]"
        if mark in ("[", "[?") and (name.kind != "text" or not closes):
            break
        if mark in (".", ".?") and (name.kind != "name" or (place + 2 < len(words) and words[place + 2].text == "(")):
            break  # a method of what came before
        optional = optional or mark in (".?", "[?")
        path.append(name.text.strip("'\"") if name.kind == "text" else name.text)
        guarded.append(optional or (root.text, *path) in looked_for)
        place += 3 if mark in ("[", "[?") else 2
    return Reference(root.text, tuple(path), tuple(guarded), root.start)
