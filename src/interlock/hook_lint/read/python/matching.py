"""`match`: each case is a question about the subject."""

from __future__ import annotations

import ast

from interlock.hook_lint.read.python.attributes import read_field
from interlock.hook_lint.read.python.comparing import is_equal
from interlock.hook_lint.read.python.machine import HookReader
from interlock.hook_lint.read.python.state import WayCondition, WayState, merge_states
from interlock.hook_lint.read.python.values import AskedOf, DictBox, EventPart, Known, ObjectRef, PyValue, Seq

__all__ = ["do_match"]


def do_match(m: HookReader, node: ast.Match, states: list[WayState]) -> list[WayState]:
    found: list[WayState] = []
    for state in states:
        for subject, after in m.values(node.subject, state):
            before = len(after.conditions)
            going = [after]
            for case in node.cases:
                pairs = [_ask(m, case.pattern, subject, one) for one in going]
                yes = merge_states([one for pair in pairs for one in pair[0]])
                going = merge_states([one for pair in pairs for one in pair[1]])
                if case.guard is not None:
                    guarded = [m.branch(case.guard, one) for one in yes]
                    yes = merge_states([one for pair in guarded for one in pair[0]])
                    going = merge_states([*going, *(one for pair in guarded for one in pair[1])])
                _note(m, case, yes)
                found += m.block(case.body, yes)
                if not going:
                    break
            found += going
            for one in found:
                one.asked = ()
                one.leave(before)
    return found


def _note(m: HookReader, case: ast.match_case, states: list[WayState]) -> None:
    text = "case " + m.source.code(case.pattern)
    for state in states:
        if state.asked:
            state.conditions = (*state.conditions, WayCondition(text, tuple(dict.fromkeys(state.asked))))
            state.asked = ()


def _ask(
    m: HookReader, pattern: ast.pattern, subject: PyValue, state: WayState
) -> tuple[list[WayState], list[WayState]]:
    """The states in which a value fits a pattern, with its names assigned, and those in which it does not."""
    match pattern:
        case ast.MatchAs(pattern=None, name=name):
            if name is not None:
                m.assign(name, subject, state)
            return [state], []
        case ast.MatchAs(pattern=ast.pattern() as inner, name=name):
            yes, no = _ask(m, inner, subject, state)
            for one in yes:
                m.assign(name or "", subject, one)
            return yes, no
        case ast.MatchOr(patterns=parts):
            yes, going = [], [state]
            for part in parts:
                pairs = [_ask(m, part, subject, one) for one in going]
                yes += [one for pair in pairs for one in pair[0]]
                going = [one for pair in pairs for one in pair[1]]
            return merge_states(yes), merge_states(going)
        case ast.MatchValue(value=value):
            return _branch(m, is_equal(m, subject, m.value(value, state), value, state, sense=True), state)
        case ast.MatchSingleton(value=constant):
            return _branch(m, is_equal(m, subject, Known(constant), pattern, state, sense=True), state)
        case ast.MatchMapping(keys=keys, patterns=parts):
            return _ask_all(m, [_field(m, subject, key, state) for key in keys], parts, state)
        case ast.MatchSequence(patterns=parts):
            values = subject.values if isinstance(subject, Seq) and len(subject.values) == len(parts) else None
            ones: list[PyValue] = list(values) if values else [m.unknown(part, subject) for part in parts]
            return _ask_all(m, ones, parts, state)
        case ast.MatchStar(name=str() as name):
            m.assign(name, m.unknown(pattern, subject), state)
            return [state], []
    for inside in ast.walk(pattern):
        if isinstance(inside, ast.MatchAs) and inside.name:
            m.assign(inside.name, m.unknown(inside, subject), state)
    return _branch(m, AskedOf(m.unknown(pattern, subject), roots=m.unknown(pattern, subject).roots), state)


def _ask_all(
    m: HookReader, values: list[PyValue], parts: list[ast.pattern], state: WayState
) -> tuple[list[WayState], list[WayState]]:
    yes, no = [state], []
    for value, part in zip(values, parts, strict=True):
        pairs = [_ask(m, part, value, one) for one in yes]
        yes = [one for pair in pairs for one in pair[0]]
        no += [one for pair in pairs for one in pair[1]]
    return merge_states(yes), merge_states(no)


def _field(m: HookReader, subject: PyValue, key: ast.expr, state: WayState) -> PyValue:
    name = m.value(key, state)
    if isinstance(subject, EventPart):
        return read_field(m, subject, name, key, state)
    box = state.heap.get(subject.id) if isinstance(subject, ObjectRef) else None
    if isinstance(box, DictBox) and isinstance(name, Known) and name.value in box.items:
        return box.items[name.value]
    return m.unknown(key, subject)


def _branch(m: HookReader, value: PyValue, state: WayState) -> tuple[list[WayState], list[WayState]]:
    question = m.question(value, state)
    if isinstance(question, bool):
        return ([state], []) if question else ([], [state])
    m.notes.decide(question.roots)
    yes, no = m.ask(question, state)
    return [yes] if yes is not None else [], [no] if no is not None else []
