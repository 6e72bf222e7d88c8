"""Values with `${…}` in them: texts, and whole trees of values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct, json

from interlock.errors import InterlockError
from interlock.policy.expressions import Expression, ExpressionError

__all__ = ["Text", "TextPart", "Value", "parts_of"]


class TextPart(Struct, frozen=True):
    """A piece of a text: plain, or an expression and where it starts."""

    text: str
    is_expression: bool
    start: int


def parts_of(text: str) -> list[TextPart]:
    """Cut a text at its `${…}`. Raises InterlockError for one that is not closed."""
    found, at = [], 0
    while (start := text.find("${", at)) >= 0:
        if start > at:
            found.append(TextPart(text[at:start], False, at))
        end = _closing(text, start + 2)
        if end < 0:
            error = InterlockError("`${` is not closed", help="write ${…}")
            error.at = start
            raise error
        found.append(TextPart(text[start + 2 : end], True, start + 2))
        at = end + 1
    if at < len(text):
        found.append(TextPart(text[at:], False, at))
    return found


def _closing(text: str, at: int) -> int:
    """Where the brace of an expression closes, past maps and texts inside it."""
    depth, quote = 0, ""
    while at < len(text):
        character = text[at]
        if quote:
            if character == "\\":
                at += 1
            elif character == quote:
                quote = ""
        elif character in "'\"":
            quote = character
        elif character == "{":
            depth += 1
        elif character == "}":
            if depth == 0:
                return at
            depth -= 1
        at += 1
    return -1


class Text(Struct, frozen=True):
    """A text for a person or a model: a part that fails shows as (?), and the decision stands."""

    parts: tuple[str | Expression, ...]

    def render(self, activation: Callable[[], Any]) -> str:
        return "".join([part if isinstance(part, str) else _text_of(part, activation) for part in self.parts])

    @property
    def expressions(self) -> list[Expression]:
        return [part for part in self.parts if isinstance(part, Expression)]


def _text_of(part: Expression, activation: Callable[[], Any]) -> str:
    try:
        return _as_text(part.value(activation()))
    except ExpressionError:
        return "(?)"


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else json.encode(value).decode()


class Value(Struct, frozen=True):
    """A tree of values, some of them expressions. One that is a single `${…}` keeps its type."""

    tree: Any

    def build(self, activation: Callable[[], Any]) -> Any:
        """The plain value. Raises ExpressionError: a change or a state update must not be made up."""
        return _build(self.tree, activation)

    @property
    def expressions(self) -> list[Expression]:
        return list(_expressions(self.tree))


def _build(tree: Any, activation: Callable[[], Any]) -> Any:
    if isinstance(tree, Expression):
        return tree.value(activation())
    if isinstance(tree, Text):
        return "".join(part if isinstance(part, str) else _as_text(part.value(activation())) for part in tree.parts)
    if isinstance(tree, dict):
        return {_key(key, activation): _build(item, activation) for key, item in tree.items()}
    if isinstance(tree, list):
        return [_build(item, activation) for item in tree]
    return tree


def _key(key: Any, activation: Callable[[], Any]) -> str:
    return key if isinstance(key, str) else _as_text(_build(key, activation))


def _expressions(tree: Any) -> Any:
    if isinstance(tree, Expression):
        yield tree
    elif isinstance(tree, Text):
        yield from tree.expressions
    elif isinstance(tree, dict):
        for key, item in tree.items():
            yield from _expressions(key)
            yield from _expressions(item)
    elif isinstance(tree, list):
        for item in tree:
            yield from _expressions(item)
