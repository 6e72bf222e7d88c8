"""What the kinds of expressions give."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

from interlock.hook_lint.read.python.attributes import attribute, element, subscript
from interlock.hook_lint.read.python.calls import call
from interlock.hook_lint.read.python.comparing import compare, negation_of
from interlock.hook_lint.read.python.machine import Fork, HookReader, Outcome
from interlock.hook_lint.read.python.names import BUILTINS
from interlock.hook_lint.read.python.notes import is_useful
from interlock.hook_lint.read.python.rendering import join_text
from interlock.hook_lint.read.python.state import WayState
from interlock.hook_lint.read.python.values import (
    NOTHING,
    AskedOf,
    DictBox,
    EventPart,
    Json,
    Known,
    Lib,
    ListBox,
    NamedInput,
    ObjectRef,
    OwnFunction,
    PyText,
    PyValue,
    Seq,
    alternatives,
    one_of,
    roots_of,
)

__all__ = ["EXPRESSIONS", "of_parts"]

_MOST_ITEMS = 64
_LONGEST = 10_000
_MOST_CHARACTERS = 1 << 17
_FOLDED: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.BitOr: operator.or_,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod,
}  # fmt: skip


def of_parts(m: HookReader, node: ast.expr, state: WayState) -> PyValue:
    """An expression of a kind that is not followed: something that is made of its parts."""
    parts = [m.value(part, state) for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr)]
    return m.unknown(node, *parts)


def _constant(m: HookReader, node: ast.Constant, state: WayState) -> PyValue:
    return Known(node.value, node)


def _name(m: HookReader, node: ast.Name, state: WayState) -> PyValue:
    found = m.lookup(node.id, state)
    if found is not None:
        return found
    if node.id == "__name__":
        return Known("__main__" if m.mode == "command" else "hook")
    return Lib(node.id) if node.id in BUILTINS else m.unknown(node)


def _attribute(m: HookReader, node: ast.Attribute, state: WayState) -> PyValue:
    return attribute(m, node, m.value(node.value, state), state)


def _subscript(m: HookReader, node: ast.Subscript, state: WayState) -> PyValue:
    owner = m.value(node.value, state)
    if isinstance(node.slice, ast.Slice):
        parts = [m.value(part, state) for part in (node.slice.lower, node.slice.upper, node.slice.step) if part]
        return _slice_of(m, node, owner, parts)
    return subscript(m, node, owner, m.value(node.slice, state), state)


def _slice_of(m: HookReader, node: ast.Subscript, owner: PyValue, parts: list[PyValue]) -> PyValue:
    if isinstance(owner, Known) and isinstance(owner.value, str) and all(isinstance(one, Known) for one in parts):
        whole = isinstance(node.slice, ast.Slice) and node.slice.lower is None and node.slice.step is None
        upper = parts[0].value if whole and parts and isinstance(parts[0], Known) else None
        return Known(owner.value[:upper], owner.node) if isinstance(upper, int) else owner
    if isinstance(owner, PyText):
        return owner
    return m.unknown(node, owner, *parts)


def _ifexp(m: HookReader, node: ast.IfExp, state: WayState) -> PyValue:
    yes, no = m.branch(node.test, state)
    if not no and len(yes) == 1:
        state.become(yes[0])
        return m.value(node.body, state)
    if not yes and len(no) == 1:
        state.become(no[0])
        return m.value(node.orelse, state)
    m.put_condition(node.test, yes, no)
    found: list[Outcome] = [pair for one in yes for pair in m.values(node.body, one)]
    found += [pair for one in no for pair in m.values(node.orelse, one)]
    _link(m, [value for value, _ in found])
    raise Fork(node, found)


def _boolop(m: HookReader, node: ast.BoolOp, state: WayState) -> PyValue:
    """The last part that is evaluated; of several that are read from the event, the first, beside the others."""
    is_or = isinstance(node.op, ast.Or)
    found: list[PyValue] = []
    for part in node.values:
        value = m.value(part, state)
        truth = m.question(value, state, part)
        if truth is is_or or (isinstance(truth, bool) and part is node.values[-1] and not found):
            if truth is is_or and not found:
                return value
            found.append(value)
            break
        if truth is (not is_or) and part is not node.values[-1]:
            continue
        found.append(value)
    if not found:
        return Known(not is_or)
    if len(found) == 1:
        return found[0]
    _link(m, found)
    events = [one for one in found if isinstance(one, EventPart)]
    empty = all(one in events or (isinstance(one, Known) and not one.value) or _is_empty(one, state) for one in found)
    if is_or and events and empty:
        first, *others = events
        return EventPart(first.path, (*first.beside, *(one.path for one in others)))
    if is_or and isinstance(found[0], NamedInput) and empty:
        return found[0]
    tests = [one for one in found if isinstance(one, AskedOf)]
    known = frozenset().union(*map(roots_of, found))
    if tests:
        return AskedOf(subject=m.unknown(node, *found), roots=known, is_hit=tests[0].is_hit)
    return m.unknown(node, *found)


def _is_empty(value: PyValue, state: WayState) -> bool:
    box = state.heap.get(value.id) if isinstance(value, ObjectRef) else None
    return isinstance(box, DictBox | ListBox) and not box.items and not box.is_open


def _link(m: HookReader, found: list[PyValue]) -> None:
    """Note what is read in the place of what."""
    paths = [one.path for value in found for one in alternatives(value) if isinstance(one, EventPart)]
    for path in paths:
        m.notes.link(path, paths)
    if len(found) > 1:
        for value in found:
            if isinstance(value, NamedInput) and any(is_useful(one) for one in found if one is not value):
                m.notes.with_default.add((value.kind, value.name))


def _unaryop(m: HookReader, node: ast.UnaryOp, state: WayState) -> PyValue:
    value = m.value(node.operand, state)
    if isinstance(node.op, ast.Not):
        truth = m.question(value, state, node.operand)
        if isinstance(truth, bool):
            return Known(not truth)
        return negation_of(truth)
    if isinstance(node.op, ast.USub) and isinstance(value, Known) and isinstance(value.value, int | float):
        return Known(-value.value, node)
    return m.unknown(node, value)


def _binop(m: HookReader, node: ast.BinOp, state: WayState) -> PyValue:
    left, right = m.value(node.left, state), m.value(node.right, state)
    if isinstance(node.op, ast.Mod) and isinstance(left, Known | PyText) and _is_text(left):
        return _percent(left, right)
    if isinstance(left, Known) and isinstance(right, Known) and type(node.op) in _FOLDED:
        return _fold(m, node, left, right)
    if isinstance(node.op, ast.Add):
        if any(_is_text(one) for one in (left, right)):
            return join_text([left, right])
        items = [_items(one, state) for one in (left, right)]
        if all(one is not None for one in items):
            both = tuple(value for one in items for value in one or ())
            is_open = any(_is_open(one, state) for one in (left, right))
            if isinstance(left, Seq):
                return Seq(both)
            return m.fresh(node, ListBox(both, is_open, roots_of(one_of(both)) if is_open else frozenset()), state)
    if isinstance(node.op, ast.BitOr):
        merged = _merged_dicts(m, node, left, right, state)
        if merged is not None:
            return merged
    return m.unknown(node, left, right)


def _is_text(value: PyValue) -> bool:
    return isinstance(value, PyText | Json) or (isinstance(value, Known) and isinstance(value.value, str))


def _fold(m: HookReader, node: ast.BinOp, left: Known, right: Known) -> PyValue:
    sizes = [len(one.value) if isinstance(one.value, str | bytes) else 0 for one in (left, right)]
    counts = [one.value for one in (left, right) if isinstance(one.value, int)]
    if isinstance(node.op, ast.Mult) and sum(sizes) * max([0, *counts]) > _LONGEST:
        return m.unknown(node)
    if sum(sizes) > _MOST_CHARACTERS:
        return m.unknown(node)
    try:
        found = _FOLDED[type(node.op)](left.value, right.value)
    except (TypeError, ValueError, ArithmeticError):
        return m.unknown(node)
    return Known(found, left.node)


def _percent(left: PyValue, right: PyValue) -> PyValue:
    """A text that is made by `%`."""
    texts = [part for part in (left.parts if isinstance(left, PyText) else (left,)) if not isinstance(part, str)]
    text = left.value if isinstance(left, Known) else ""
    if texts and not isinstance(left, Known):
        return left
    given = iter(right.values if isinstance(right, Seq) else (right,))
    pieces = text.split("%")
    parts: list[str | PyValue] = [pieces[0]]
    skip = False
    for piece in pieces[1:]:
        if skip or not piece:
            skip = not skip
            parts.append(piece or "%")
            continue
        parts += [next(given, NOTHING), piece.lstrip("-+ #0123456789.")[1:]]
    return join_text(parts)


def _items(value: PyValue, state: WayState) -> tuple[PyValue, ...] | None:
    if isinstance(value, Seq):
        return value.values
    box = state.heap.get(value.id) if isinstance(value, ObjectRef) else None
    return box.items if isinstance(box, ListBox) else None


def _is_open(value: PyValue, state: WayState) -> bool:
    box = state.heap.get(value.id) if isinstance(value, ObjectRef) else None
    return isinstance(box, ListBox) and box.is_open


def _merged_dicts(m: HookReader, node: ast.BinOp, left: PyValue, right: PyValue, state: WayState) -> PyValue | None:
    boxes = [state.heap.get(one.id) if isinstance(one, ObjectRef) else None for one in (left, right)]
    if all(isinstance(box, ListBox) for box in boxes):
        items = tuple(value for box in boxes if isinstance(box, ListBox) for value in box.items)
        return m.fresh(node, ListBox(items, any(isinstance(box, ListBox) and box.is_open for box in boxes)), state)
    if not any(isinstance(box, DictBox) for box in boxes):
        return None
    known: dict[Any, PyValue] = {}
    for box in boxes:
        if isinstance(box, DictBox):
            known.update(box.items)
    return m.fresh(node, DictBox(known, not all(isinstance(box, DictBox) and not box.is_open for box in boxes)), state)


def _fstring(m: HookReader, node: ast.JoinedStr, state: WayState) -> PyValue:
    parts: list[str | PyValue] = []
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            value = m.value(part.value, state)
            parts.append(_in_text(m, part, value))
        else:
            parts.append(m.value(part, state))
    found = join_text(parts)
    return Known(found.value, node) if isinstance(found, Known) else found


def _in_text(m: HookReader, node: ast.FormattedValue, value: PyValue) -> PyValue:
    if node.conversion == 114:  # !r
        return m.unknown(node, value) if not isinstance(value, Known) else Known(repr(value.value))
    return value


def _dict(m: HookReader, node: ast.Dict, state: WayState) -> PyValue:
    known: dict[Any, PyValue] = {}
    places: dict[Any, ast.AST] = {}
    is_open, base = False, None
    for key_node, value_node in zip(node.keys, node.values, strict=True):
        value = m.value(value_node, state)
        if key_node is None:
            box = state.heap.get(value.id) if isinstance(value, ObjectRef) else None
            if isinstance(box, DictBox):
                known.update(box.items)
                is_open |= box.is_open
                base = box.base or base
            else:
                is_open = True
                base = value if isinstance(value, EventPart) else base
            continue
        key = m.value(key_node, state)
        if isinstance(key, Known) and isinstance(key.value, str | int | float | bool | None):
            known[key.value] = value
            places[key.value] = key_node
        else:
            is_open = True
    return m.fresh(node, DictBox(known, is_open, base, places), state)


def _list(m: HookReader, node: ast.List | ast.Set, state: WayState) -> PyValue:
    items, is_open = _elements(m, node.elts, state)
    return m.fresh(node, ListBox(items, is_open), state)


def _tuple(m: HookReader, node: ast.Tuple, state: WayState) -> PyValue:
    items, is_open = _elements(m, node.elts, state)
    return m.fresh(node, ListBox(items, is_open=True), state) if is_open else Seq(items)


def _elements(m: HookReader, nodes: list[ast.expr], state: WayState) -> tuple[tuple[PyValue, ...], bool]:
    found: list[PyValue] = []
    is_open = False
    for node in nodes:
        if isinstance(node, ast.Starred):
            known, one = element(m, m.value(node.value, state), node, state)
            found += known if known is not None else [one]
            is_open |= known is None
        else:
            found.append(m.value(node, state))
    return tuple(found), is_open


def _lambda(m: HookReader, node: ast.Lambda, state: WayState) -> PyValue:
    return OwnFunction(node, m.frame)


def _comprehension(m: HookReader, node: ast.ListComp | ast.SetComp | ast.GeneratorExp, state: WayState) -> PyValue:
    rows, is_open, roots = _rows(m, node.generators, node, state, lambda: m.value(node.elt, state))
    return m.fresh(node, ListBox(tuple(rows), is_open, roots), state)


def _dictcomp(m: HookReader, node: ast.DictComp, state: WayState) -> PyValue:
    def pair() -> PyValue:
        return Seq((m.value(node.key, state), m.value(node.value, state)))

    rows, is_open, _ = _rows(m, node.generators, node, state, pair)
    known: dict[Any, PyValue] = {}
    for row in rows:
        key, value = row.values if isinstance(row, Seq) else (NOTHING, NOTHING)
        if isinstance(key, Known) and isinstance(key.value, str | int | float | bool | None):
            known[key.value] = value
        else:
            is_open = True
    return m.fresh(node, DictBox(known, is_open), state)


def _rows(
    m: HookReader, generators: list[ast.comprehension], node: ast.expr, state: WayState, make: Callable[[], PyValue]
) -> tuple[list[PyValue], bool, Any]:
    """What a comprehension makes, whether it may be more or less than that, and what decides about it."""
    if not generators:
        return [make()], False, frozenset()
    first, *rest = generators
    over = m.value(first.iter, state)
    known, one = element(m, over, first.iter, state)
    items: tuple[PyValue, ...] | list[PyValue] = known if known is not None and len(known) <= _MOST_ITEMS else (one,)
    is_open = known is None or len(known) > _MOST_ITEMS
    roots = roots_of(over) if is_open else frozenset()
    if isinstance(over, ObjectRef) and isinstance(box := state.heap.get(over.id), ListBox):
        roots |= box.roots
    rows: list[PyValue] = []
    for item in items:
        m.step()
        m.unpack(first.target, item, state)
        tests = [m.question(m.value(one, state), state, one) for one in first.ifs]
        for test in tests:
            if isinstance(test, AskedOf):
                m.notes.decide(test.roots)
        if any(test is False for test in tests):
            continue
        asked = [test for test in tests if isinstance(test, AskedOf)]
        roots = roots.union(*(test.roots for test in asked))
        is_open |= bool(asked)
        found, inner_open, inner_roots = _rows(m, rest, node, state, make)
        rows += found
        is_open |= inner_open
        roots |= inner_roots
    return rows, is_open, roots


def _walrus(m: HookReader, node: ast.NamedExpr, state: WayState) -> PyValue:
    value = m.value(node.value, state)
    m.assign(node.target.id, value, state)
    return value


def _await(m: HookReader, node: ast.Await, state: WayState) -> PyValue:
    return m.value(node.value, state)


def _star(m: HookReader, node: ast.Starred, state: WayState) -> PyValue:
    return m.value(node.value, state)


def _yield(m: HookReader, node: ast.Yield | ast.YieldFrom, state: WayState) -> PyValue:
    if node.value is None:
        m.flow.yields.append(NOTHING)
        return m.unknown(node)
    value = m.value(node.value, state)
    m.flow.yields.append(element(m, value, node, state)[1] if isinstance(node, ast.YieldFrom) else value)
    return m.unknown(node)


def _compare(m: HookReader, node: ast.Compare, state: WayState) -> PyValue:
    return compare(m, node, state)


def _call(m: HookReader, node: ast.Call, state: WayState) -> PyValue:
    return call(m, node, state)


EXPRESSIONS: dict[type, Callable[[HookReader, Any, WayState], PyValue]] = {
    ast.Attribute: _attribute,
    ast.Await: _await,
    ast.BinOp: _binop,
    ast.BoolOp: _boolop,
    ast.Call: _call,
    ast.Compare: _compare,
    ast.Constant: _constant,
    ast.Dict: _dict,
    ast.DictComp: _dictcomp,
    ast.GeneratorExp: _comprehension,
    ast.IfExp: _ifexp,
    ast.JoinedStr: _fstring,
    ast.Lambda: _lambda,
    ast.List: _list,
    ast.ListComp: _comprehension,
    ast.Name: _name,
    ast.NamedExpr: _walrus,
    ast.Set: _list,
    ast.SetComp: _comprehension,
    ast.Starred: _star,
    ast.Subscript: _subscript,
    ast.Tuple: _tuple,
    ast.UnaryOp: _unaryop,
    ast.Yield: _yield,
    ast.YieldFrom: _yield,
}
