"""What comparisons ask."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

from interlock.hook_lint.read.python.machine import HookReader
from interlock.hook_lint.read.python.state import WayState
from interlock.hook_lint.read.python.values import (
    AskedOf,
    DictBox,
    EventPart,
    Klass,
    Known,
    Lib,
    ListBox,
    NamedInput,
    ObjectRef,
    OneOf,
    PyText,
    PyValue,
    Raw,
    Root,
    Seq,
    Some,
    alternatives,
    roots_of,
)

__all__ = ["compare", "is_among", "is_equal", "negation_of", "opaque"]

_ORDER: dict[type, Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
}  # fmt: skip
# `len(x) > 0` and its like ask whether there is anything.
_ANY = {(ast.Gt, 0): True, (ast.GtE, 1): True, (ast.Lt, 1): False, (ast.LtE, 0): False}
_OBJECTS = ((), ("tool_input",))


def compare(m: HookReader, node: ast.Compare, state: WayState) -> PyValue:
    left = m.value(node.left, state)
    rights = [m.value(part, state) for part in node.comparators]
    if len(rights) > 1:
        return m.unknown(node, left, *rights)
    op, right = node.ops[0], rights[0]
    match op:
        case ast.Eq() | ast.NotEq() | ast.Is() | ast.IsNot():
            return is_equal(m, left, right, node, state, sense=isinstance(op, ast.Eq | ast.Is))
        case ast.In() | ast.NotIn():
            return is_among(m, left, right, node, state, sense=isinstance(op, ast.In))
    if isinstance(left, Known) and isinstance(right, Known):
        try:
            return Known(bool(_ORDER[type(op)](left.value, right.value)))
        except TypeError:
            return m.unknown(node)
    if isinstance(right, Known) and (type(op), right.value) in _ANY:
        question = m.question(left, state, node)
        sense = _ANY[type(op), right.value]
        if isinstance(question, bool):
            return Known(question is sense)
        return question if sense else negation_of(question)
    return opaque(m, node, left, right)


def negation_of(test: AskedOf) -> AskedOf:
    return AskedOf(test.subject, test.options, not test.sense, not test.is_hit, test.roots)


def opaque(
    m: HookReader, node: ast.AST, *parts: PyValue, sense: bool = True, roots: frozenset[Root] = frozenset()
) -> AskedOf:
    """A question of which only is known what it looks at."""
    subject = m.unknown(node, *parts, roots=roots)
    return AskedOf(subject, sense=sense, is_hit=sense, roots=subject.roots)


def is_equal(m: HookReader, left: PyValue, right: PyValue, node: ast.AST, state: WayState, *, sense: bool) -> PyValue:
    if isinstance(left, Known) and isinstance(right, Known):
        same = left.value == right.value and isinstance(left.value, bool) is isinstance(right.value, bool)
        return Known(same is sense)
    if isinstance(left, Known):
        left, right = right, left
    if not isinstance(right, Known):
        events = [one for one in (left, right) if isinstance(one, EventPart | NamedInput)]
        roots: frozenset[Root] = frozenset()
        for one, other in ((left, right), (right, left)):
            if events and isinstance(other, OneOf):
                roots |= m.notes.compare(one, [other], node)
        return opaque(m, node, left, right, sense=sense, roots=roots)
    if isinstance(left, AskedOf) and isinstance(right.value, bool | None):
        return left if bool(right.value) is sense else negation_of(left)
    if isinstance(left, OneOf):
        found = {one.value == right.value if isinstance(one, Known) else None for one in left.values}
        if found in ({True}, {False}):
            return Known((True in found) is sense)
        return opaque(m, node, left, sense=sense, roots=m.notes.compare(left, [right], node))
    if not isinstance(left, EventPart | Some | NamedInput | Raw | Lib | PyText) and not roots_of(left):
        return Known(not sense) if isinstance(left, ObjectRef | Seq | Klass) else opaque(m, node, left, sense=sense)
    places = m.notes.compare(left, [right], node)
    if right.value is True or not right.value:
        wanted = bool(right.value) is sense
        question = m.question(left, state, node)
        if isinstance(question, bool):
            return Known(question is wanted)
        return question if wanted else negation_of(question)
    subject = left if not isinstance(left, Some) or left.key else m.unknown(node, left)
    return AskedOf(subject, frozenset((right.value,)), sense, sense, roots_of(left) | places)


def is_among(m: HookReader, left: PyValue, right: PyValue, node: ast.AST, state: WayState, *, sense: bool) -> PyValue:
    options = _options(right, state)
    if options is not None:
        known = [one.value for option in options for one in alternatives(option) if isinstance(one, Known)]
        if isinstance(left, Known):
            if any(one == left.value for one in known):
                return Known(sense)
            return Known(not sense) if len(known) == len(options) else opaque(m, node, left, right, sense=sense)
        places = m.notes.compare(left, options, node)
        if isinstance(left, OneOf) or len(known) != len(options) or not known:
            return opaque(m, node, left, right, sense=sense, roots=places)
        subject = left if not isinstance(left, Some) or left.key else m.unknown(node, left)
        return AskedOf(subject, frozenset(known), sense, sense, roots_of(left) | places)
    if isinstance(right, Lib):
        return _in_library(m, left, right, node, sense=sense)
    if isinstance(left, Known) and isinstance(right, Known):
        inside = isinstance(left.value, str) and isinstance(right.value, str) and left.value in right.value
        return Known(inside is sense)
    if (
        isinstance(right, EventPart)
        and right.path in _OBJECTS
        and isinstance(left, Known)
        and isinstance(left.value, str)
    ):
        field = EventPart((*right.path, left.value))
        return AskedOf(field, None, sense, sense, frozenset((field.path,)))
    if isinstance(right, EventPart) and right.path in _OBJECTS and isinstance(left, OneOf):
        return opaque(m, node, right, sense=sense)
    places = frozenset()
    if isinstance(left, Known | OneOf | PyText):
        places = m.notes.search(right, left, "contains", node)
    box = state.heap.get(right.id) if isinstance(right, ObjectRef) else None
    if isinstance(box, DictBox) and isinstance(left, Known):
        return opaque(m, node, left, sense=sense)
    return opaque(m, node, left, right, sense=sense, roots=places)


def _options(right: PyValue, state: WayState) -> tuple[PyValue, ...] | None:
    """The members of a container, if all of them are known."""
    if isinstance(right, Seq):
        return right.values
    box = state.heap.get(right.id) if isinstance(right, ObjectRef) else None
    if isinstance(box, ListBox) and not box.is_open:
        return box.items
    if isinstance(box, DictBox) and not box.is_open and box.base is None:
        return box.keys()
    return None


def _in_library(m: HookReader, left: PyValue, right: Lib, node: ast.AST, *, sense: bool) -> PyValue:
    if right.name == "os.environ" and isinstance(left, Known) and isinstance(left.value, str):
        named = m.notes.name(NamedInput("environment", left.value), left.node or node, has_default=True)
        return AskedOf(named, None, sense, sense, roots_of(named))
    return opaque(m, node, left, sense=sense)
