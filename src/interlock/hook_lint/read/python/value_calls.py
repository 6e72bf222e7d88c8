"""What functions of builtins and of the standard library make of their arguments."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Callable
from typing import Any

from interlock.hook_lint.read.python.attributes import element, read_field
from interlock.hook_lint.read.python.calls import CallArguments, call_value
from interlock.hook_lint.read.python.machine import Fork, HookReader
from interlock.hook_lint.read.python.rendering import text_of
from interlock.hook_lint.read.python.state import WayState
from interlock.hook_lint.read.python.values import (
    NONE,
    NOTHING,
    AskedOf,
    DictBox,
    EventPart,
    Json,
    Known,
    Lib,
    ListBox,
    NamedInput,
    ObjectBox,
    ObjectRef,
    OwnFunction,
    PyFault,
    PyText,
    PyValue,
    Raw,
    Root,
    Seq,
    Some,
    one_of,
    roots_of,
)

__all__ = [
    "do_any",
    "do_asdict",
    "do_bool",
    "do_chain",
    "do_copy",
    "do_dedent",
    "do_defaultdict",
    "do_dict",
    "do_false",
    "do_first",
    "do_getattr",
    "do_int",
    "do_isinstance",
    "do_length",
    "do_map",
    "do_namespace",
    "do_new_list",
    "do_next",
    "do_nothing",
    "do_pairs",
    "do_partial",
    "do_path",
    "do_run_given",
    "do_same",
    "do_second",
    "do_super",
    "do_text",
    "do_unread",
]

Reader = Callable[[HookReader, CallArguments, WayState], PyValue]
_OBJECTS = ((), ("tool_input",))


def do_same(m: HookReader, called: CallArguments, state: WayState) -> PyValue:
    """A function that gives back what it was given, or nearly."""
    if len(called.args) > 1:
        return m.unknown(called.node, *called.all)
    return called.args[0] if called.args else Known("")


def do_first(m: HookReader, called: CallArguments, state: WayState) -> PyValue:
    return called.args[0] if called.args else NOTHING


def do_second(m: HookReader, called: CallArguments, state: WayState) -> PyValue:
    return called.args[1] if len(called.args) > 1 else NOTHING


def do_text(m: HookReader, called: CallArguments, state: WayState) -> PyValue:
    value = called.args[0] if called.args else Known("")
    match value:
        case Known(value=one, node=node):
            return Known(str(one), node)
        case PyFault(args=(only,)):
            return only if isinstance(only, PyText | Known | Some) else PyText((only,))
        case EventPart() | Raw() | PyText() | Json() | NamedInput():
            return value
        case ObjectRef() | Seq():
            return PyText((text_of(value, state),))
    return m.unknown(called.node, *called.args)


def do_path(m: HookReader, called: CallArguments, state: WayState) -> PyValue:
    return called.args[0] if len(called.args) == 1 else m.unknown(called.node, *called.all)


def do_int(m: HookReader, called: CallArguments, state: WayState) -> PyValue:
    value = called.args[0] if called.args else Known(0)
    if isinstance(value, Known) and isinstance(value.value, int | float | bool):
        return Known(int(value.value), value.node)
    return value if isinstance(value, AskedOf) else m.unknown(called.node, *called.all)


def do_bool(m: HookReader, called: CallArguments, state: WayState) -> PyValue:
    question = m.question(called.args[0], state, called.node) if called.args else False
    return Known(question) if isinstance(question, bool) else question


def do_length(m: HookReader, called: CallArguments, state: WayState) -> PyValue:
    value = called.args[0] if called.args else NOTHING
    if value == Lib("sys.argv"):
        m.notes.counts_arguments = True
        return m.unknown(called.node)
    if isinstance(value, Known) and isinstance(value.value, str):
        return Known(len(value.value))
    known, _ = element(m, value, called.node, state)
    if known is not None:
        return Known(len(known))
    if isinstance(value, ObjectRef) and isinstance(box := state.heap.get(value.id), ListBox):
        return Some(box.roots, m.key(called.node))
    return m.unknown(called.node, value)


def do_any(m: HookReader, called: CallArguments, state: WayState) -> PyValue:
    """`any` and `all` of things that are asked."""
    value = called.args[0] if called.args else NOTHING
    known, one = element(m, value, called.node, state)
    is_all = isinstance(called.node.func, ast.Name) and called.node.func.id == "all"
    roots: frozenset[Root] = roots_of(value)
    box = state.heap.get(value.id) if isinstance(value, ObjectRef) else None
    items = box.items if isinstance(box, ListBox) else known or (one,)
    questions = [m.question(item, state, called.node) for item in items]
    if known is not None and all(isinstance(question, bool) for question in questions):
        return Known(all(questions) if is_all else any(questions))
    roots = roots.union(*(question.roots for question in questions if isinstance(question, AskedOf)))
    hits = [question.is_hit for question in questions if isinstance(question, AskedOf)]
    if isinstance(box, ListBox):
        roots |= box.roots
    return AskedOf(Some(roots, m.key(called.node)), is_hit=hits[0] if hits else True, roots=roots)


def do_next(m: HookReader, called: CallArguments, state: WayState) -> PyValue:
    value = called.args[0] if called.args else NOTHING
    _, one = element(m, value, called.node, state)
    box = state.heap.get(value.id) if isinstance(value, ObjectRef) else None
    roots = roots_of(one) | (box.roots if isinstance(box, ListBox) else roots_of(value))
    return Some(roots, m.key(called.node))


def do_new_list(m: HookReader, called: CallArguments, state: WayState) -> PyValue:
    """A new list, set or tuple with the same things in it."""
    if not called.args:
        return m.fresh(called.node, ListBox(), state)
    known, one = element(m, called.args[0], called.node, state)
    if known is not None:
        return m.fresh(called.node, ListBox(known), state)
    box = state.heap.get(called.args[0].id) if isinstance(called.args[0], ObjectRef) else None
    if isinstance(box, ListBox):
        return m.fresh(called.node, box, state)
    return Some(roots_of(called.args[0]), m.key(called.node), items=one)


def do_pairs(m: HookReader, called: CallArguments, state: WayState) -> PyValue:
    """`enumerate` and `zip`."""
    is_zip = isinstance(called.node.func, ast.Name) and called.node.func.id == "zip"
    ones = [element(m, arg, called.node, state)[1] for arg in called.args[: None if is_zip else 1]]
    pair = Seq(tuple(ones)) if is_zip else Seq((m.unknown(called.node), *ones))
    return m.fresh(called.node, ListBox((pair,), is_open=True, roots=roots_of(pair)), state)


def do_map(m: HookReader, called: CallArguments, state: WayState) -> PyValue:
    """`map` and `filter`: the function is read once, for any of the things."""
    if len(called.args) < 2:
        return m.unknown(called.node, *called.all)
    _, one = element(m, called.args[1], called.node, state)
    inner = CallArguments(called.node, (one,))
    try:
        made = call_value(m, called.args[0], inner, state.fork()) if called.args[0] != NONE else one
    except Fork as fork:
        made = one_of([value for value, _ in fork.outcomes])
    is_filter = isinstance(called.node.func, ast.Name) and called.node.func.id == "filter"
    roots = roots_of(made) | roots_of(one)
    return m.fresh(called.node, ListBox((one if is_filter else made,), is_open=True, roots=roots), state)


def do_chain(m: HookReader, called: CallArguments, state: WayState) -> PyValue:
    items = [element(m, arg, called.node, state)[1] for arg in called.args]
    return m.fresh(called.node, ListBox((one_of(items),), is_open=True, roots=roots_of(one_of(items))), state)


def do_dict(m: HookReader, called: CallArguments, state: WayState) -> PyValue:
    known: dict[Any, PyValue] = {}
    is_open, base = False, called.event
    for one in called.args[:1]:
        box = state.heap.get(one.id) if isinstance(one, ObjectRef) else None
        if isinstance(box, DictBox):
            known, is_open, base = dict(box.items), box.is_open, box.base
        else:
            is_open, base = True, one if isinstance(one, EventPart) else None
    known.update(called.keywords)
    return m.fresh(called.node, DictBox(known, is_open or base is not None, base), state)


def do_defaultdict(m: HookReader, called: CallArguments, state: WayState) -> PyValue:
    return m.fresh(called.node, DictBox({}, is_open=True), state)


def do_copy(m: HookReader, called: CallArguments, state: WayState) -> PyValue:
    value = called.args[0] if called.args else NOTHING
    if isinstance(value, EventPart):
        return m.fresh(called.node, DictBox({}, is_open=True, base=value), state)
    box = state.heap.get(value.id) if isinstance(value, ObjectRef) else None
    return m.fresh(called.node, box, state) if box is not None else value


def do_isinstance(m: HookReader, called: CallArguments, state: WayState) -> PyValue:
    value, kind = (*called.args, NOTHING, NOTHING)[:2]
    kinds = {one.name for one in (kind.values if isinstance(kind, Seq) else (kind,)) if isinstance(one, Lib)}
    if isinstance(value, EventPart) and kinds:
        if value.path in _OBJECTS:
            return Known("dict" in kinds or bool(kinds & {"Mapping", "collections.abc.Mapping", "typing.Mapping"}))
        if "str" in kinds:
            return Known(True)
    found = m.unknown(called.node, value)
    return AskedOf(Some(frozenset(), found.key))  # of what kind it is says nothing about the call


def do_getattr(m: HookReader, called: CallArguments, state: WayState) -> PyValue:
    owner, name = (*called.args, NOTHING, NOTHING)[:2]
    if isinstance(owner, EventPart) and isinstance(name, Known):
        return read_field(m, owner, name, called.node, state)
    box = state.heap.get(owner.id) if isinstance(owner, ObjectRef) else None
    if isinstance(box, ObjectBox) and isinstance(name, Known) and name.value in box.items:
        return box.items[name.value]
    return m.unknown(called.node, *called.all)


def do_asdict(m: HookReader, called: CallArguments, state: WayState) -> PyValue:
    value = called.args[0] if called.args else NOTHING
    box = state.heap.get(value.id) if isinstance(value, ObjectRef) else None
    if isinstance(box, ObjectBox):
        return box.base or m.fresh(called.node, DictBox(dict(box.items)), state)
    return value


def do_namespace(m: HookReader, called: CallArguments, state: WayState) -> PyValue:
    if called.event is not None:
        return called.event
    return m.fresh(called.node, ObjectBox(None, dict(called.keywords)), state)


def do_partial(m: HookReader, called: CallArguments, state: WayState) -> PyValue:
    if not called.args:
        return NOTHING
    func, *args = called.args
    if isinstance(func, OwnFunction):
        keywords = (*func.keywords, *called.keywords.items())
        return OwnFunction(func.node, func.frame, func.owner, (*func.args, *args), keywords, func.is_wrapped)
    return func


def do_run_given(m: HookReader, called: CallArguments, state: WayState) -> PyValue:
    """A function that runs what it is given; a function that it is given off the event loop, with its arguments."""
    if not called.args:
        return NOTHING
    if isinstance(called.args[0], OwnFunction):
        outer, m.is_async = m.is_async, m.is_async and not _is_thread(called.node)
        try:
            inner = CallArguments(called.node, called.args[1:], called.keywords)
            return call_value(m, called.args[0], inner, state)
        finally:
            m.is_async = outer
    return called.args[0]


def _is_thread(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Attribute) and node.func.attr in ("to_thread", "run_sync")


def do_dedent(m: HookReader, called: CallArguments, state: WayState) -> PyValue:
    value = called.args[0] if called.args else NOTHING
    if isinstance(value, Known) and isinstance(value.value, str):
        return Known(textwrap.dedent(value.value), value.node)
    return value


def do_nothing(m: HookReader, called: CallArguments, state: WayState) -> PyValue:
    return NONE


def do_unread(m: HookReader, called: CallArguments, state: WayState) -> PyValue:
    m.notes.unread = m.notes.unread or "it runs code that it makes at run time"
    return m.unknown(called.node, *called.all)


def do_false(m: HookReader, called: CallArguments, state: WayState) -> PyValue:
    return Known(False)


def do_super(m: HookReader, called: CallArguments, state: WayState) -> PyValue:
    return Lib("super()")
