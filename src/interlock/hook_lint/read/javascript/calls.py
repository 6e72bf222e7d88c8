"""What calls give: of functions and classes of the file, of methods, and of what is known of libraries."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from interlock.hook_lint.read.javascript.library import LIBRARY, foreign, of_input
from interlock.hook_lint.read.javascript.machine import ScriptReader
from interlock.hook_lint.read.javascript.members import member, method_of
from interlock.hook_lint.read.javascript.methods import call_method
from interlock.hook_lint.read.javascript.names import KNOWN_MODULES, is_input
from interlock.hook_lint.read.javascript.running import note_run
from interlock.hook_lint.read.javascript.source import Tree, walk
from interlock.hook_lint.read.python.machine import Flow, Fork, Outcome, WayOut
from interlock.hook_lint.read.python.state import WayState, join_states, merge_states
from interlock.hook_lint.read.python.values import (
    NONE,
    DictBox,
    EventPart,
    Klass,
    Known,
    Lib,
    ListBox,
    ObjectBox,
    ObjectRef,
    OneOf,
    OwnFunction,
    PyFault,
    PyValue,
    Raw,
    RegexValue,
    Some,
)

__all__ = ["attempt", "call", "construct", "regex", "tagged_template"]

_FAILING = frozenset({"call_expression", "new_expression", "member_expression", "subscript_expression"})
_MOST_CALLEES = 12
_RESOLVE = "promise.resolve"
_PLAIN_PARSE = frozenset({"parse", "safeParse", "parseAsync", "validate", "decode"})


def attempt(
    m: ScriptReader,
    node: Tree,
    body: Callable[[WayState], list[WayState]],
    handle: Callable[[PyValue, WayState], list[WayState]],
    state: WayState,
) -> list[WayState]:
    """The states after something that may fail, and after what is done then."""
    before = state.fork() if any(one.kind in _FAILING for one in walk(node)) else None
    outer = m.flow
    inner = m.flow = Flow()
    inner.yields = outer.yields
    m.handlers.append(frozenset({"Exception"}))
    try:
        after = body(state)
    finally:
        m.handlers.pop()
        m.flow = outer
    outer.returns += inner.returns
    outer.breaks += inner.breaks
    outer.continues += inner.continues
    outer.ends += inner.ends
    entered: list[tuple[PyValue, WayState]] = []
    for ended in inner.raises:
        fault = ended.fault or PyFault(("Error",))
        ended.state.on_error |= not _is_about_event(ended)
        entered.append((fault, ended.state))
    if before is not None:
        before.on_error = True
        entered.append((PyFault(("Error",), (m.unknown(node),)), before))
    handled = [one for fault, start in entered for one in handle(fault, start)]
    return join_states([*after, *handled], after_error=True)


def _is_about_event(ended: WayOut) -> bool:
    return ended.state.hit and any(one.paths for one in (*ended.state.conditions, *ended.state.passed))


def regex(m: ScriptReader, node: Tree, state: WayState) -> PyValue:
    text = m.source.code(node["pattern"]).replace("\\/", "/") if node["pattern"] is not None else ""
    flags = m.source.code(node["flags"]) if node["flags"] is not None else ""
    return RegexValue(Known(f"(?m){text}" if "m" in flags else text, node))


# --- calls -------------------------------------------------------------------------------------------------------


def arguments(m: ScriptReader, node: Tree, state: WayState) -> list[PyValue]:
    found: list[PyValue] = []
    for kid in node.kids if node is not None else ():
        if kid.kind != "spread_element":
            found.append(m.value(kid, state))
            continue
        value = m.value(kid.kids[0], state)
        box = m.box(value, state)
        found += box.items if isinstance(box, ListBox) else [value]
    return found


def call(m: ScriptReader, node: Tree, state: WayState) -> PyValue:
    target = node["function"]
    while target.kind in ("parenthesized_expression", "non_null_expression"):
        target = target.kids[0]
    if target.kind == "member_expression" and m.source.code(target["object"]) != "import.meta":
        name = m.source.code(target["property"])
        if name in ("catch", "then", "finally") and target["object"].kind in (
            "call_expression",
            "member_expression",
            "identifier",
            "parenthesized_expression",
        ):
            return _on_promise(m, node, target, name, state)
        owner = m.value(target["object"], state)
        return _method(m, owner, name, node, target, state)
    if target.kind == "import":
        args = arguments(m, node["arguments"], state)
        return _module(args)
    callee = m.value(target, state)
    args = arguments(m, node["arguments"], state)
    m.step()
    return call_value(m, callee, args, node, state)


def _module(args: Sequence[PyValue]) -> PyValue:
    name = args[0].value if args and isinstance(args[0], Known) else "?"
    return Lib(str(name).removeprefix("node:").removesuffix("/promises"))


def _method(m: ScriptReader, owner: PyValue, name: str, node: Tree, target: Tree, state: WayState) -> PyValue:
    m.step()
    if isinstance(owner, Lib):
        args = arguments(m, node["arguments"], state)
        return _library(m, f"{owner.name}.{name}", args, node, state)
    if (
        isinstance(owner, OneOf)
        and len(owner.values) <= _MOST_CALLEES
        and all(
            isinstance(one, ObjectRef) and isinstance(state.heap.get(one.id), DictBox | ObjectBox)
            for one in owner.values
        )
    ):
        own = member(m, owner, Known(name, target["property"]), target, state)
        return call_value(m, own, arguments(m, node["arguments"], state), node, state)
    box = state.heap.get(owner.id) if isinstance(owner, ObjectRef) else None
    if isinstance(box, DictBox | ObjectBox) or isinstance(owner, Klass):
        own = member(m, owner, Known(name, target["property"]), target, state)
        if isinstance(own, OwnFunction | OneOf | Lib):
            if isinstance(own, OwnFunction) and own.owner is None:
                own = OwnFunction(own.node, own.frame, owner)
            return call_value(m, own, arguments(m, node["arguments"], state), node, state)
    args = arguments(m, node["arguments"], state)
    return call_method(m, owner, name, args, node, state)


def call_value(m: ScriptReader, callee: PyValue, args: Sequence[PyValue], node: Tree, state: WayState) -> PyValue:
    match callee:
        case OwnFunction():
            return m.settle(node, m.run_function(callee, args, {}, state, node), state)
        case Lib(name=name):
            return _library(m, name, args, node, state)
        case OneOf(values=values) if len(values) <= _MOST_CALLEES:
            m.split_over(values, lambda one, after: call_value(m, one, args, node, after), node, state)
    return m.unknown(node, callee, *args)


def _library(m: ScriptReader, name: str, args: Sequence[PyValue], node: Tree, state: WayState) -> PyValue:
    if name.startswith(_RESOLVE):
        state.assign(0, name, args[0] if args else NONE)
        return NONE
    if name == "promise.reject":
        m.fail(args[0] if args and isinstance(args[0], PyFault) else PyFault(("Error",), tuple(args[:1])), node, state)
        raise Fork(node, ())
    if name == "require":
        return _module(args)
    if is_input(name):
        return of_input(m, name, args, node, state)
    found = LIBRARY.get(name) or LIBRARY.get(f"*.{name.rpartition('.')[2]}")
    if found is not None:
        return found(m, args, node, state)
    if any(isinstance(one, Raw) or (isinstance(one, Lib) and is_input(one.name)) for one in args):
        m.notes.reads_event = True
        return EventPart() if name.endswith((".json", ".parse")) else Raw()
    whole = next((one for one in args if isinstance(one, EventPart) and not one.path), None)
    if whole is not None and name.rpartition(".")[2] in _PLAIN_PARSE:
        return whole
    if name.partition(".")[0] in KNOWN_MODULES:
        return m.unknown(node, *args)
    return foreign(m, name, args, node, state)


def tagged_template(m: ScriptReader, node: Tree, state: WayState) -> PyValue:
    """`` $`jq . ${file}` `` runs a program; other templates give something unknown."""
    text = m.value(node["arguments"], state)
    name = m.source.code(node["function"])
    if name in ("$", "Bun.$", "execa", "sh"):
        return note_run(m, [text], node, state, is_line=True)
    return m.unknown(node, text)


# --- promises ----------------------------------------------------------------------------------------------------


def _on_promise(m: ScriptReader, node: Tree, target: Tree, name: str, state: WayState) -> PyValue:
    """`.then`, `.catch`, `.finally`: what is before is read as if it were awaited."""
    args = node["arguments"].kids
    inner_node = target["object"]
    handler = args[1] if name == "then" and len(args) > 1 else args[0] if name == "catch" and args else None
    outcomes: list[Outcome] = []
    failed: list[Outcome] = []

    def body(one: WayState) -> list[WayState]:
        outcomes.extend(m.values(inner_node, one))
        return []

    def handle(fault: PyValue, one: WayState) -> list[WayState]:
        if handler is not None:
            failed.extend(_outcomes_of(m, handler, [fault], node, one))
        return []

    if handler is not None:
        attempt(m, inner_node, body, handle, state.fork())
    else:
        body(state.fork())
    found: list[Outcome] = []
    for value, after in outcomes:
        if name == "then" and args:
            found += _outcomes_of(m, args[0], [value], node, after)
        elif name == "finally" and args:
            found += [(value, one) for _, one in _outcomes_of(m, args[0], [], node, after)]
        else:
            found.append((value, after))
    kept = [(value, one) for value, one in failed]
    return m.settle(node, _few([*found, *kept]), state)


def _few(outcomes: list[Outcome]) -> list[Outcome]:
    groups: dict[PyValue, list[WayState]] = {}
    for value, state in outcomes:
        groups.setdefault(value, []).append(state)
    return [(value, state) for value, states in groups.items() for state in merge_states(states)]


def _outcomes_of(m: ScriptReader, function: Tree, args: list[PyValue], node: Tree, state: WayState) -> list[Outcome]:
    found: list[Outcome] = []
    for callee, after in m.values(function, state):
        try:
            found.append((call_value(m, callee, args, function, after), after))
        except Fork as fork:
            found += fork.outcomes
    return found


def construct(m: ScriptReader, node: Tree, state: WayState) -> PyValue:
    callee = m.value(node["constructor"], state)
    if callee == Lib("Promise"):
        return _promise(m, node, state)
    args = arguments(m, node["arguments"], state)
    match callee:
        case Klass():
            return _object_of(m, callee, args, node, state)
        case Lib(name=name) if name.endswith("Error"):
            return PyFault((name, "Error"), tuple(args))
        case Lib(name="RegExp"):
            return args[0] if args and isinstance(args[0], RegexValue) else RegexValue(args[0] if args else Known(""))
        case Lib(name="Set" | "Array"):
            box = m.box(args[0], state) if args else None
            if isinstance(box, ListBox):
                return m.fresh(node, ListBox(box.items, box.is_open, box.roots), state)
            return m.fresh(node, ListBox((), is_open=bool(args)), state)
        case Lib(name="Map"):
            return m.unknown(node)
        case Lib(name=name):
            for one in args:
                if isinstance(one, Raw) or (isinstance(one, Lib) and is_input(one.name)):
                    m.notes.reads_event = True
                    return Raw()
            return Some(key=m.key(node))
    return m.unknown(node, callee, *args)


def _object_of(m: ScriptReader, klass: Klass, args: list[PyValue], node: Tree, state: WayState) -> PyValue:
    if _is_error(klass):
        return PyFault(("Error",), tuple(args), is_own=True)
    tree: Tree = klass.node
    made = m.fresh(node, ObjectBox(klass, {}), state)
    for part in tree["body"].kids:
        if part.kind in ("field_definition", "public_field_definition") and part["value"] is not None:
            value = m.value(part["value"], state)
            box = state.heap[made.id]
            name = m.source.code(part["property"] or part["name"])
            if isinstance(box, ObjectBox):
                state.put(made.id, ObjectBox(klass, {**box.items, name: value}))
    begin = method_of(m, klass, "constructor", made)
    if begin is None:
        return made
    outcomes = m.run_function(begin, args, {}, state, node)
    return m.settle(node, [(made, after) for _, after in outcomes], state)


def _is_error(klass: Klass) -> bool:
    base = klass.bases[0] if klass.bases else None
    if isinstance(base, Klass):
        return _is_error(base)
    return isinstance(base, Lib) and base.name.endswith("Error")


def _promise(m: ScriptReader, node: Tree, state: WayState) -> PyValue:
    """What a promise is resolved with. Handlers of standard input inside of it are called at once."""
    executors = node["arguments"].kids if node["arguments"] is not None else []
    if not executors:
        return m.unknown(node)
    name = f"{_RESOLVE}.{m.key(node)}"
    outer, m.waiting = m.waiting, []
    try:
        outcomes = _called_with(m, executors[0], [Lib(name), Lib("promise.reject")], state.fork())
        after = m.run_waiting(merge_states([one for _, one in outcomes]), node)
    finally:
        m.waiting = outer
    made = [(one.frames[0].get(name, m.unknown(node)), one) for one in after]
    return m.settle(node, _few(made), state)


def _called_with(m: ScriptReader, function: Tree, args: list[PyValue], state: WayState) -> list[Outcome]:
    return _outcomes_of(m, function, args, function, state)
