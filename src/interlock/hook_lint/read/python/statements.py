"""What the kinds of statements do with the ways that come to them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from interlock.hook_lint.read.python.attributes import element
from interlock.hook_lint.read.python.calls import fault_of
from interlock.hook_lint.read.python.importing import do_import, do_importfrom
from interlock.hook_lint.read.python.loops import do_for, do_while
from interlock.hook_lint.read.python.machine import HookReader
from interlock.hook_lint.read.python.matching import do_match
from interlock.hook_lint.read.python.rendering import join_text
from interlock.hook_lint.read.python.state import WayState, join_states, merge_states
from interlock.hook_lint.read.python.trying import CAUGHT, do_try, do_with
from interlock.hook_lint.read.python.values import (
    NONE,
    NOTHING,
    DictBox,
    EventPart,
    Klass,
    Known,
    ListBox,
    ObjectBox,
    ObjectRef,
    OneOf,
    OwnFunction,
    PyFault,
    PyValue,
    alternatives,
    one_of,
)

__all__ = ["COMPOUND", "SIMPLE", "unpack"]

_MOST_CHARACTERS = 1 << 17
# Decorators under which a function is still called by its own name, with its own arguments.
_PLAIN_DECORATORS = frozenset({
    "staticmethod", "classmethod", "property", "cached_property", "abstractmethod", "override", "wraps", "lru_cache",
    "cache", "contextmanager", "asynccontextmanager", "dataclass", "final", "no_type_check", "command", "option",
    "argument", "group", "pass_context", "validator", "field_validator", "model_validator", "setter", "overload",
})  # fmt: skip


def unpack(m: HookReader, target: ast.expr, value: PyValue, state: WayState) -> None:
    """Assign to a name, a tuple of names, or a part of an object."""
    match target:
        case ast.Name(id=name):
            m.assign(name, value, state)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            _unpack_all(m, parts, value, target, state)
        case ast.Starred(value=inner):
            m.assign(inner.id if isinstance(inner, ast.Name) else "", NOTHING, state)
        case ast.Attribute(value=owner_node, attr=name):
            owner = m.value(owner_node, state)
            box = state.heap.get(owner.id) if isinstance(owner, ObjectRef) else None
            if isinstance(box, ObjectBox) and isinstance(owner, ObjectRef):
                state.put(owner.id, ObjectBox(box.klass, {**box.items, name: value}, box.base))
            elif isinstance(owner, Klass):
                state.assign(owner.frame, name, value)
            elif name == "can_use_tool":
                m.options.append((target, {name: value}, state.fork()))
        case ast.Subscript(value=owner_node, slice=key_node):
            owner, key = m.value(owner_node, state), m.value(key_node, state)
            _put_item(owner, key, value, state)


def _unpack_all(m: HookReader, parts: Sequence[ast.expr], value: PyValue, node: ast.AST, state: WayState) -> None:
    rows = value.values if isinstance(value, OneOf) else (value,)
    found = [element(m, row, node, state) for row in rows]
    stars = [place for place, part in enumerate(parts) if isinstance(part, ast.Starred)]
    for place, part in enumerate(parts):
        if stars and place >= stars[0]:
            unpack(m, part, m.unknown(part, value), state)
            continue
        ones = [known[place] if known is not None and place < len(known) else any_one for known, any_one in found]
        unpack(m, part, one_of(ones) if all(ones) else NOTHING, state)


def _put_item(owner: PyValue, key: PyValue, value: PyValue, state: WayState) -> None:
    box = state.heap.get(owner.id) if isinstance(owner, ObjectRef) else None
    if not isinstance(owner, ObjectRef):
        return
    if isinstance(box, DictBox):
        if isinstance(key, Known) and isinstance(key.value, str | int | float | bool | None):
            state.put(owner.id, DictBox({**box.items, key.value: value}, box.is_open, box.base))
        else:
            state.put(owner.id, DictBox(box.items, is_open=True, base=box.base))
    elif isinstance(box, ListBox):
        state.put(owner.id, ListBox((*box.items, value), is_open=True, roots=box.roots))


# --- simple ones -------------------------------------------------------------------------------------------------


def _expr(m: HookReader, node: ast.Expr, state: WayState) -> list[WayState]:
    if isinstance(node.value, ast.Constant):
        return [state]
    if isinstance(node.value, ast.Call):
        m.discarded = node.value
        if isinstance(node.value.func, ast.Name):
            found = m.lookup(node.value.func.id, state)
            if isinstance(found, OwnFunction) and found.is_async:
                return [state]  # it is never awaited, so it never runs
    return [after for _, after in m.values(node.value, state)]


def _assign(m: HookReader, node: ast.Assign, state: WayState) -> list[WayState]:
    found = m.values(node.value, state)
    for value, after in found:
        for target in node.targets:
            m.unpack(target, value, after)
    return [after for _, after in found]


def _annassign(m: HookReader, node: ast.AnnAssign, state: WayState) -> list[WayState]:
    if node.value is None:
        return [state]
    found = m.values(node.value, state)
    for value, after in found:
        m.unpack(node.target, value, after)
    return [after for _, after in found]


def _augassign(m: HookReader, node: ast.AugAssign, state: WayState) -> list[WayState]:
    found = m.values(node.value, state)
    for value, after in found:
        old = m.value(node.target, after)
        m.unpack(node.target, _sum_of(m, node, old, value, after), after)
    return [after for _, after in found]


def _sum_of(m: HookReader, node: ast.AugAssign, old: PyValue, value: PyValue, state: WayState) -> PyValue:
    box = state.heap.get(old.id) if isinstance(old, ObjectRef) else None
    if isinstance(box, ListBox) and isinstance(old, ObjectRef):
        known, one = element(m, value, node, state)
        items = (*box.items, *(known if known is not None else (one,)))
        state.put(old.id, ListBox(items, box.is_open or known is None, box.roots))
        return old
    if isinstance(node.op, ast.Add):
        if isinstance(old, Known) and isinstance(value, Known):
            if isinstance(old.value, str) and len(old.value) > _MOST_CHARACTERS:
                return NOTHING
            try:
                return Known(old.value + value.value)
            except TypeError:
                return NOTHING
        texts = [one for one in (old, value) if not isinstance(one, Known) or isinstance(one.value, str)]
        if len(texts) == 2 and isinstance(old, Known):
            return join_text([old, value])
    return m.unknown(node, old, value)


def _return(m: HookReader, node: ast.Return, state: WayState) -> list[WayState]:
    found = m.values(node.value, state) if node.value is not None else [(NONE, state)]
    m.flow.returns += [(value, after, node) for value, after in found]
    return []


def _raise(m: HookReader, node: ast.Raise, state: WayState) -> list[WayState]:
    again = m.lookup(CAUGHT, state) or NOTHING
    for value, after in m.values(node.exc, state) if node.exc is not None else [(again, state)]:
        for one in alternatives(value):
            fault = fault_of(one, after)
            if "SystemExit" in fault.names:
                m.end(fault.args[0] if fault.args else Known(0), node, after)
            else:
                m.fail(fault, node, after)
    return []


def _assert(m: HookReader, node: ast.Assert, state: WayState) -> list[WayState]:
    yes, no = m.branch(node.test, state)
    if no:
        m.put_condition(node.test, yes, no)
    for one in no:
        args = () if node.msg is None else tuple(value for value, _ in m.values(node.msg, one.fork()))[:1]
        m.fail(PyFault(("AssertionError", "Exception", "BaseException"), args), node, one)
    return yes


def _function(m: HookReader, node: ast.FunctionDef | ast.AsyncFunctionDef, state: WayState) -> list[WayState]:
    func = OwnFunction(node, m.frame)
    names = [_last_name(one) for one in node.decorator_list]
    own: PyValue = func
    for decorator, name in zip(reversed(node.decorator_list), reversed(names), strict=True):
        if name in _PLAIN_DECORATORS:
            continue
        found = m.lookup(name, state)
        if isinstance(decorator, ast.Name) and isinstance(found, OwnFunction) and isinstance(own, OwnFunction):
            outcomes = m.run_function(found, (own,), {}, state.fork(), decorator)
            made = [value for value, _ in outcomes if isinstance(value, OwnFunction)]
            if len(outcomes) == 1 and made:
                state.become(outcomes[0][1])
                own = made[0]
                continue
        own = OwnFunction(node, m.frame, is_wrapped=True)
    m.assign(node.name, own, state)
    return [state]


def _last_name(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Call(func=func):
            return _last_name(func)
    return ""


def _class(m: HookReader, node: ast.ClassDef, state: WayState) -> list[WayState]:
    bases = tuple(m.value(base, state) for base in node.bases if not isinstance(base, ast.Starred))
    frame = m.frame_for(node, m.frame)
    klass = Klass(node, frame, bases)
    m.assign(node.name, klass, state)
    outer = m.frame
    state.frames[frame] = {}
    state.own_frames.add(frame)
    m.frame = frame
    try:
        after = m.block(node.body, [state])
    finally:
        m.frame = outer
    # Functions in a class see the names around the class, not those in it.
    for one in after:
        for name, value in list(one.frames.get(frame, {}).items()):
            if isinstance(value, OwnFunction) and value.frame == frame:
                one.assign(frame, name, OwnFunction(value.node, outer, is_wrapped=value.is_wrapped))
    return after


def _global(m: HookReader, node: ast.Global, state: WayState) -> list[WayState]:
    m.declared.setdefault(m.frame, {}).update(dict.fromkeys(node.names, m.root_frame()))
    return [state]


def _nonlocal(m: HookReader, node: ast.Nonlocal, state: WayState) -> list[WayState]:
    for name in node.names:
        frame = m.parents.get(m.frame)
        while frame is not None and name not in state.frames.get(frame, {}):
            frame = m.parents.get(frame)
        if frame is not None:
            m.declared.setdefault(m.frame, {})[name] = frame
    return [state]


def _delete(m: HookReader, node: ast.Delete, state: WayState) -> list[WayState]:
    for target in node.targets:
        if isinstance(target, ast.Subscript):
            owner, key = m.value(target.value, state), m.value(target.slice, state)
            box = state.heap.get(owner.id) if isinstance(owner, ObjectRef) else None
            if isinstance(box, DictBox) and isinstance(owner, ObjectRef) and isinstance(key, Known):
                rest = {name: value for name, value in box.items.items() if name != key.value}
                state.put(owner.id, DictBox(rest, box.is_open, box.base))
    return [state]


def _break(m: HookReader, node: ast.Break, state: WayState) -> list[WayState]:
    m.flow.breaks.append(state)
    return []


def _continue(m: HookReader, node: ast.Continue, state: WayState) -> list[WayState]:
    m.flow.continues.append(state)
    return []


SIMPLE: dict[type, Callable[[HookReader, Any, WayState], list[WayState]]] = {
    ast.AnnAssign: _annassign,
    ast.Assert: _assert,
    ast.Assign: _assign,
    ast.AsyncFunctionDef: _function,
    ast.AugAssign: _augassign,
    ast.Break: _break,
    ast.ClassDef: _class,
    ast.Continue: _continue,
    ast.Delete: _delete,
    ast.Expr: _expr,
    ast.FunctionDef: _function,
    ast.Global: _global,
    ast.Import: do_import,
    ast.ImportFrom: do_importfrom,
    ast.Nonlocal: _nonlocal,
    ast.Raise: _raise,
    ast.Return: _return,
}


# --- compound ones -----------------------------------------------------------------------------------------------


def _if(m: HookReader, node: ast.If, states: list[WayState]) -> list[WayState]:
    found: list[WayState] = []
    for state in states:
        before = len(state.conditions)
        yes, no = m.branch(node.test, state)
        if yes and no:
            m.put_condition(node.test, yes, no)
        for one in (*yes, *no):
            one.asked = ()
        is_about_event = any(asked.paths for one in (*yes, *no) for asked in one.conditions[before:])
        left = m.block(node.body, merge_states(yes))
        right = m.block(node.orelse, merge_states(no))
        for one in (*left, *right):
            one.leave(before)
        if left and right:
            _link_variables(m, left[0], right[0])
        found += left + right if is_about_event or len(left) + len(right) < 2 else join_states([*left, *right])
    return found


def _link_variables(m: HookReader, left: WayState, right: WayState) -> None:
    """What both ways have read into one variable is read in the place of one another."""
    ours, theirs = left.frames.get(m.frame, {}), right.frames.get(m.frame, {})
    if ours is theirs:
        return
    for name, value in ours.items():
        other = theirs.get(name)
        if isinstance(value, EventPart) and isinstance(other, EventPart) and value.path != other.path:
            m.notes.link(value.path, (other.path,))


COMPOUND: dict[type, Callable[[HookReader, Any, list[WayState]], list[WayState]]] = {
    ast.AsyncFor: do_for,
    ast.AsyncWith: do_with,
    ast.For: do_for,
    ast.If: _if,
    ast.Match: do_match,
    ast.Try: do_try,
    ast.TryStar: do_try,
    ast.While: do_while,
    ast.With: do_with,
}
