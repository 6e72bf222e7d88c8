"""The values of jq: JSON, texts with holes, and values that are not known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from interlock.hook_lint.program import UNKNOWN
from interlock.hook_lint.read.shell.holes import Ask, Hole, Holes, has_holes
from interlock.hook_lint.read.shell.jq.grammar import Jq

__all__ = [
    "HoleValue",
    "Input",
    "JqScope",
    "Way",
    "after",
    "compare",
    "flat",
    "has_unknown",
    "join_ways",
    "plain_path",
    "put",
    "value_of",
    "with_values",
]  # fmt: skip

Input: TypeAlias = Any
"""A value of JSON, a text with holes, or a HoleValue."""


class HoleValue(Struct, frozen=True):
    """A value that is known only at run time."""

    hole: Hole = Hole()


class Way(Struct, frozen=True):
    """One way through a program: its conditions, what it gives, and the exit code if it breaks off."""

    conditions: tuple[tuple[Ask, bool], ...] = ()
    values: tuple[Input, ...] = ()
    code: int | None = None
    said: str = ""


class JqScope(Struct, frozen=True):
    """The variables and functions that a part of a program sees."""

    variables: Mapping[str, Input]
    functions: Mapping[tuple[str, int], tuple[tuple[str, ...], Jq, Any]] = {}


def join_ways(way: Way, other: Way) -> Way:
    return Way((*way.conditions, *other.conditions), (*way.values, *other.values), other.code, other.said)


def after(conditions: tuple[tuple[Ask, bool], ...], way: Way) -> Way:
    return replace(way, conditions=(*conditions, *way.conditions))


def with_values(way: Way, *values: Input) -> Way:
    return replace(way, values=values)


def flat(values: Iterable[Input]) -> Iterable[Input]:
    for value in values:
        if isinstance(value, dict):
            yield from value.keys()
            yield from flat(value.values())
        elif isinstance(value, list):
            yield from flat(value)
        else:
            yield value


def has_unknown(value: Input, holes: Holes) -> bool:
    return any(isinstance(one, HoleValue) or (isinstance(one, str) and has_holes(one)) for one in flat([value]))


def value_of(document: Any) -> Input:
    """A document with UNKNOWN in it, as a value."""
    if document is UNKNOWN:
        return HoleValue()
    if isinstance(document, dict):
        return {key: value_of(one) for key, one in document.items()}
    return [value_of(one) for one in document] if isinstance(document, list) else document


def compare(sign: str, one: Any, other: Any) -> Any:
    if sign in ("==", "!="):
        return (one == other) == (sign == "==")
    if type(one) is not type(other) or one is None:
        return HoleValue()
    return {"<": one < other, "<=": one <= other, ">": one > other, ">=": one >= other}[sign]


def plain_path(node: Jq) -> tuple[str, ...] | None:
    """The keys of a path such as `.a.b`."""
    if node.op == "input":
        return ()
    if node.op == "field" and isinstance(node.args[1], str):
        before = plain_path(node.args[0])
        return None if before is None else (*before, node.args[1])
    return None


def put(value: Any, path: tuple[str, ...], made: Input) -> Input:
    if not path:
        return made
    inner = value.get(path[0]) if isinstance(value, dict) else None
    return {**(value if isinstance(value, dict) else {}), path[0]: put(inner, path[1:], made)}
