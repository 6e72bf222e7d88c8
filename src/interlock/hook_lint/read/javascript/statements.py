"""What the kinds of statements do with a way that comes to them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from interlock.hook_lint.read.javascript.calls import attempt
from interlock.hook_lint.read.javascript.comparing import is_equal
from interlock.hook_lint.read.javascript.machine import ScriptReader
from interlock.hook_lint.read.javascript.members import element, member, put_member
from interlock.hook_lint.read.javascript.source import Tree, text_of_string
from interlock.hook_lint.read.python.machine import Flow
from interlock.hook_lint.read.python.state import WayState, join_states, merge_states
from interlock.hook_lint.read.python.values import (
    NONE,
    DictBox,
    EventPart,
    Known,
    Lib,
    ListBox,
    OwnFunction,
    PyFault,
    PyValue,
    roots_of,
)

__all__ = ["STATEMENTS", "hoist", "unpack"]


def hoist(m: ScriptReader, body: Iterable[Tree], state: WayState) -> None:
    """Functions are there before the statement that declares them."""
    for node in body:
        if node.kind == "export_statement" and node["declaration"] is not None:
            node = node["declaration"]
        if node.kind in ("function_declaration", "generator_function_declaration") and node["name"] is not None:
            m.declare(m.source.code(node["name"]), OwnFunction(node, m.frame), state)


# --- names -------------------------------------------------------------------------------------------------------


def unpack(m: ScriptReader, target: Tree, value: PyValue, state: WayState, *, declares: bool = True) -> None:
    """Assign to a name, the names in a pattern, or a part of an object."""
    match target.kind:
        case "identifier" | "shorthand_property_identifier_pattern":
            (m.declare if declares else m.set)(m.source.code(target), value, state)
        case "object_pattern":
            _unpack_object(m, target, value, state, declares=declares)
        case "array_pattern":
            known, one = element(m, value, target, state)
            places = _places(m, target)
            for place, part in places:
                if part.kind == "rest_pattern":
                    items = known[place:] if known is not None else (one,)
                    rest = m.fresh(part, ListBox(items, is_open=known is None, roots=roots_of(one)), state)
                    unpack(m, part.kids[0], rest, state, declares=declares)
                elif known is not None:
                    unpack(m, part, known[place] if place < len(known) else NONE, state, declares=declares)
                else:
                    unpack(m, part, _nth(m, value, place, part, state), state, declares=declares)
        case "assignment_pattern" | "object_assignment_pattern":
            if isinstance(value, Known) and value.value is None:
                value = m.value(target["right"], state)
            unpack(m, target["left"], value, state, declares=declares)
        case "member_expression" | "subscript_expression":
            put_member(m, target, value, state)
        case "parenthesized_expression" | "non_null_expression" | "as_expression":
            unpack(m, target.kids[0], value, state, declares=declares)


def _places(m: ScriptReader, target: Tree) -> list[tuple[int, Tree]]:
    """The parts of an array pattern with their places; a comma by itself leaves one out."""
    found, place, at = [], 0, target.start + 1
    for part in target.kids:
        place += m.source.text.count(",", at, part.start)
        found.append((place, part))
        at = part.end
    return found


def _nth(m: ScriptReader, value: PyValue, place: int, node: Tree, state: WayState) -> PyValue:
    return member(m, value, Known(place), node, state)


def _unpack_object(m: ScriptReader, target: Tree, value: PyValue, state: WayState, *, declares: bool) -> None:
    for part in target.kids:
        if part.kind == "rest_pattern":
            unpack(m, part.kids[0], value if isinstance(value, EventPart) else m.unknown(part, value), state)
            continue
        inner, key = part, part
        if part.kind == "pair_pattern":
            key, inner = part["key"], part["value"]
        elif part.kind == "object_assignment_pattern":
            key = part["left"]
        name = _key(m, key, state)
        unpack(m, inner, member(m, value, name, key, state), state, declares=declares)


def _key(m: ScriptReader, node: Tree, state: WayState) -> PyValue:
    if node.kind == "string":
        return Known(text_of_string(m.source.code(node)[1:-1]), node)
    if node.kind == "computed_property_name":
        return m.value(node.kids[0], state)
    return Known(m.source.code(node), node)


# --- simple ones -------------------------------------------------------------------------------------------------


def _expression(m: ScriptReader, node: Tree, state: WayState) -> list[WayState]:
    if not node.kids:
        return [state]
    only = node.kids[0]
    if only.kind == "binary_expression" and only["operator"].kind in ("&&", "||", "??"):
        return _short_cut(m, only, state)
    if only.kind == "ternary_expression":
        return _either(m, only["condition"], [only["consequence"]], [only["alternative"]], state)
    m.discarded = only
    return [after for _, after in m.values(only, state)]


def _short_cut(m: ScriptReader, node: Tree, state: WayState) -> list[WayState]:
    """`wrong && deny()`."""
    if node["operator"].kind == "||":
        return _either(m, node["left"], [], [node["right"]], state)
    return _either(m, node["left"], [node["right"]], [], state)


def _declaration(m: ScriptReader, node: Tree, state: WayState) -> list[WayState]:
    states = [state]
    for part in node.kids:
        if part.kind != "variable_declarator":
            continue
        found = []
        for one in states:
            if part["value"] is None:
                unpack(m, part["name"], NONE, one)
                found.append(one)
                continue
            for value, after in m.values(part["value"], one):
                unpack(m, part["name"], value, after)
                found.append(after)
        states = merge_states(found)
    return states


def _return(m: ScriptReader, node: Tree, state: WayState) -> list[WayState]:
    found = m.values(node.kids[0], state) if node.kids else [(NONE, state)]
    m.flow.returns += [(value, after, node) for value, after in found]
    return []


def _throw(m: ScriptReader, node: Tree, state: WayState) -> list[WayState]:
    for value, after in m.values(node.kids[0], state):
        fault = value if isinstance(value, PyFault) else PyFault(("Error",), (value,))
        m.fail(fault, node, after)
    return []


def _break(m: ScriptReader, node: Tree, state: WayState) -> list[WayState]:
    m.flow.breaks.append(state)
    return []


def _continue(m: ScriptReader, node: Tree, state: WayState) -> list[WayState]:
    m.flow.continues.append(state)
    return []


def _import(m: ScriptReader, node: Tree, state: WayState) -> list[WayState]:
    source = node["source"]
    if source is None:
        return [state]
    module = text_of_string(m.source.code(source)[1:-1]).removeprefix("node:").removesuffix("/promises")
    for clause in node.kids:
        for part in clause.kids if clause.kind == "import_clause" else ():
            match part.kind:
                case "identifier":
                    m.declare(m.source.code(part), Lib(module), state)
                case "namespace_import":
                    m.declare(m.source.code(part.kids[0]), Lib(module), state)
                case "named_imports":
                    for one in part.kids:
                        name = m.source.code(one["name"]) if one["name"] is not None else ""
                        local = m.source.code(one["alias"]) if one["alias"] is not None else name
                        m.declare(local, Lib(f"{module}.{name}" if name != "default" else module), state)
    return [state]


def _export(m: ScriptReader, node: Tree, state: WayState) -> list[WayState]:
    inner = node["declaration"]
    if inner is not None:
        return m.block([inner], [state])
    if node["value"] is not None:
        return [after for _, after in m.values(node["value"], state)]
    return [state]


def _class(m: ScriptReader, node: Tree, state: WayState) -> list[WayState]:
    m.declare(m.source.code(node["name"]), m.value(node, state), state)
    return [state]


def _enum(m: ScriptReader, node: Tree, state: WayState) -> list[WayState]:
    items: dict[Any, PyValue] = {}
    for part in node["body"].kids:
        name = m.source.code(part["name"] or part)
        items[name] = m.value(part["value"], state) if part["value"] is not None else Known(len(items))
    m.declare(m.source.code(node["name"]), m.fresh(node, DictBox(items), state), state)
    return [state]


def _block(m: ScriptReader, node: Tree, state: WayState) -> list[WayState]:
    return m.block(node.kids, [state])


# --- compound ones -----------------------------------------------------------------------------------------------


def _body(node: Tree | None) -> list[Tree]:
    if node is None:
        return []
    if node.kind == "else_clause":
        return _body(node.kids[0])
    return list(node.kids) if node.kind == "statement_block" else [node]


def _if(m: ScriptReader, node: Tree, state: WayState) -> list[WayState]:
    return _either(m, node["condition"], _body(node["consequence"]), _body(node["alternative"]), state)


def _either(m: ScriptReader, question: Tree, first: list[Tree], second: list[Tree], state: WayState) -> list[WayState]:
    before = len(state.conditions)
    yes, no = m.branch(question, state)
    if yes and no:
        asked = question.kids[0] if question.kind == "parenthesized_expression" else question
        m.put_condition(asked, yes, no)
    for one in (*yes, *no):
        one.asked = ()
    is_about_event = any(asked.paths for one in (*yes, *no) for asked in one.conditions[before:])
    left = _run(m, first, merge_states(yes))
    right = _run(m, second, merge_states(no))
    for one in (*left, *right):
        one.leave(before)
    both = [*left, *right]
    return both if is_about_event or len(both) < 2 else join_states(both)


def _run(m: ScriptReader, body: list[Tree], states: list[WayState]) -> list[WayState]:
    """The states after statements, or after one expression."""
    if len(body) == 1 and body[0].kind not in STATEMENTS:
        return [after for state in states for _, after in m.values(body[0], state)]
    return m.block(body, states)


def _switch(m: ScriptReader, node: Tree, state: WayState) -> list[WayState]:
    before = len(state.conditions)
    outer = m.flow
    done: list[WayState] = []
    for value, start in m.values(node["value"], state):
        inner = m.flow = _inside(outer)
        try:
            going: list[WayState] = [start]  # past every case so far
            falling: list[WayState] = []
            cases = list(node["body"].kids)
            default = next((place for place, one in enumerate(cases) if one.kind == "switch_default"), None)
            for place, case in enumerate(cases):
                if place != default:
                    entered, going = _case(m, value, case, going)
                    falling = [*falling, *entered]
                elif place == len(cases) - 1:
                    falling, going = [*falling, *going], []
                falling = m.block([one for one in case.kids if one is not case["value"]], merge_states(falling))
            if default is not None and going:
                for case in cases[default:]:
                    going = m.block([one for one in case.kids if one is not case["value"]], merge_states(going))
        finally:
            m.flow = outer
        done += [*going, *falling, *inner.breaks]
        outer.continues += inner.continues
    for one in done:
        one.leave(before)
    return merge_states(done)


def _case(m: ScriptReader, value: PyValue, case: Tree, states: list[WayState]) -> tuple[list[WayState], list[WayState]]:
    """The states in which a case applies, and the others."""
    entered: list[WayState] = []
    rest: list[WayState] = []
    node = case["value"]
    for state in states:
        for wanted, after in m.values(node, state):
            # `switch (true)` asks each case by itself.
            asks_itself = isinstance(value, Known) and value.value is True
            found = wanted if asks_itself else is_equal(m, value, wanted, node, after, sense=True)
            question = m.question(found, after, node)
            if isinstance(question, bool):
                (entered if question else rest).append(after)
                continue
            yes, no = m.ask(question, after)
            if yes is not None and no is not None:
                m.put_condition(node, [yes], [no])
            entered += [yes] if yes is not None else []
            rest += [no] if no is not None else []
    return entered, rest


def _inside(outer: Flow) -> Flow:
    inner = Flow(outer)
    inner.returns, inner.yields = outer.returns, outer.yields
    return inner


def _for_in(m: ScriptReader, node: Tree, state: WayState) -> list[WayState]:
    found: list[WayState] = []
    over_keys = node["operator"] is not None and node["operator"].kind == "in"
    for over, after in m.values(node["right"], state):
        known, one = element(m, over, node["right"], after)
        if known == ():
            found.append(after)
            continue
        before = len(after.conditions)
        none = [after.fork()] if known is None and not m.is_event(one) else []
        item = m.unknown(node["left"], over) if over_keys else one
        unpack(m, node["left"], item, after, declares=True)
        ended = _loop(m, node["body"], [after])
        for state_after in ended:
            state_after.leave(before)
        found += merge_states([*none, *ended])
    return found


def _loop(m: ScriptReader, body: Tree, states: list[WayState]) -> list[WayState]:
    """The states after a body has been run once."""
    outer = m.flow
    inner = m.flow = _inside(outer)
    try:
        after = m.block(_body(body), states)
    finally:
        m.flow = outer
    return [*after, *inner.continues, *inner.breaks]


def _while(m: ScriptReader, node: Tree, state: WayState) -> list[WayState]:
    before = len(state.conditions)
    yes, no = m.branch(node["condition"], state)
    if yes and no:
        m.put_condition(node["condition"], yes, no)
    after = merge_states([*no, *_loop(m, node["body"], merge_states(yes))])
    for one in after:
        one.leave(before)
    return after


def _do(m: ScriptReader, node: Tree, state: WayState) -> list[WayState]:
    return _loop(m, node["body"], [state])


def _for(m: ScriptReader, node: Tree, state: WayState) -> list[WayState]:
    states = [state]
    first = node["initializer"]
    if first is not None and first.kind in STATEMENTS:
        states = m.block([first], states)
        names = [one["name"] for one in first.kids if one.kind == "variable_declarator"]
        for one in states:
            for name in names:
                unpack(m, name, m.unknown(name), one)  # it counts
    found: list[WayState] = []
    for one in states:
        found += [one.fork(), *_loop(m, node["body"], [one])]
    return merge_states(found)


# --- errors ------------------------------------------------------------------------------------------------------


def _try(m: ScriptReader, node: Tree, state: WayState) -> list[WayState]:
    handler, last = node["handler"], node["finalizer"]

    def handle(fault: PyValue, one: WayState) -> list[WayState]:
        if handler["parameter"] is not None:
            unpack(m, handler["parameter"], fault, one)
        return m.block(handler["body"].kids, [one])

    outer = m.flow
    own = Flow() if last is not None else outer
    own.yields = outer.yields
    m.flow = own
    try:
        if handler is None:
            after = m.block(node["body"].kids, [state])
        else:
            after = attempt(m, node["body"], lambda one: m.block(node["body"].kids, [one]), handle, state)
    finally:
        m.flow = outer
    if last is None:
        return after
    return _finally(m, last["body"].kids, own, outer, after)


def _finally(m: ScriptReader, body: list[Tree], own: Flow, outer: Flow, after: list[WayState]) -> list[WayState]:
    """Every way out goes through these statements, except where the process ends at once."""
    outer.ends += own.ends
    for value, state, place in own.returns:
        outer.returns += [(value, one, place) for one in m.block(body, [state])]
    for kind, kept in ((own.breaks, outer.breaks), (own.continues, outer.continues)):
        for state in kind:
            kept += m.block(body, [state])
    for ended in own.raises:
        for one in m.block(body, [ended.state]):
            ended.state = one
            outer.raises.append(ended)
    return m.block(body, after)


STATEMENTS: dict[str, Callable[[ScriptReader, Tree, WayState], list[WayState]]] = {
    "abstract_class_declaration": _class,
    "break_statement": _break,
    "class_declaration": _class,
    "continue_statement": _continue,
    "do_statement": _do,
    "enum_declaration": _enum,
    "export_statement": _export,
    "expression_statement": _expression,
    "for_in_statement": _for_in,
    "for_statement": _for,
    "if_statement": _if,
    "import_statement": _import,
    "labeled_statement": lambda m, node, state: m.block([node["body"]], [state]),
    "lexical_declaration": _declaration,
    "return_statement": _return,
    "statement_block": _block,
    "switch_statement": _switch,
    "throw_statement": _throw,
    "try_statement": _try,
    "variable_declaration": _declaration,
    "while_statement": _while,
}
