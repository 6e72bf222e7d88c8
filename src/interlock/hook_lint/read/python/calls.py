"""What calls give: of functions and classes of the file, and of what is known of libraries."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from msgspec import Struct

from interlock.hook_lint.read.python.attributes import element, member_of
from interlock.hook_lint.read.python.machine import HookReader, Outcome
from interlock.hook_lint.read.python.names import BLOCKING, EXCEPTIONS, KNOWN_MODULES, LOG_LIKE
from interlock.hook_lint.read.python.saying import say
from interlock.hook_lint.read.python.state import WayState
from interlock.hook_lint.read.python.values import (
    NOTHING,
    DictBox,
    EventPart,
    Klass,
    Lib,
    MethodOf,
    ObjectBox,
    ObjectRef,
    OneOf,
    OwnFunction,
    PyFault,
    PyValue,
    Root,
    Some,
)

__all__ = ["CallArguments", "call", "call_value", "construct", "fault_of"]

_MOST_CALLEES = 12
_READERS = ("read", "get", "load", "parse", "receive", "fetch")
_EVENTS = ("hook", "stdin", "input", "event", "payload", "context")


class CallArguments(Struct, frozen=True):
    """The arguments of a call. `event`: the part of the event that is given as `**`."""

    node: ast.Call
    args: tuple[PyValue, ...] = ()
    keywords: Mapping[str, PyValue] = {}
    event: EventPart | None = None

    def arg(self, place: int, name: str = "") -> PyValue | None:
        return self.args[place] if place < len(self.args) else self.keywords.get(name)

    @property
    def all(self) -> tuple[PyValue, ...]:
        return (*self.args, *self.keywords.values(), *([self.event] if self.event else []))


def call(m: HookReader, node: ast.Call, state: WayState) -> PyValue:
    callee = m.value(node.func, state)
    args: list[PyValue] = []
    for one in node.args:
        value = m.value(one, state)
        if isinstance(one, ast.Starred):
            known, any_one = element(m, value, one, state)
            args += known if known is not None else [any_one]
        else:
            args.append(value)
    keywords: dict[str, PyValue] = {}
    event = None
    for keyword in node.keywords:
        value = m.value(keyword.value, state)
        if keyword.arg is not None:
            keywords[keyword.arg] = value
            continue
        box = state.heap.get(value.id) if isinstance(value, ObjectRef) else None
        if isinstance(box, DictBox):
            keywords.update({str(key): one for key, one in box.items.items()})
            event = box.base or event
        elif isinstance(value, EventPart):
            event = value
    m.step()
    called = CallArguments(node, tuple(args), keywords, event)
    if "can_use_tool" in keywords:
        m.options.append((node, keywords, state.fork()))
    return call_value(m, callee, called, state)


def call_value(m: HookReader, callee: PyValue, called: CallArguments, state: WayState) -> PyValue:
    node = called.node
    match callee:
        case OwnFunction():
            known = (*called.args,)
            return m.settle(node, m.run_function(callee, known, called.keywords, state, node), state)
        case Lib(name=name):
            return _library(m, name, called, state)
        case MethodOf():
            return m.grammar.methods(m, callee, called, state)
        case Klass():
            return construct(m, callee, called, state)
        case OneOf(values=values) if len(values) <= _MOST_CALLEES:
            m.split_over(values, lambda one, after: call_value(m, one, called, after), node, state)
            return m.unknown(node, *called.all)
        case ObjectRef(id=id):
            box = state.heap.get(id)
            if isinstance(box, ObjectBox) and box.klass is not None:
                found = member_of(box.klass, "__call__", state)
                if isinstance(found, OwnFunction):
                    bound = OwnFunction(found.node, found.frame, callee)
                    return m.settle(node, m.run_function(bound, called.args, called.keywords, state, node), state)
    return m.unknown(node, callee, *called.all)


# --- libraries ---------------------------------------------------------------------------------------------------


def _library(m: HookReader, name: str, called: CallArguments, state: WayState) -> PyValue:
    found = m.grammar.library.get(name)
    if m.is_async and name in BLOCKING:
        m.notes.blocking.setdefault(id(called.node), m.source.span(called.node))
    if found is not None:
        return found(m, called, state)
    if name in EXCEPTIONS:
        return PyFault(EXCEPTIONS[name], called.args)
    module, _, last = name.rpartition(".")
    if last.endswith(("Error", "Exception")) and module:
        return PyFault((last, "Exception", "BaseException"), called.args)
    if module.startswith("logging") or last in ("debug", "info", "warning", "error", "critical", "exception"):
        say(m, "log", called.args[:1], called.node, state)
        return m.unknown(called.node)
    top = name.partition(".")[0]
    if top in KNOWN_MODULES or not module:
        return m.unknown(called.node, *called.all)
    return _foreign(m, name, called, state)


def _foreign(m: HookReader, name: str, called: CallArguments, state: WayState) -> PyValue:
    """A call of what another file defines."""
    node = called.node
    last = name.rpartition(".")[2].lower()
    m.notes.unread = m.notes.unread or f"it calls `{name.lstrip('.')}`, which is in another file"
    if last.startswith(_READERS) and any(word in last for word in _EVENTS):
        m.notes.reads_event = True
        return Some(frozenset[Root]([()]), m.key(node), tag="foreign")
    found = m.unknown(node, *called.all)
    result = Some(found.roots, found.key, tag="foreign")
    given = next((one for one in called.all if isinstance(one, OwnFunction) and not m.calls), None)
    outcomes = [(result, state)] if given is None else _given_to_foreign(m, given, called, state)
    for _, after in outcomes if m.discarded is node and not any(word in last for word in LOG_LIKE) else ():
        say(m, "stdout", [NOTHING], node, after)
    return result if given is None else m.settle(node, [(result, after) for _, after in outcomes], state)


def _given_to_foreign(m: HookReader, func: OwnFunction, called: CallArguments, state: WayState) -> list[Outcome]:
    """The ways in which a function comes back that another file's runner calls: with the event, if it takes anything.

    The whole of a hook may be such a function: `run_hook("guard", main)`.
    """
    takes = func.node.args.posonlyargs + func.node.args.args
    if takes:
        m.notes.reads_event = True
    return m.run_function(func, [EventPart()] * bool(takes), {}, state, called.node)


# --- objects -----------------------------------------------------------------------------------------------------


def construct(m: HookReader, klass: Klass, called: CallArguments, state: WayState) -> PyValue:
    """An object of a class of the file."""
    kinds = _kinds(klass)
    node = called.node
    if kinds & {"Exception", "BaseException"} or any(name.endswith(("Error", "Exception")) for name in kinds):
        names = (*_names(klass), *(name for name in kinds if name not in ("object",)), "Exception", "BaseException")
        if "SystemExit" in kinds:
            names = ("SystemExit",)
        return PyFault(tuple(dict.fromkeys(names)), called.args, is_own=True)
    if kinds & {"Enum", "StrEnum", "IntEnum"}:
        return called.args[0] if called.args else NOTHING
    if "TypedDict" in kinds:
        return m.fresh(node, DictBox(dict(called.keywords), is_open=called.event is not None), state)
    made = m.fresh(node, ObjectBox(klass, {}, called.event), state)
    begin = member_of(klass, "__init__", state)
    if isinstance(begin, OwnFunction):
        bound = OwnFunction(begin.node, begin.frame, made)
        outcomes = m.run_function(bound, called.args, called.keywords, state, node)
        return m.settle(node, [(made, after) for _, after in outcomes], state)
    fields = _fields(klass)
    items: dict[str, PyValue] = {}
    for name, default in fields:
        if called.event is None and default is not None:
            items[name] = m.value(default, state)
    items.update({name: value for (name, _), value in zip(fields, called.args, strict=False)})
    items.update(called.keywords)
    state.put(made.id, ObjectBox(klass, items, called.event))
    begin = member_of(klass, "__post_init__", state)
    if isinstance(begin, OwnFunction):
        outcomes = m.run_function(OwnFunction(begin.node, begin.frame, made), (), {}, state, node)
        return m.settle(node, [(made, after) for _, after in outcomes], state)
    return made


def _kinds(klass: Klass) -> frozenset[str]:
    """The last names of all bases of a class."""
    found: set[str] = set()
    for base in klass.bases:
        match base:
            case Klass():
                found |= {base.node.name} | _kinds(base)
            case Lib(name=name):
                found |= {*EXCEPTIONS.get(name, ()), name.rpartition(".")[2]}
    return frozenset(found)


def _names(klass: Klass) -> tuple[str, ...]:
    return (klass.node.name, *(name for base in klass.bases if isinstance(base, Klass) for name in _names(base)))


def _fields(klass: Klass) -> list[tuple[str, ast.expr | None]]:
    """The annotated fields of a class, with their defaults."""
    inherited = [one for base in klass.bases if isinstance(base, Klass) for one in _fields(base)]
    own = [
        (one.target.id, one.value if not isinstance(one.value, ast.Call) else None)
        for one in klass.node.body
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
    ]
    return [*inherited, *own]


def fault_of(value: PyValue, state: WayState) -> PyFault:
    """The exception that a value is, or that is made of a class."""
    match value:
        case PyFault():
            return value
        case Lib(name=name):
            return PyFault(EXCEPTIONS.get(name, (name.rpartition(".")[2], "Exception", "BaseException")))
        case Klass():
            return PyFault((*_names(value), *_kinds(value), "Exception", "BaseException"), is_own=True)
    return PyFault(("Exception", "BaseException"))
