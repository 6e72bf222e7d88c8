"""What JavaScript calls a module that it takes in, read backwards from the module's name, each character once."""

from __future__ import annotations

__all__ = ["required_as"]

_BEFORE = frozenset("(mt")  # as in `require(`, `from`, `import`


def required_as(text: str, quote: int) -> tuple[str, str] | None:
    """What stands in the braces that a module's parts are given to, and the name that the whole of it is given to.

    `quote` is where the module's name begins: `{a, b} = require("x")`, `y = await import("x")`, `import z from "x"`.
    None if this is no place for a module.
    """
    at = _before_space(text, quote)
    if at == quote and text[at - 1 : at] not in _BEFORE:
        return None
    word = ""
    if at and text[at - 1] == "(":
        at = _before_space(text, at - 1)
        word = _word_before(text, at)
        if word not in ("require", "import"):
            return "", ""
    elif (found := _word_before(text, at)) in ("from", "import"):
        word = found
    at = _before_space(text, at - len(word))
    if word != "from":
        if _word_before(text, at) == "await":
            at = _before_space(text, at - len("await"))
        if not at or text[at - 1] != "=":
            return "", ""
        at = _before_space(text, at - 1)
    if at and text[at - 1] == "}":
        start = text.rfind("{", 0, at - 1)
        names = text[start + 1 : at - 1] if start >= 0 else ""
        return ("" if "}" in names else names), ""
    return "", _word_before(text, at)


def _before_space(text: str, at: int) -> int:
    while at > 0 and text[at - 1].isspace():
        at -= 1
    return at


def _word_before(text: str, at: int) -> str:
    start = at
    while start > 0 and (text[start - 1].isalnum() or text[start - 1] in "_$"):
        start -= 1
    return text[start:at]
