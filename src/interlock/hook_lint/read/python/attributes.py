"""Parts of values: attributes, items, and what a loop takes from them."""

from __future__ import annotations

import ast

from interlock.hook_lint.program import ANY_KEY
from interlock.hook_lint.read.python.machine import HookReader
from interlock.hook_lint.read.python.names import (
    ALIASES,
    DICT_METHODS,
    HARMLESS,
    PATH_PARTS,
)
from interlock.hook_lint.read.python.state import WayState
from interlock.hook_lint.read.python.values import (
    NONE,
    NOTHING,
    DictBox,
    EventPart,
    Klass,
    Known,
    Lib,
    ListBox,
    Matcher,
    MethodOf,
    Module,
    NamedInput,
    ObjectBox,
    ObjectRef,
    OneOf,
    OwnFunction,
    PyFault,
    PyText,
    PyValue,
    Raw,
    Seq,
    Some,
    alternatives,
    one_of,
    roots_of,
)

__all__ = ["attribute", "element", "member_of", "read_field", "subscript"]

_OBJECTS = ((), ("tool_input",))  # parts of the event that are objects
_MOST_TOGETHER = 64


def attribute(m: HookReader, node: ast.Attribute, owner: PyValue, state: WayState) -> PyValue:
    name = node.attr
    match owner:
        case Lib(name=whole):
            return Lib(_full(f"{whole}.{name}"))
        case Module(name=whole, frame=frame):
            inside = state.frames.get(frame, {}).get(name)
            return inside if inside is not None else Lib(f"{whole}.{name}")
        case EventPart(path=path):
            if path in _OBJECTS and name not in DICT_METHODS and name not in HARMLESS:
                return read_field(m, owner, Known(name, node), node, state)
            if name in PATH_PARTS:
                return Some(roots_of(owner), hash((m.key(node.value), name)))
            return MethodOf(owner, name, node)
        case ObjectRef(id=id):
            box = state.heap.get(id)
            if isinstance(box, ObjectBox):
                return _of_object(m, node, owner, box, state)
            return MethodOf(owner, name, node)
        case Klass():
            found = member_of(owner, name, state)
            if found is not None:
                return found
            return Known(owner.node.name) if name == "__name__" else MethodOf(owner, name, node)
        case Known() if name in ("value", "name") and not isinstance(owner.value, str | None):
            return owner
        case Known(value=str()) if name == "value":
            return owner  # a member of an enumeration
        case PyFault(args=args):
            return Seq(args) if name == "args" else m.unknown(node, owner)
        case Some() if name not in HARMLESS:
            return Some(owner.roots, hash((owner.key, name)), tag=f"{owner.tag}.{name}" if owner.tag else "")
        case OneOf(values=values) if len(values) <= _MOST_TOGETHER and all(
            isinstance(one, ObjectRef) for one in values
        ):
            found = one_of([attribute(m, node, one, state) for one in values])
            return found if not isinstance(found, OneOf) or not _has_methods(found) else m.unknown(node, owner)
        case Matcher():
            return m.unknown(node)
    return MethodOf(owner, name, node)


def _full(name: str) -> str:
    first, dot, rest = name.partition(".")
    name = f"{ALIASES[first]}{dot}{rest}" if first in ALIASES else name
    for stream in ("sys.stdin", "sys.stdout", "sys.stderr"):
        if name in (f"{stream}.buffer", f"{stream}.raw", f"sys.__{stream[4:]}__"):
            return stream
    return name


def _has_methods(found: OneOf) -> bool:
    return any(isinstance(one, MethodOf) for one in found.values)


def _of_object(m: HookReader, node: ast.Attribute, owner: ObjectRef, box: ObjectBox, state: WayState) -> PyValue:
    name = node.attr
    if name in box.items:
        return box.items[name]
    found = member_of(box.klass, name, state) if box.klass is not None else None
    if isinstance(found, OwnFunction) and isinstance(found.node, ast.FunctionDef | ast.AsyncFunctionDef):
        kinds = [one.id for one in found.node.decorator_list if isinstance(one, ast.Name)]
        if "staticmethod" in kinds:
            return found
        bound = OwnFunction(found.node, found.frame, box.klass if "classmethod" in kinds else owner)
        if "property" in kinds or "cached_property" in kinds:
            return m.settle(node, m.run_function(bound, (), {}, state, node), state)
        return bound
    if found is not None and not (box.base is not None and found is NONE):
        return found
    if box.base is not None and name not in HARMLESS:
        return read_field(m, box.base, Known(name, node), node, state)
    return MethodOf(owner, name, node) if name in HARMLESS or box.klass is None else m.unknown(node)


def member_of(klass: Klass, name: str, state: WayState) -> PyValue | None:
    """What a class or one of its bases calls by this name."""
    seen: list[Klass] = []
    going = [klass]
    while going:
        one = going.pop(0)
        if one in seen:
            continue
        seen.append(one)
        found = state.frames.get(one.frame, {}).get(name)
        if found is not None:
            return found
        going += [base for base in one.bases if isinstance(base, Klass)]
    return None


def subscript(m: HookReader, node: ast.Subscript, owner: PyValue, key: PyValue, state: WayState) -> PyValue:
    match owner:
        case EventPart():
            return read_field(m, owner, key, node, state)
        case Lib(name="os.environ"):
            return _variable(m, key, node)
        case Lib(name="sys.argv"):
            if isinstance(key, Known) and isinstance(key.value, int) and key.value > 0:
                return m.notes.name(NamedInput("argument", str(key.value)), node, has_default=False)
            return m.unknown(node)
        case Lib() | OwnFunction() | Klass():
            return owner
        case ObjectRef(id=id):
            return _item(m, node, state.heap.get(id), key, state)
        case Seq(values=values):
            return _nth(values, key)
        case Known(value=str() as text) if isinstance(key, Known) and isinstance(key.value, int):
            return Known(text[key.value]) if -len(text) <= key.value < len(text) else NOTHING
        case OneOf(values=values) if len(values) <= _MOST_TOGETHER:
            return one_of([subscript(m, node, one, key, state) for one in values])
        case Some(items=PyValue() as items) if not isinstance(key, Known) or isinstance(key.value, int):
            return items
    return m.unknown(node, owner, key)


def _variable(m: HookReader, key: PyValue, node: ast.AST) -> PyValue:
    if isinstance(key, Known) and isinstance(key.value, str):
        return m.notes.name(NamedInput("environment", key.value), key.node or node, has_default=False)
    return NOTHING


def read_field(m: HookReader, owner: EventPart, key: PyValue, node: ast.AST, state: WayState) -> PyValue:
    """A field of the event."""
    keys = [one.value for one in alternatives(key) if isinstance(one, Known) and isinstance(one.value, str)]
    if not keys:
        if owner.path in _OBJECTS and not isinstance(key, Known):
            return EventPart((*owner.path, ANY_KEY))
        if isinstance(key, Known) and owner.path[-1:] in (("edits",), ("tool_calls",), ("todos",), ("questions",)):
            return EventPart((*owner.path, ANY_KEY))
        return m.unknown(node, owner, key)
    for named, answer in state.facts.items():
        if answer is False and isinstance(named, NamedInput):
            m.notes.with_default.add((named.kind, named.name))  # without it, the event is read
    found = [
        m.notes.read((*owner.path, one.value), m.notes.span(one, node))
        for one in alternatives(key)
        if isinstance(one, Known) and isinstance(one.value, str)
    ]
    first = found[0]
    if len(found) > 1:
        for one in found:
            m.notes.link(one.path, (other.path for other in found))
    beside = tuple((*path, keys[0]) for path in owner.beside)
    m.notes.link(first.path, beside)
    return EventPart(first.path, (*beside, *(one.path for one in found[1:])))


def _nth(values: tuple[PyValue, ...], key: PyValue) -> PyValue:
    if isinstance(key, Known) and isinstance(key.value, int):
        return values[key.value] if -len(values) <= key.value < len(values) else NOTHING
    return one_of(values)


def _item(m: HookReader, node: ast.AST, box: object, key: PyValue, state: WayState) -> PyValue:
    if isinstance(box, ListBox):
        return _nth(box.items, key) if not box.is_open else one_of([*box.items, m.unknown(node, key)])
    if isinstance(box, ObjectBox):
        known = box.items.get(key.value) if isinstance(key, Known) and isinstance(key.value, str) else None
        return known if known is not None else m.unknown(node, key)
    if not isinstance(box, DictBox):
        return m.unknown(node, key)
    if isinstance(key, Known):
        found = box.items.get(key.value) if isinstance(key.value, str | int | float | bool | None) else None
        if found is not None:
            return found
        return read_field(m, box.base, key, node, state) if box.base is not None else m.unknown(node)
    m.notes.compare(key, box.keys(), node)
    return one_of(list(box.items.values())) if box.items and not box.is_open else m.unknown(node, key)


def element(
    m: HookReader, value: PyValue, node: ast.AST, state: WayState
) -> tuple[tuple[PyValue, ...] | None, PyValue]:
    """What a loop takes from a value: everything in order if that is known, and any one of it."""
    match value:
        case Seq(values=values):
            return values, one_of(values)
        case ObjectRef(id=id):
            match state.heap.get(id):
                case ListBox() as box:
                    return None if box.is_open else box.items, one_of(box.items)
                case DictBox() as box:
                    return None if box.is_open or box.base else box.keys(), one_of(box.keys())
        case EventPart(path=path):
            return None, m.unknown(node, value) if path in _OBJECTS else EventPart((*path, ANY_KEY))
        case Raw() | Lib(name="sys.stdin"):
            m.notes.reads_event = True
            return None, Raw()
        case Lib(name="sys.argv"):
            return None, NOTHING
        case Known(value=str() as text) if len(text) <= 16:
            return tuple(map(Known, text)), one_of([Known(one) for one in text])
        case Some(items=PyValue() as items):
            return None, items
        case OneOf(values=values) if len(values) <= _MOST_TOGETHER:
            return None, one_of([element(m, one, node, state)[1] for one in values])
        case PyText():
            return None, m.unknown(node, value)
    return None, m.unknown(node, value)
