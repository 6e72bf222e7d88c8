"""What the kinds of expressions give."""

from __future__ import annotations

from collections.abc import Callable

from interlock.hook_lint.read.javascript.calls import call, construct, regex, tagged_template
from interlock.hook_lint.read.javascript.comparing import compare, is_equal, negation_of, opaque
from interlock.hook_lint.read.javascript.machine import THIS, ScriptReader
from interlock.hook_lint.read.javascript.members import member
from interlock.hook_lint.read.javascript.names import GLOBALS
from interlock.hook_lint.read.javascript.source import Tree, text_of_string
from interlock.hook_lint.read.python.machine import Outcome
from interlock.hook_lint.read.python.rendering import join_text
from interlock.hook_lint.read.python.state import WayState, join_states
from interlock.hook_lint.read.python.values import (
    NONE,
    AskedOf,
    DictBox,
    EventPart,
    Klass,
    Known,
    Lib,
    ListBox,
    NamedInput,
    ObjectRef,
    OwnFunction,
    PyText,
    PyValue,
    Raw,
    Some,
    alternatives,
    one_of,
    roots_of,
)

__all__ = ["EXPRESSIONS"]


def _identifier(m: ScriptReader, node: Tree, state: WayState) -> PyValue:
    name = m.source.code(node)
    found = m.lookup(name, state)
    if found is not None:
        return found
    return Lib(name) if name in GLOBALS else Some(key=hash(name))


def _constant(value: object) -> Callable[[ScriptReader, Tree, WayState], PyValue]:
    return lambda m, node, state: Known(value, node)


def _number(m: ScriptReader, node: Tree, state: WayState) -> PyValue:
    text = m.source.code(node).replace("_", "").rstrip("n")
    try:
        return Known(int(text, 0), node)
    except ValueError:
        pass
    try:
        return Known(float(text), node)
    except ValueError:
        return m.unknown(node)


def _string(m: ScriptReader, node: Tree, state: WayState) -> PyValue:
    return Known(text_of_string(m.source.code(node)[1:-1]), node)


def _template(m: ScriptReader, node: Tree, state: WayState) -> PyValue:
    parts: list[str | PyValue] = []
    at = node.start + 1
    for kid in node.kids:
        if kid.kind == "template_substitution":
            parts += [
                text_of_string(m.source.text[at : kid.start]),
                *([m.value(kid.kids[0], state)] if kid.kids else []),
            ]
            at = kid.end
    rest = text_of_string(m.source.text[at : node.end - 1])
    if not parts:
        return Known(rest, node)
    found = join_text([part for part in (*parts, rest) if part != ""])
    only = found.parts[0] if isinstance(found, PyText) and len(found.parts) == 1 else None
    return only if isinstance(only, EventPart | Raw | NamedInput) else found


def _array(m: ScriptReader, node: Tree, state: WayState) -> PyValue:
    items: list[PyValue] = []
    is_open = False
    roots = frozenset[object]()
    for kid in node.kids:
        if kid.kind != "spread_element":
            items.append(m.value(kid, state))
            continue
        value = m.value(kid.kids[0], state)
        box = m.box(value, state)
        if isinstance(box, ListBox):
            items += box.items
            is_open |= box.is_open
        else:
            is_open, roots = True, roots | roots_of(value)
            items += [value] if isinstance(value, Raw) else []
    return m.fresh(node, ListBox(tuple(items), is_open=is_open, roots=roots), state)  # type: ignore[arg-type]


def _object(m: ScriptReader, node: Tree, state: WayState) -> PyValue:
    items: dict[object, PyValue] = {}
    is_open, base = False, None
    for kid in node.kids:
        match kid.kind:
            case "pair":
                key = _key(m, kid["key"], state)
                value = m.value(kid["value"], state)
                if isinstance(key, Known):
                    items[key.value] = value
                else:
                    is_open = True
            case "shorthand_property_identifier":
                items[m.source.code(kid)] = _identifier(m, kid, state)
            case "method_definition":
                items[m.source.code(kid["name"])] = OwnFunction(kid, m.frame)
            case "spread_element":
                value = m.value(kid.kids[0], state)
                box = m.box(value, state)
                if isinstance(box, DictBox):
                    items.update(box.items)
                    is_open |= box.is_open
                    base = base or box.base
                elif isinstance(value, EventPart):
                    is_open, base = True, value
                elif not isinstance(value, Known):
                    is_open = True
    made = m.fresh(node, DictBox(items, is_open, base), state)
    if "hooks" in items or "canUseTool" in items:
        m.given_hooks.append((node, made, state.fork()))
    return made


def _key(m: ScriptReader, node: Tree, state: WayState) -> PyValue:
    match node.kind:
        case "string":
            return _string(m, node, state)
        case "computed_property_name":
            return m.value(node.kids[0], state)
        case "number":
            return _number(m, node, state)
    return Known(m.source.code(node))


def _function(m: ScriptReader, node: Tree, state: WayState) -> PyValue:
    arrow = m.lookup(THIS, state) if node.kind == "arrow_function" else None
    return OwnFunction(node, m.frame, arrow)


def _klass(m: ScriptReader, node: Tree, state: WayState) -> PyValue:
    heritage = next((kid for kid in node.kids if kid.kind == "class_heritage"), None)
    bases: tuple[PyValue, ...] = ()
    if heritage is not None and heritage.kids:
        base = heritage.kids[0]
        base = base.kids[0] if base.kind == "extends_clause" and base.kids else base
        bases = (m.value(base, state),)
    return Klass(node, m.frame, bases)


def _member(m: ScriptReader, node: Tree, state: WayState) -> PyValue:
    if m.source.code(node["object"]) == "import.meta":
        part = m.source.code(node["property"])
        return Known(True) if part == "main" else Lib(f"import.meta.{part}")
    owner = m.value(node["object"], state)
    name = node["property"]
    return member(m, owner, Known(m.source.code(name), name), node, state)


def _subscript(m: ScriptReader, node: Tree, state: WayState) -> PyValue:
    owner = m.value(node["object"], state)
    return member(m, owner, m.value(node["index"], state), node, state)


def _binary(m: ScriptReader, node: Tree, state: WayState) -> PyValue:
    operator = node["operator"].kind
    if operator in ("&&", "||", "??"):
        return _choice(m, node, operator, state)
    left = m.value(node["left"], state)
    right = m.value(node["right"], state)
    match operator:
        case "===" | "==" | "!==" | "!=":
            return is_equal(m, left, right, node, state, sense=operator[0] == "=")
        case "<" | ">" | "<=" | ">=":
            return compare(m, operator, left, right, node, state)
        case "+":
            return sum_of(m, left, right, node)
        case "in":
            if isinstance(right, EventPart) and isinstance(left, Known) and isinstance(left.value, str):
                field = (*right.path, left.value)
                return AskedOf(EventPart(field), None, roots=frozenset((field,)))
            box = m.box(right, state)
            if isinstance(box, DictBox) and not isinstance(left, Known):
                m.notes.compare(left, [Known(key) for key in box.items], node)
            return opaque(m, node, left, right)
        case "instanceof":
            return m.unknown(node)
    return m.unknown(node, left, right)


def sum_of(m: ScriptReader, left: PyValue, right: PyValue, node: Tree) -> PyValue:
    if isinstance(left, Raw) or isinstance(right, Raw):
        return Raw()
    if isinstance(left, Known) and isinstance(right, Known):
        if isinstance(left.value, str) or isinstance(right.value, str):
            return join_text([left, right])
        if isinstance(left.value, int | float) and isinstance(right.value, int | float):
            return Known(left.value + right.value)
    return join_text([left, right])


def _choice(m: ScriptReader, node: Tree, operator: str, state: WayState) -> PyValue:
    """The value of `a || b`, `a ?? b`, `a && b`."""
    left = m.value(node["left"], state)
    if operator == "??":
        if isinstance(left, Known):
            return left if left.value is not None else m.value(node["right"], state)
        if isinstance(left, ObjectRef | OwnFunction | Raw):
            return left
    else:
        truth = m.question(left, state, node["left"])
        if isinstance(truth, bool):
            return left if truth is (operator == "||") else m.value(node["right"], state)
        if isinstance(left, Raw):
            return left if operator == "||" else m.value(node["right"], state)
    if isinstance(left, AskedOf) or (operator == "&&" and _asks(node["right"])):
        return _answer_of(m, node, state)
    right = m.value(node["right"], state)
    if operator == "&&":
        return (
            right if isinstance(right, EventPart) else one_of([NONE, right]) if isinstance(left, NamedInput) else right
        )
    return _fallback(m, left, right, node, state)


_ASKING = frozenset({"unary_expression", "binary_expression", "call_expression"})


def _asks(node: Tree) -> bool:
    return node.kind in _ASKING


def _answer_of(m: ScriptReader, node: Tree, state: WayState) -> PyValue:
    """A question of several parts. It splits the way only if it looks at the event."""
    yes, no = m.branch(node, state.fork())
    if not any(isinstance(root, tuple) for one in (*yes, *no) for root in one.asked[len(state.asked) :]):
        joined_ways = join_states([*yes, *no])
        if yes and no and len(joined_ways) == 1:
            roots = frozenset(joined_ways[0].asked[len(state.asked) :])
            state.become(joined_ways[0])
            return AskedOf(Some(roots, m.key(node)), roots=roots)
    if yes and no:
        m.put_condition(node, yes, no)
    return m.settle(node, [*((Known(True), one) for one in yes), *((Known(False), one) for one in no)], state)


def _fallback(m: ScriptReader, left: PyValue, right: PyValue, node: Tree, state: WayState) -> PyValue:
    paths = [one.path for value in (left, right) for one in alternatives(value) if isinstance(one, EventPart)]
    for path in paths:
        m.notes.link(path, paths)
    for one in alternatives(left):
        if isinstance(one, NamedInput):
            m.notes.with_default.add((one.kind, one.name))
    box = m.box(right, state)
    is_constant = isinstance(right, Known) or (box is not None and not box.items)
    if isinstance(left, EventPart):
        if isinstance(right, EventPart):
            return EventPart(left.path, (*left.beside, right.path, *right.beside))
        if is_constant:
            return left
    if is_constant and isinstance(left, NamedInput | Some):
        return left
    if isinstance(left, Raw) or isinstance(right, Raw):
        return Raw()
    if any(isinstance(one, EventPart | NamedInput) for one in (left, right)):
        return one_of([left, right])
    return m.unknown(node, left, right)


def _unary(m: ScriptReader, node: Tree, state: WayState) -> PyValue:
    operator = node["operator"].kind
    if operator == "delete":
        return Known(True)  # what is taken away is not read
    value = m.value(node["argument"], state)
    match operator:
        case "!":
            question = m.question(value, state, node["argument"])
            return Known(not question) if isinstance(question, bool) else negation_of(question)
        case "-" if isinstance(value, Known) and isinstance(value.value, int | float):
            return Known(-value.value, node)
        case "void":
            return NONE
        case "typeof":
            if isinstance(value, EventPart):
                return m.unknown(node)
            if isinstance(value, Lib):
                present = value.name.partition(".")[0] not in ("Bun", "Deno")
                return Known("object") if present else m.unknown(node)
    return m.unknown(node, value)


def _ternary(m: ScriptReader, node: Tree, state: WayState) -> PyValue:
    """One of two values. The ways stay apart only if the question looks at the event."""
    before = len(state.conditions)
    yes, no = m.branch(node["condition"], state.fork())
    if yes and no:
        m.put_condition(node["condition"], yes, no)
    is_about_event = any(asked.paths for one in (*yes, *no) for asked in one.conditions[before:])
    outcomes: list[Outcome] = []
    for states, part in ((yes, node["consequence"]), (no, node["alternative"])):
        for one in states:
            outcomes += m.values(part, one)
    if not is_about_event and len(outcomes) > 1:
        for _, one in outcomes:
            one.leave(before)
        ways = join_states([one for _, one in outcomes])
        if len(ways) == 1:
            state.become(ways[0])
            return one_of([value for value, _ in outcomes])
    return m.settle(node, outcomes, state)


def _assignment(m: ScriptReader, node: Tree, state: WayState) -> PyValue:
    value = m.value(node["right"], state)
    _assign(m, node["left"], value, state)
    return value


def _augmented_assignment(m: ScriptReader, node: Tree, state: WayState) -> PyValue:
    value = m.value(node["right"], state)
    old = m.value(node["left"], state)
    operator = node["operator"].kind
    if operator == "+=":
        value = sum_of(m, old, value, node)
    elif operator in ("||=", "??="):
        value = _fallback(m, old, value, node, state)
    else:
        value = m.unknown(node, old, value)
    _assign(m, node["left"], value, state)
    return value


def _assign(m: ScriptReader, target: Tree, value: PyValue, state: WayState) -> None:
    if target.kind == "identifier":
        m.set(m.source.code(target), value, state)
    else:
        m.unpack(target, value, state)


def _update(m: ScriptReader, node: Tree, state: WayState) -> PyValue:
    old = m.value(node["argument"], state)
    value = m.unknown(node, old)
    _assign(m, node["argument"], value, state)
    return value


def _inner(m: ScriptReader, node: Tree, state: WayState) -> PyValue:
    return m.value(node.kids[0], state) if node.kids else NONE


def _last(m: ScriptReader, node: Tree, state: WayState) -> PyValue:
    found: PyValue = NONE
    for kid in node.kids:
        found = m.value(kid, state)
    return found


def _call(m: ScriptReader, node: Tree, state: WayState) -> PyValue:
    if node["arguments"] is not None and node["arguments"].kind == "template_string":
        return tagged_template(m, node, state)
    return call(m, node, state)


EXPRESSIONS: dict[str, Callable[[ScriptReader, Tree, WayState], PyValue]] = {
    "array": _array,
    "arrow_function": _function,
    "as_expression": _inner,
    "assignment_expression": _assignment,
    "augmented_assignment_expression": _augmented_assignment,
    "await_expression": _inner,
    "binary_expression": _binary,
    "call_expression": _call,
    "class": _klass,
    "class_declaration": _klass,
    "abstract_class_declaration": _klass,
    "false": _constant(False),
    "function_expression": _function,
    "function_declaration": _function,
    "generator_function": _function,
    "identifier": _identifier,
    "member_expression": _member,
    "new_expression": construct,
    "non_null_expression": _inner,
    "null": _constant(None),
    "number": _number,
    "object": _object,
    "parenthesized_expression": _inner,
    "regex": regex,
    "satisfies_expression": _inner,
    "sequence_expression": _last,
    "string": _string,
    "subscript_expression": _subscript,
    "template_string": _template,
    "ternary_expression": _ternary,
    "this": lambda m, node, state: m.lookup(THIS, state) or m.unknown(node),
    "true": _constant(True),
    "type_assertion": lambda m, node, state: m.value(node.kids[-1], state),
    "unary_expression": _unary,
    "undefined": _constant(None),
    "update_expression": _update,
}
