"""What methods give, by the kind of value that they belong to."""

from __future__ import annotations

import string
from typing import Any, Literal

from interlock.hook_lint.read.python.attributes import element, read_field
from interlock.hook_lint.read.python.calls import CallArguments
from interlock.hook_lint.read.python.machine import HookReader
from interlock.hook_lint.read.python.names import KEPT, LOG_LIKE
from interlock.hook_lint.read.python.rendering import join_text, json_of
from interlock.hook_lint.read.python.saying import say
from interlock.hook_lint.read.python.state import WayState
from interlock.hook_lint.read.python.values import (
    NONE,
    NOTHING,
    AskedOf,
    DictBox,
    EventPart,
    Json,
    Klass,
    Known,
    ListBox,
    MethodOf,
    NamedInput,
    ObjectBox,
    ObjectRef,
    OneOf,
    PyText,
    PyValue,
    Raw,
    RegexValue,
    Root,
    Seq,
    Some,
    alternatives,
    one_of,
    roots_of,
)

__all__ = ["call_method"]

_FOLDED = frozenset({
    "strip", "lstrip", "rstrip", "lower", "upper", "casefold", "title", "capitalize", "replace", "removeprefix",
    "removesuffix", "startswith", "endswith", "isdigit", "isalnum", "isalpha", "isidentifier", "count", "find",
    "encode",
})  # fmt: skip
_CASES: dict[str, Literal["lower", "upper"]] = {"lower": "lower", "casefold": "lower", "upper": "upper"}
_LONGEST = 10_000
_OF_PATTERNS = {"search": "regex", "findall": "regex", "finditer": "regex", "match": "match", "fullmatch": "whole"}
_LOGGERS = frozenset({"debug", "info", "warning", "warn", "error", "critical", "exception", "log"})
_PARSERS = frozenset({"model_validate_json", "parse_raw"})
_VALIDATORS = frozenset({"model_validate", "parse_obj", "from_dict", "from_json", "validate"})
_JSON_MAKERS = frozenset({"model_dump_json", "to_json", "json"})
_DICT_MAKERS = frozenset({"model_dump", "dict", "to_dict", "_asdict"})


def call_method(m: HookReader, method: MethodOf, called: CallArguments, state: WayState) -> PyValue:
    owner, name = method.owner, method.name
    match owner:
        case RegexValue(texts=texts, is_exact=is_exact):
            if name in _OF_PATTERNS:
                subject = called.args[0] if called.args else NOTHING
                roots = m.notes.search(subject, texts, _OF_PATTERNS[name], called.node, is_exact=is_exact)
                return m.unknown(called.node, subject, roots=roots)
            return m.unknown(called.node, *called.args)
        case Raw():
            m.notes.reads_event = True
            if name in ("split", "splitlines"):
                return Some(roots_of(owner), m.key(called.node), items=Raw())
            return owner if name in KEPT or name == "read" else _of_text(m, method, owner, called, state)
        case EventPart():
            return _of_event(m, method, owner, called, state)
        case ObjectRef(id=id):
            match state.heap.get(id):
                case DictBox() as box:
                    return _of_dict(m, owner, box, name, called, state)
                case ListBox() as box:
                    return _of_list(m, owner, box, name, called, state)
                case ObjectBox() as box:
                    return _of_object(m, box, name, called, state)
        case OneOf(values=values) if len(values) <= 64:
            return _of_each(m, method, values, called, state)
        case AskedOf():
            return m.unknown(called.node, owner)
    return _of_text(m, method, owner, called, state)


def _of_each(
    m: HookReader, method: MethodOf, values: tuple[PyValue, ...], called: CallArguments, state: WayState
) -> PyValue:
    """A method of whatever a loop goes through. All but the last are tried in a state of their own."""
    found = [
        call_method(m, MethodOf(one, method.name, method.node), called, state if one is values[-1] else state.fork())
        for one in values
    ]
    tests = [one for one in found if isinstance(one, AskedOf)]
    if tests:
        roots: frozenset[Root] = frozenset().union(*map(roots_of, found))
        return AskedOf(Some(roots, m.key(called.node)), is_hit=tests[0].is_hit, roots=roots)
    return one_of(found)


# --- the event ---------------------------------------------------------------------------------------------------


def _of_event(m: HookReader, method: MethodOf, owner: EventPart, called: CallArguments, state: WayState) -> PyValue:
    name = method.name
    match name:
        case "get" | "pop" | "setdefault" | "__getitem__":
            key = called.args[0] if called.args else NOTHING
            found = read_field(m, owner, key, called.node, state)
            default = called.arg(1, "default")
            others = [one for one in alternatives(default) if isinstance(one, EventPart)] if default is not None else []
            if others and isinstance(found, EventPart):
                m.notes.link(found.path, [one.path for one in others])
                return EventPart(found.path, (*found.beside, *(one.path for one in others)))
            if isinstance(default, NamedInput):
                m.notes.with_default.add((default.kind, default.name))
            return found
        case "items":
            pair = Seq((m.unknown(method.node, owner), EventPart((*owner.path, "*"))))
            return m.fresh(called.node, ListBox((pair,), is_open=True, roots=roots_of(owner)), state)
        case "values":
            return Some(roots_of(owner), m.key(called.node), items=EventPart((*owner.path, "*")))
        case "copy" if owner.path in ((), ("tool_input",)):
            return m.fresh(called.node, DictBox({}, is_open=True, base=owner), state)
        case "update":
            return NONE
    if name in _CASES:
        return EventPart(owner.path, owner.beside, _CASES[name])
    return owner if name in KEPT else _of_text(m, method, owner, called, state)


# --- text --------------------------------------------------------------------------------------------------------


def _of_text(m: HookReader, method: MethodOf, owner: PyValue, called: CallArguments, state: WayState) -> PyValue:
    name, args = method.name, called.args
    if name in ("startswith", "endswith"):
        return _begins(m, method, owner, called, state)
    if name == "join":
        return _together(m, owner, called, state)
    if name == "format" and isinstance(owner, Known | PyText):
        return _format(owner, called)
    if isinstance(owner, Known):
        return _of_known(m, name, owner, called, state)
    if name in KEPT and isinstance(owner, NamedInput | PyText | Json | Some):
        return owner if not isinstance(owner, Some) or not owner.tag else m.unknown(called.node, owner)
    if name == "replace" and isinstance(owner, EventPart | NamedInput | PyText):
        small = args and isinstance(args[0], Known) and len(str(args[0].value)) <= 2
        return owner if small else m.unknown(called.node, owner, *args)
    if name in ("match", "full_match") and isinstance(owner, EventPart | Some) and args:
        return m.unknown(called.node, owner, roots=m.notes.search(owner, args[0], "glob", called.node))
    if name in ("split", "splitlines", "rsplit", "partition", "rpartition", "finditer", "lines"):
        if name == "split" and not args and isinstance(owner, EventPart):
            return Some(roots_of(owner), m.key(called.node), items=m.unknown(method.node, owner), words_of=owner)
        return Some(roots_of(owner), m.key(called.node), items=m.unknown(method.node, owner))
    if name in _LOGGERS and not isinstance(owner, EventPart | PyText):
        say(m, "log", args[:1], called.node, state)
        return NONE
    if name in ("write", "writelines", "write_text") and isinstance(owner, Some):
        say(m, "log", args[:1], called.node, state)
        return NONE
    if name == "error":
        return m.unknown(called.node, owner)
    if isinstance(owner, Some) and owner.tag == "foreign":
        if m.discarded is called.node and not any(word in name.lower() for word in LOG_LIKE):
            say(m, "stdout", [NOTHING], called.node, state)
        found = m.unknown(called.node, owner, *args)
        return Some(found.roots, found.key, tag="foreign")
    if isinstance(owner, Some) and owner.tag == "process" and name in ("communicate", "wait", "read", "strip"):
        return Some(owner.roots.union(*map(roots_of, args)), m.key(called.node), owner, tag="process")
    if name in ("run_until_complete", "submit", "run") and args:
        return m.grammar.library["asyncio.run"](m, called, state)
    if name == "run_in_executor" and len(args) > 1:
        return m.unknown(called.node, *args[2:])
    if name in _PARSERS | _VALIDATORS and args and args[0] in (EventPart(), Raw()):
        return (
            m.fresh(called.node, ObjectBox(owner, {}, EventPart()), state) if isinstance(owner, Klass) else EventPart()
        )
    return m.unknown(called.node, owner, *called.all)


def _begins(m: HookReader, method: MethodOf, owner: PyValue, called: CallArguments, state: WayState) -> PyValue:
    given = called.args[0] if called.args else NOTHING
    options, one = element(m, given, called.node, state) if isinstance(given, Seq) else (None, given)
    texts = one_of(options) if options else one
    roots: frozenset[Root] = frozenset()
    if method.name == "startswith":
        roots = m.notes.search(owner, texts, "starts", called.node)
    if isinstance(owner, Known) and all(isinstance(text, Known) for text in alternatives(texts)):
        known = tuple(str(text.value) for text in alternatives(texts) if isinstance(text, Known))
        if isinstance(owner.value, str) and isinstance(given, Known | Seq):
            return Known(owner.value.startswith(known) if method.name == "startswith" else owner.value.endswith(known))
    found = m.unknown(called.node, owner, texts, roots=roots)
    if isinstance(owner, EventPart):
        found = Some(found.roots, hash((owner, method.name, texts)))
    return AskedOf(found, roots=found.roots)


def _together(m: HookReader, owner: PyValue, called: CallArguments, state: WayState) -> PyValue:
    """`separator.join(things)`."""
    given = called.args[0] if called.args else NOTHING
    if isinstance(given, Some) and given.words_of is not None and owner == Known(" "):
        return given.words_of
    known, one = element(m, given, called.node, state)
    if known is None:
        box = state.heap.get(given.id) if isinstance(given, ObjectRef) else None
        if isinstance(box, ListBox) and box.items:
            return join_text([box.items[0], Some(roots_of(one) | box.roots)])
        return m.unknown(called.node, one, given)
    parts: list[str | PyValue] = []
    for place, item in enumerate(known):
        parts += [owner, item] if place else [item]
    return join_text(parts)


def _format(owner: Known | PyText, called: CallArguments) -> PyValue:
    """`text.format(…)`."""
    if isinstance(owner, PyText) or not isinstance(owner.value, str):
        return owner
    parts: list[str | PyValue] = []
    place = 0
    try:
        for text, name, _, _ in string.Formatter().parse(owner.value):
            parts.append(text)
            if name is None:
                continue
            first = name.partition(".")[0].partition("[")[0]
            if first.isdigit() or not first:
                index = int(first) if first else place
                place += 1
                parts.append(called.args[index] if index < len(called.args) else NOTHING)
            else:
                parts.append(called.keywords.get(first, NOTHING))
    except ValueError:
        return NOTHING
    return join_text(parts)


def _of_known(m: HookReader, name: str, owner: Known, called: CallArguments, state: WayState) -> PyValue:
    args = [one.value for one in called.args if isinstance(one, Known)]
    text = owner.value
    if isinstance(text, str) and len(args) == len(called.args) and len(text) <= _LONGEST and not called.keywords:
        if name in _FOLDED:
            try:
                return Known(getattr(text, name)(*args), owner.node)
            except (TypeError, ValueError):
                return m.unknown(called.node)
        if name in ("split", "splitlines", "rsplit") and len(text) <= 2_000:
            try:
                items = tuple(Known(one) for one in getattr(text, name)(*args))
            except (TypeError, ValueError):
                return m.unknown(called.node)
            return m.fresh(called.node, ListBox(items), state)
    if name in KEPT:
        return owner
    if name in _LOGGERS:
        say(m, "log", called.args[:1], called.node, state)
    return m.unknown(called.node, *called.args)


# --- objects -----------------------------------------------------------------------------------------------------


def _of_dict(
    m: HookReader, owner: ObjectRef, box: DictBox, name: str, called: CallArguments, state: WayState
) -> PyValue:
    key = called.args[0] if called.args else NOTHING
    match name:
        case "get" | "pop" | "setdefault":
            return _got(m, owner, box, key, called, state)
        case "items":
            pairs = tuple(map(Seq, zip(box.keys(), box.items.values(), strict=True)))
            return m.fresh(called.node, ListBox(pairs, box.is_open or box.base is not None), state)
        case "keys":
            return m.fresh(called.node, ListBox(box.keys(), box.is_open), state)
        case "values":
            return m.fresh(called.node, ListBox(tuple(box.items.values()), box.is_open), state)
        case "copy":
            return m.fresh(called.node, box, state)
        case "update":
            state.put(owner.id, _dict_update(box, called, state))
            return NONE
    return m.unknown(called.node, *called.all)


def _got(
    m: HookReader, owner: ObjectRef, box: DictBox, key: PyValue, called: CallArguments, state: WayState
) -> PyValue:
    default = called.arg(1, "default") or NONE
    if not isinstance(key, Known):
        m.notes.compare(key, box.keys(), called.node)
        return one_of([*box.items.values(), default]) if not box.is_open else m.unknown(called.node, key)
    found = box.items.get(key.value) if isinstance(key.value, str | int | float | bool | None) else None
    if found is None and called.node.args and isinstance(key.value, str) and box.base is not None:
        return read_field(m, box.base, key, called.node, state)
    if found is None and box.is_open:
        return m.unknown(called.node, default)
    if found is None and getattr(called.node.func, "attr", "") == "setdefault":
        state.put(owner.id, DictBox({**box.items, key.value: default}, box.is_open, box.base))
    return found if found is not None else default


def _dict_update(box: DictBox, called: CallArguments, state: WayState) -> DictBox:
    known: dict[Any, PyValue] = {**box.items}
    is_open, base = box.is_open or called.event is not None, box.base
    for one in called.args[:1]:
        other = state.heap.get(one.id) if isinstance(one, ObjectRef) else None
        if isinstance(other, DictBox):
            known.update(other.items)
            is_open |= other.is_open
        else:
            is_open = True
    known.update(called.keywords)
    return DictBox(known, is_open, base)


def _of_list(
    m: HookReader, owner: ObjectRef, box: ListBox, name: str, called: CallArguments, state: WayState
) -> PyValue:
    match name:
        case "append" | "add" | "appendleft":
            items = (*box.items, *called.args[:1])
        case "insert":
            items = (*box.items, *called.args[1:2])
        case "extend" | "update":
            known, one = element(m, called.args[0] if called.args else NOTHING, called.node, state)
            items = (*box.items, *(known if known is not None else (one,)))
            if known is None:
                roots = box.roots | roots_of(one) | _roots_in(called.args[0], state)
                state.put(owner.id, ListBox(items, is_open=True, roots=roots))
                return NONE
        case "clear":
            items = ()
        case "pop":
            return one_of(box.items) if box.items else m.unknown(called.node)
        case "copy":
            return m.fresh(called.node, box, state)
        case _:
            return m.unknown(called.node, *called.args)
    state.put(owner.id, ListBox(items, box.is_open, box.roots))
    return NONE


def _roots_in(value: PyValue, state: WayState) -> frozenset[Root]:
    box = state.heap.get(value.id) if isinstance(value, ObjectRef) else None
    return box.roots if isinstance(box, ListBox) else roots_of(value)


def _of_object(m: HookReader, box: ObjectBox, name: str, called: CallArguments, state: WayState) -> PyValue:
    """What libraries give to the classes of a file: those of pydantic, of data classes."""
    if name in _JSON_MAKERS:
        if box.base is not None:
            return m.unknown(called.node, box.base)
        return Json({key: json_of(value, state) for key, value in box.items.items()})
    if name in _DICT_MAKERS:
        return box.base or m.fresh(called.node, DictBox(dict(box.items)), state)
    return m.unknown(called.node, *called.all)
