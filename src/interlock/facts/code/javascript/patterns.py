"""Patterns: which names a value is taken apart into."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

from interlock.facts.code.javascript import tree
from interlock.facts.code.javascript.values import (
    ANY,
    UNDEFINED,
    List,
    Num,
    Obj,
    Scope,
    Text,
    Value,
    Word,
    either,
    origin,
)
from interlock.facts.shell import UNKNOWN

__all__ = ["bind", "names_in"]


class _Values(Protocol):
    def value(self, node: tree.Node, scope: Scope) -> Value: ...
    def member(self, of: Value, key: str) -> Value: ...
    def assign_to(self, target: tree.Node, value: Value, scope: Scope) -> None: ...


def bind(target: tree.Node, value: Value, put: Callable[[str, Value], None], of: _Values, scope: Scope) -> None:
    """Give every name of a pattern its part of a value."""
    if isinstance(target, tree.Name):
        put(target.name, value)
    elif isinstance(target, tree.Assign):
        missing = of.value(target.value, scope)
        if isinstance(value, Word) and value.name == "undefined":
            value = missing
        elif isinstance(value, Text) and UNKNOWN in value.text:
            value = either(value, missing)
        bind(target.target, value, put, of, scope)
    elif isinstance(target, tree.Object):
        for prop in target.props:
            if prop.key is None:
                bind(prop.value, value, put, of, scope)
                continue
            key = of.value(prop.key, scope)
            name = key.text if isinstance(key, Text) else UNKNOWN
            bind(prop.value, of.member(value, name), put, of, scope)
    elif isinstance(target, tree.Array):
        _bind_items(target.items, value, put, of, scope)
    elif isinstance(target, tree.Spread):
        bind(target.value, value, put, of, scope)
    elif isinstance(target, tree.Chain):
        of.assign_to(target, value, scope)


def _bind_items(
    items: list[tree.Node], value: Value, put: Callable[[str, Value], None], of: _Values, scope: Scope
) -> None:
    for place, item in enumerate(items):
        part: Value
        if isinstance(item, tree.Spread):
            part = List(value.items[place:], value.open) if isinstance(value, List) else value
        elif isinstance(value, List):
            part = value.items[place] if place < len(value.items) else ANY if value.open else UNDEFINED
        elif isinstance(value, (Text, Num, Word)):
            part = Text(UNKNOWN, origin(value))
        else:
            part = of.member(value, UNKNOWN) if isinstance(value, Obj) else of.member(value, str(place))
        bind(item, part, put, of, scope)


def names_in(target: tree.Node) -> Iterator[str]:
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
        elif isinstance(node, tree.Array):
            waiting += node.items
        elif isinstance(node, tree.Spread):
            waiting.append(node.value)
