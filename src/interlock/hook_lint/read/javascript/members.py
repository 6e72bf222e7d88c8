"""Parts of values: members, items, and what a loop takes from them."""

from __future__ import annotations

from interlock.hook_lint.program import ANY_KEY
from interlock.hook_lint.read.javascript.machine import ScriptReader
from interlock.hook_lint.read.javascript.names import METHODS, is_input
from interlock.hook_lint.read.javascript.source import Tree
from interlock.hook_lint.read.python.attributes import read_field
from interlock.hook_lint.read.python.state import WayState
from interlock.hook_lint.read.python.values import (
    NONE,
    DictBox,
    EventPart,
    Klass,
    Known,
    Lib,
    ListBox,
    MethodOf,
    NamedInput,
    ObjectBox,
    ObjectRef,
    OneOf,
    OwnFunction,
    PyFault,
    PyValue,
    Raw,
    Some,
    one_of,
    roots_of,
)

__all__ = ["element", "member", "method_of", "put_member"]

_OBJECTS = ((), ("tool_input",))  # parts of the event that are objects
_MOST_TOGETHER = 64


def member(m: ScriptReader, owner: PyValue, key: PyValue, node: Tree, state: WayState) -> PyValue:
    """`owner.key`, `owner[key]`, or what a pattern takes out of a value."""
    name = key.value if isinstance(key, Known) else None
    match owner:
        case Lib(name=whole):
            return _of_library(m, whole, key, node)
        case EventPart(path=path):
            if name == "length":
                return Some(roots_of(owner), hash((owner, "length")))
            if isinstance(name, str) and name in METHODS and (path not in _OBJECTS or name in ("hasOwnProperty",)):
                return MethodOf(owner, name, node)
            if isinstance(name, int | float):
                return EventPart((*path, ANY_KEY)) if path not in _OBJECTS else m.unknown(node, owner)
            return read_field(m, owner, key, node, state)
        case Raw():
            return Some(roots_of(owner), m.key(node)) if name == "length" else owner
        case ObjectRef(id=id):
            return _of_box(m, owner, state.heap.get(id), key, node, state)
        case OneOf(values=values) if len(values) <= _MOST_TOGETHER:
            if name == "length" or name not in METHODS:
                return one_of([member(m, one, key, node, state) for one in values])
        case PyFault(args=args):
            if name == "message":
                return args[0] if args else m.unknown(node)
            return m.unknown(node, owner)
        case Known(value=str() as text):
            if name == "length":
                return Known(len(text))
            if isinstance(name, int):
                return Known(text[name]) if 0 <= name < len(text) else NONE
        case Klass():
            return method_of(m, owner, str(name), owner) or m.unknown(node)
        case Some(items=PyValue() as items) if not isinstance(name, str):
            return items
        case Some():
            return Some(owner.roots | roots_of(key), hash((owner.key, key)), tag=owner.tag)
    if isinstance(name, str) and name in METHODS:
        return MethodOf(owner, name, node)
    return m.unknown(node, owner, key)


def _of_library(m: ScriptReader, whole: str, key: PyValue, node: Tree) -> PyValue:
    name = key.value if isinstance(key, Known) else None
    if whole in ("process.env", "Bun.env", "import.meta.env"):
        if isinstance(name, str):
            return m.notes.name(NamedInput("environment", name), _place(key, node), has_default=False)
        return m.unknown(node, key)
    if whole in ("process.argv", "Bun.argv", "process.args", "Deno.args"):
        if isinstance(name, int):
            place = name - 1 if whole.endswith("argv") else name + 1
            if place == 0:
                return Lib("process.argv.1")
            if place > 0:
                return m.notes.name(NamedInput("argument", str(place)), node, has_default=False)
        if name == "length":
            m.notes.counts_arguments = True
            return m.unknown(node)
    if whole.startswith("process.stdin") and name == "isTTY":
        return Known(False)
    return Lib(f"{whole}.{name}") if isinstance(name, str) else m.unknown(node, key)


def _place(key: PyValue, node: Tree) -> Tree:
    return key.node if isinstance(key, Known) and key.node is not None else node


def _of_box(m: ScriptReader, owner: ObjectRef, box: object, key: PyValue, node: Tree, state: WayState) -> PyValue:
    name = key.value if isinstance(key, Known) else None
    match box:
        case ListBox(items=items, is_open=is_open, roots=roots):
            if name == "length":
                return Known(len(items)) if not is_open else Some(roots | roots_of(owner), hash((owner, "length")))
            if isinstance(name, str):
                return MethodOf(owner, name, node)
            if isinstance(name, int) and not is_open:
                return items[name] if 0 <= name < len(items) else NONE
            if isinstance(name, int) and name < len(items):
                return items[name]
            rest = [m.unknown(node, key)] if is_open or not items else []
            found = one_of([*items, *rest])
            return Some(roots, m.key(node), found) if is_open else found
        case DictBox(items=items, is_open=is_open, base=base):
            if isinstance(key, Known):
                if key.value in items:
                    return items[key.value]
                if isinstance(name, str) and name in METHODS:
                    return MethodOf(owner, name, node)
                if base is not None:
                    return read_field(m, base, key, node, state)
                return m.unknown(node) if is_open else NONE
            m.notes.compare(key, [Known(one) for one in items], node)
            values = list(items.values())
            if values and not is_open and base is None:
                return m.unknown(node, key) if len(values) > _MOST_TOGETHER else one_of([*values, NONE])
        case ObjectBox(klass=klass, items=items):
            if isinstance(name, str) and name in items:
                return items[name]
            if klass is not None and isinstance(name, str):
                return method_of(m, klass, name, owner) or m.unknown(node)
    return m.unknown(node, key)


def method_of(m: ScriptReader, klass: Klass, name: str, owner: PyValue) -> OwnFunction | None:
    """A method of a class, bound to an object."""
    node: Tree = klass.node
    for part in node["body"].kids:
        if part.kind == "method_definition" and m.source.code(part["name"]) == name:
            return OwnFunction(part, klass.frame, owner)
    base = klass.bases[0] if klass.bases else None
    return method_of(m, base, name, owner) if isinstance(base, Klass) else None


def put_member(m: ScriptReader, target: Tree, value: PyValue, state: WayState) -> None:
    """Assign to a member or an item of an object."""
    owner = m.value(target["object"], state)
    if target.kind == "member_expression":
        key: PyValue = Known(m.source.code(target["property"]))
    else:
        key = m.value(target["index"], state)
    if owner == Lib("process") and key == Known("exitCode"):
        state.assign(0, EXIT_CODE, value)
        return
    box = state.heap.get(owner.id) if isinstance(owner, ObjectRef) else None
    if not isinstance(owner, ObjectRef):
        return
    if isinstance(box, DictBox):
        if isinstance(key, Known) and isinstance(key.value, str | int | float):
            state.put(owner.id, DictBox({**box.items, key.value: value}, box.is_open, box.base))
        else:
            state.put(owner.id, DictBox(box.items, is_open=True, base=box.base))
    elif isinstance(box, ObjectBox) and isinstance(key, Known):
        state.put(owner.id, ObjectBox(box.klass, {**box.items, str(key.value): value}, box.base))
    elif isinstance(box, ListBox):
        state.put(owner.id, ListBox((*box.items, value), is_open=True, roots=box.roots))


EXIT_CODE = "process.exitCode"  # the name of the variable that it is kept in; none of a program has a dot


def element(m: ScriptReader, value: PyValue, node: Tree, state: WayState) -> tuple[tuple[PyValue, ...] | None, PyValue]:
    """What a loop takes from a value: everything in order if that is known, and any one of it."""
    match value:
        case ObjectRef(id=id):
            box = state.heap.get(id)
            if isinstance(box, ListBox):
                one = one_of(box.items) if box.items else m.unknown(node, value)
                return None if box.is_open else box.items, one
        case EventPart(path=path):
            return None, m.unknown(node, value) if path in _OBJECTS else EventPart((*path, ANY_KEY))
        case Raw():
            return None, Raw()
        case Lib(name=name) if is_input(name):
            m.notes.reads_event = True
            return None, Raw()
        case Some(items=PyValue() as items):
            return None, items
        case OneOf(values=values) if len(values) <= _MOST_TOGETHER:
            pairs = [element(m, one, node, state) for one in values]
            return None, one_of([one for _, one in pairs])
    return None, m.unknown(node, value)
