"""What methods give that values of the language have: texts, lists, patterns."""

from __future__ import annotations

from collections.abc import Sequence

from interlock.hook_lint.read.javascript.comparing import INDEX, is_among, opaque
from interlock.hook_lint.read.javascript.machine import ScriptReader
from interlock.hook_lint.read.javascript.members import element
from interlock.hook_lint.read.javascript.names import KEPT
from interlock.hook_lint.read.javascript.source import Tree
from interlock.hook_lint.read.python.machine import Outcome
from interlock.hook_lint.read.python.rendering import join_text
from interlock.hook_lint.read.python.state import WayState
from interlock.hook_lint.read.python.values import (
    NONE,
    NOTHING,
    AskedOf,
    DictBox,
    EventPart,
    Json,
    Known,
    ListBox,
    NamedInput,
    ObjectRef,
    OneOf,
    OwnFunction,
    PyText,
    PyValue,
    Raw,
    RegexValue,
    Some,
    alternatives,
    one_of,
    roots_of,
)

__all__ = ["call_method"]

Args = Sequence[PyValue]
_TEXT = EventPart | Some | NamedInput | Raw | PyText
_MOST_ROWS = 24
_LONGEST = 10_000


def call_method(m: ScriptReader, owner: PyValue, name: str, args: Args, node: Tree, state: WayState) -> PyValue:
    first = args[0] if args else NOTHING
    if isinstance(owner, RegexValue) or (isinstance(owner, OneOf) and _are_patterns(owner)):
        return _search(m, first, owner, node) if name in ("test", "exec") else m.unknown(node, owner, *args)
    if name in ("test", "exec") and isinstance(first, EventPart):
        return opaque(m, node, owner, first)
    box = m.box(owner, state)
    if isinstance(box, ListBox):
        return _of_list(m, owner, box, name, args, node, state)
    if isinstance(box, DictBox):
        if name == "hasOwnProperty":
            return is_among(m, first, owner, node, state, sense=True)
        return m.unknown(node, owner, *args)
    if name in ("json", "text") and isinstance(owner, Raw):
        return EventPart() if name == "json" else owner
    if isinstance(owner, Raw) and name not in ("includes", "match", "test", "startsWith", "endsWith", "indexOf"):
        return owner
    if isinstance(owner, EventPart) and name == "hasOwnProperty" and isinstance(first, Known):
        path = (*owner.path, str(first.value))
        return AskedOf(EventPart(path), None, roots=frozenset((path,)))
    if name in _LOOPS:
        return _LOOPS[name](m, owner, args, node, state)
    if name in KEPT:
        return _same_text(owner, name)
    match name:
        case "includes" | "has":
            if isinstance(owner, Known) and isinstance(first, Known):
                return Known(str(first.value) in str(owner.value))
            return opaque(m, node, owner, first, roots=m.notes.search(owner, first, "contains", node))
        case "startsWith":
            return opaque(m, node, owner, first, roots=m.notes.search(owner, first, "starts", node))
        case "endsWith":
            return opaque(m, node, owner, first)
        case "indexOf" | "search" | "lastIndexOf":
            pattern, how = (first, "regex") if isinstance(first, RegexValue) else (RegexValue(first, True), "contains")
            roots = m.notes.search(owner, pattern.texts, how, node, is_exact=pattern.is_exact)
            found = m.unknown(node, owner, first, roots=roots)
            return Some(found.roots, found.key, tag=INDEX)
        case "match" | "matchAll":
            return _search(m, owner, first if isinstance(first, RegexValue | OneOf) else RegexValue(first, True), node)
        case "split":
            if isinstance(owner, Known) and isinstance(first, Known) and first.value:
                rows = tuple(Known(one) for one in str(owner.value).split(str(first.value))[:_MOST_ROWS])
                return m.fresh(node, ListBox(rows), state)
            part = Some(roots_of(owner), m.key(node) + 1)
            return Some(roots_of(owner), m.key(node), part)
        case "concat" | "replace" | "replaceAll" | "slice" | "substring" | "substr" | "padEnd" | "padStart":
            if name == "concat":
                return join_text([owner, *args])
            if isinstance(owner, PyText | Json):
                return m.unknown(node, owner)
            return m.unknown(node, owner)
        case "repeat" if isinstance(owner, Known) and isinstance(first, Known) and isinstance(first.value, int):
            text = str(owner.value)
            return Known(text * min(first.value, 200)) if len(text) <= _LONGEST else m.unknown(node, owner)
        case "apply" | "call" | "bind":
            return owner if name == "bind" else m.call(owner, args[1:], node, state)
    for one in args:
        if isinstance(one, Raw):
            return one  # `decoder.decode(chunk)`
        if isinstance(one, EventPart) and not one.path and name in ("parse", "parseAsync", "cast"):
            return one
    if name == "safeParse" and isinstance(first, EventPart) and not first.path:
        return m.fresh(node, DictBox({"data": first}, is_open=True), state)
    if name == "encode" and args:
        return first
    return m.unknown(node, owner, *args)


def _are_patterns(value: OneOf) -> bool:
    return all(isinstance(one, RegexValue) for one in value.values)


def _same_text(owner: PyValue, name: str) -> PyValue:
    if isinstance(owner, EventPart) and "Case" in name:
        return EventPart(owner.path, owner.beside, "lower" if "Lower" in name else "upper")
    if not isinstance(owner, Known) or not isinstance(owner.value, str):
        return owner
    text = owner.value
    match name:
        case "toLowerCase" | "toLocaleLowerCase":
            return Known(text.lower(), owner.node)
        case "toUpperCase" | "toLocaleUpperCase":
            return Known(text.upper(), owner.node)
        case "trim":
            return Known(text.strip(), owner.node)
    return owner


def _search(m: ScriptReader, subject: PyValue, pattern: PyValue, node: Tree) -> PyValue:
    """A question by a pattern; what it gives is what has been found."""
    compiled = [one for one in alternatives(pattern) if isinstance(one, RegexValue)]
    is_exact = all(one.is_exact for one in compiled)
    texts = one_of([one.texts for one in compiled]) if compiled else NOTHING
    roots = m.notes.search(subject, texts, "regex", node, is_exact=is_exact)
    found = m.unknown(node, subject, pattern, roots=roots)
    return Some(found.roots, found.key, Some(found.roots, found.key + 1))


# --- lists -------------------------------------------------------------------------------------------------------


def _of_list(
    m: ScriptReader, owner: PyValue, box: ListBox, name: str, args: Args, node: Tree, state: WayState
) -> PyValue:
    first = args[0] if args else NOTHING
    if name in _LOOPS:
        return _LOOPS[name](m, owner, args, node, state)
    match name:
        case "includes" | "has":
            return is_among(m, first, owner, node, state, sense=True)
        case "indexOf":
            found = is_among(m, first, owner, node, state, sense=True)
            return Some(roots_of(found), m.key(node), tag=INDEX)
        case "push" | "unshift" | "add":
            if isinstance(owner, ObjectRef):
                items = (*box.items, *args) if name != "unshift" else (*args, *box.items)
                state.put(owner.id, ListBox(items, box.is_open, box.roots))
            return owner if name == "add" else m.unknown(node)
        case "join":
            if any(isinstance(one, Raw) for one in box.items):
                return Raw()
            if box.is_open or not all(isinstance(one, Known | PyText | EventPart | Some | Json) for one in box.items):
                return Some(box.roots | roots_of(one_of(box.items)), m.key(node))
            return _join_items(box.items, first)
        case "at" | "pop" | "shift":
            return one_of(box.items) if box.items else m.unknown(node, owner)
        case "concat":
            rows: list[PyValue] = list(box.items)
            is_open = box.is_open
            for one in args:
                other = m.box(one, state)
                rows += other.items if isinstance(other, ListBox) else [one]
                is_open |= isinstance(other, ListBox) and other.is_open
            return m.fresh(node, ListBox(tuple(rows), is_open, box.roots), state)
        case "toString":
            return Raw() if any(isinstance(one, Raw) for one in box.items) else m.unknown(node)
        case "slice" | "sort" | "reverse" | "flat" | "values":
            return m.fresh(node, ListBox(box.items, is_open=True, roots=box.roots), state) if name == "slice" else owner
    return Some(box.roots | roots_of(one_of(box.items)), m.key(node))


def _join_items(items: Args, between: PyValue) -> PyValue:
    text = str(between.value) if isinstance(between, Known) else ","
    parts: list[str | PyValue] = []
    for place, one in enumerate(items):
        parts += [text, one] if place else [one]
    return join_text(parts)


def _each(
    m: ScriptReader, owner: PyValue, args: Args, node: Tree, state: WayState
) -> tuple[PyValue, list[Outcome], bool]:
    """Any one of a list, what a function gives for it on each way, and whether the list may be empty."""
    known, one = element(m, owner, node, state)
    callee = args[0] if args else NOTHING
    if known == ():
        return one, [(NONE, state)], True
    if not isinstance(callee, OwnFunction):
        return one, [(m.unknown(node, owner, one), state)], known is None
    outcomes = m.run_function(callee, (one, m.unknown(node)), {}, state.fork(), node)
    return one, outcomes, known is None


def _some(m: ScriptReader, owner: PyValue, args: Args, node: Tree, state: WayState) -> PyValue:
    """`some`, `every`: the question that is asked of each."""
    box = m.box(owner, state)
    if isinstance(box, ListBox) and not box.items and not box.is_open:
        return Known(False)
    _, outcomes, _ = _each(m, owner, args, node, state)
    questions = [(m.question(value, after, node), after) for value, after in outcomes]
    found: list[Outcome] = [
        (Known(one) if isinstance(one, bool) else one if isinstance(one, AskedOf) else NOTHING, after)
        for one, after in questions
    ]
    if len(found) == 2 and {value for value, _ in found} == {Known(True), Known(False)}:
        roots = roots_of(owner).union(*(condition.roots for _, after in found for condition in after.conditions[-1:]))
        if not roots:
            return m.unknown(node, owner)
    return m.settle(node, found, state)


def _find(m: ScriptReader, owner: PyValue, args: Args, node: Tree, state: WayState) -> PyValue:
    """What of a list has been found, or nothing."""
    one, outcomes, _ = _each(m, owner, args, node, state)
    found: list[Outcome] = []
    for value, after in outcomes:
        question = m.question(value, after, node)
        if isinstance(question, bool):
            found.append((one if question else NONE, after))
        else:
            found.append((Some(question.roots | roots_of(one), m.key(node), _known_only(one)), after))
    return m.settle(node, found, state)


def _known_only(one: PyValue) -> PyValue | None:
    return one if isinstance(one, Known) else None


def _filter(m: ScriptReader, owner: PyValue, args: Args, node: Tree, state: WayState) -> PyValue:
    box = m.box(owner, state)
    if isinstance(owner, Raw):
        return owner
    one, outcomes, _ = _each(m, owner, args, node, state)
    roots = roots_of(owner)
    for value, after in outcomes:
        roots |= roots_of(value)
        roots = roots.union(*(condition.roots for condition in after.conditions[len(state.conditions) :]))
    items = box.items if isinstance(box, ListBox) else (one,)
    after = outcomes[0][1]
    if len(outcomes) == 1:
        state.become(after)
    return m.fresh(node, ListBox(items, is_open=True, roots=roots), state)


def _map(m: ScriptReader, owner: PyValue, args: Args, node: Tree, state: WayState) -> PyValue:
    if isinstance(owner, Raw):
        return owner
    known, _ = element(m, owner, node, state)
    callee = args[0] if args else NOTHING
    if known is not None and len(known) <= _MOST_ROWS and isinstance(callee, OwnFunction):
        rows: list[PyValue] = []
        for place, one in enumerate(known):
            outcomes = m.run_function(callee, (one, Known(place)), {}, state, node)
            if len(outcomes) != 1:
                break
            rows.append(outcomes[0][0])
            state.become(outcomes[0][1])
        else:
            return m.fresh(node, ListBox(tuple(rows)), state)
    one, outcomes, _ = _each(m, owner, args, node, state)
    made = one_of([value for value, _ in outcomes]) if outcomes else m.unknown(node, owner)
    if len(outcomes) == 1:
        state.become(outcomes[0][1])
    return m.fresh(node, ListBox((made,), is_open=True, roots=roots_of(owner) | roots_of(made)), state)


def _for_each(m: ScriptReader, owner: PyValue, args: Args, node: Tree, state: WayState) -> PyValue:
    before = state.fork()
    _, outcomes, may_be_empty = _each(m, owner, args, node, state)
    found: list[Outcome] = [(NONE, after) for _, after in outcomes]
    if may_be_empty and found:
        found.append((NONE, before))
    return m.settle(node, found, state)


def _opaque(m: ScriptReader, owner: PyValue, args: Args, node: Tree, state: WayState) -> PyValue:
    _, outcomes, _ = _each(m, owner, args, node, state)
    return m.unknown(node, owner, *(value for value, _ in outcomes))


_LOOPS = {
    "every": _some, "filter": _filter, "find": _find, "findIndex": _opaque, "findLast": _find, "flatMap": _map,
    "forEach": _for_each, "map": _map, "reduce": _opaque, "some": _some,
}  # fmt: skip
