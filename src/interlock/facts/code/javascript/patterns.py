"""Patterns: which names a value is taken apart into."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

from interlock.facts.code.javascript import tree
from interlock.facts.code.javascript.values import (
    ANY,
    UNDEFINED,
    JsScope,
    List,
    Num,
    Obj,
    TextValue,
    Value,
    WordValue,
    either,
    origin,
)
from interlock.facts.shell import UNKNOWN

__all__ = ["bind", "names_in"]


class _Values(Protocol):
    def value(self, node: tree.JsNode, scope: JsScope) -> Value: ...
    def member(self, of: Value, key: str) -> Value: ...
    def assign_to(self, target: tree.JsNode, value: Value, scope: JsScope) -> None: ...


def bind(target: tree.JsNode, value: Value, put: Callable[[str, Value], None], of: _Values, scope: JsScope) -> None:
    """Give every name of a pattern its part of a value."""
    if isinstance(target, tree.Name):
        put(target.name, value)
    elif isinstance(target, tree.Assign):
        missing = of.value(target.value, scope)
        if isinstance(value, WordValue) and value.name == "undefined":
            value = missing
        elif isinstance(value, TextValue) and UNKNOWN in value.text:
            value = either(value, missing)
        bind(target.target, value, put, of, scope)
    elif isinstance(target, tree.Object):
        for prop in target.props:
            if prop.key is None:
                bind(prop.value, value, put, of, scope)
                continue
            key = of.value(prop.key, scope)
            name = key.text if isinstance(key, TextValue) else UNKNOWN
            bind(prop.value, of.member(value, name), put, of, scope)
    elif isinstance(target, tree.ArrayNode):
        _bind_items(target.items, value, put, of, scope)
    elif isinstance(target, tree.Spread):
        bind(target.value, value, put, of, scope)
    elif isinstance(target, tree.ChainNode):
        of.assign_to(target, value, scope)


def _bind_items(
    items: list[tree.JsNode], value: Value, put: Callable[[str, Value], None], of: _Values, scope: JsScope
) -> None:
    for place, item in enumerate(items):
        part: Value
        if isinstance(item, tree.Spread):
            part = List(value.items[place:], value.open) if isinstance(value, List) else value
        elif isinstance(value, List):
            part = value.items[place] if place < len(value.items) else ANY if value.open else UNDEFINED
        elif isinstance(value, (TextValue, Num, WordValue)):
            part = TextValue(UNKNOWN, origin(value))
        else:
            part = of.member(value, UNKNOWN) if isinstance(value, Obj) else of.member(value, str(place))
        bind(item, part, put, of, scope)


def names_in(target: tree.JsNode) -> Iterator[str]:
    """Every name that a pattern gives a value."""
    waiting = [target]
    while waiting:
        node = waiting.pop()
        if isinstance(node, tree.Name):
            yield node.name
        elif isinstance(node, tree.Assign):
            waiting.append(node.target)
        elif isinstance(node, tree.Object):
            waiting += [prop.value for prop in node.props]
        elif isinstance(node, tree.ArrayNode):
            waiting += node.items
        elif isinstance(node, tree.Spread):
            waiting.append(node.value)
