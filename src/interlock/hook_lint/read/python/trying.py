"""`try` and `with`: where errors lead."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from interlock.hook_lint.read.python.machine import Flow, HookReader, WayOut
from interlock.hook_lint.read.python.names import EXCEPTIONS
from interlock.hook_lint.read.python.state import WayState, join_states, merge_states
from interlock.hook_lint.read.python.values import Klass, Lib, PyFault, PyValue, Seq

__all__ = ["do_try", "do_with"]

CAUGHT = "raise"  # what a `raise` by itself raises again; no variable can have this name
_ALL = frozenset({"BaseException"})
# Errors that nothing in a body raises by itself, and those of imports.
_NEVER_IMPLIED = frozenset({"SystemExit", "KeyboardInterrupt", "GeneratorExit"})
_FAILING = (ast.Call, ast.Subscript, ast.Attribute, ast.Import, ast.ImportFrom, ast.BinOp, ast.Raise, ast.Assert)
_OWN = "."  # marks the classes that the file itself defines: nothing else raises them


def do_try(m: HookReader, node: ast.Try | ast.TryStar, states: list[WayState]) -> list[WayState]:
    return _try(m, node, states, [_caught(m, handler.type, states) for handler in node.handlers])


def _try(
    m: HookReader, node: ast.Try | ast.TryStar, states: list[WayState], catches: list[frozenset[str]]
) -> list[WayState]:
    before = [state.fork() for state in merge_states(states)] if node.handlers and _may_fail(m, node) else []
    outer = m.flow
    inner = _inside(outer)
    m.flow = inner
    m.handlers.append(frozenset().union(*catches))
    try:
        after = m.block(node.body, states)
    finally:
        m.handlers.pop()
        m.flow = outer
    own = _inside(outer) if node.finalbody else outer
    m.flow = own
    try:
        after = m.block(node.orelse, after)
        entries = _entries(m, node, catches, inner, before)
        handled = [
            m.block(handler.body, merge_states(one)) for handler, one in zip(node.handlers, entries, strict=True)
        ]
        after = join_states([*after, *(one for states in handled for one in states)], after_error=True)
        own.raises += inner.raises
        own.ends += inner.ends
    finally:
        m.flow = outer
    _leave(own, inner)
    if node.finalbody:
        return _finally(m, node.finalbody, own, outer, merge_states(after))
    return after


def _inside(outer: Flow) -> Flow:
    """A flow whose ways out can still be caught or changed."""
    inner = Flow()
    inner.yields = outer.yields
    return inner


def _leave(outer: Flow, inner: Flow) -> None:
    outer.returns += inner.returns
    outer.breaks += inner.breaks
    outer.continues += inner.continues


def _entries(
    m: HookReader, node: ast.Try | ast.TryStar, catches: list[frozenset[str]], inner: Flow, before: list[WayState]
) -> list[list[WayState]]:
    """The states in which each handler begins. What is caught is taken out of the flow."""
    found: list[list[WayState]] = [[] for _ in catches]
    for ended in list(inner.raises):
        fault = ended.fault or PyFault(("Exception", "BaseException"))
        place = _handler_for(fault.names, catches)
        if place is not None:
            inner.raises.remove(ended)
            ended.state.on_error |= not (fault.is_own or _is_about_event(ended))
            found[place].append(_enter(m, node.handlers[place], fault, ended.state))
    for ended in list(inner.ends):
        place = _handler_for(("SystemExit", "BaseException"), catches)
        if place is not None:
            inner.ends.remove(ended)
            found[place].append(_enter(m, node.handlers[place], PyFault(("SystemExit",), (ended.value,)), ended.state))
    for place, names in enumerate(catches):
        if all(name in _NEVER_IMPLIED or name.startswith(_OWN) for name in names):
            continue
        for state in before:
            one = state.fork()
            one.on_error = True
            fault_names = tuple(names - _ALL) or ("Exception",)
            found[place].append(_enter(m, node.handlers[place], PyFault((*fault_names, "Exception")), one))
    return found


def _is_about_event(ended: WayOut) -> bool:
    return any(condition.paths for condition in (*ended.state.conditions, *ended.state.passed)) and ended.state.hit


def _handler_for(names: Sequence[str], catches: list[frozenset[str]]) -> int | None:
    wanted = {*names, *(f"{_OWN}{name}" for name in names)}
    return next((place for place, caught in enumerate(catches) if caught & wanted), None)


def _enter(m: HookReader, handler: ast.ExceptHandler, fault: PyFault, state: WayState) -> WayState:
    m.assign(CAUGHT, fault, state)
    if handler.name:
        args = fault.args or (m.unknown(handler),)
        m.assign(handler.name, PyFault(fault.names, args, fault.is_own), state)
    return state


def _caught(m: HookReader, node: ast.expr | None, states: list[WayState]) -> frozenset[str]:
    """The names of the classes that a handler catches."""
    if node is None or not states:
        return _ALL
    value = m.value(node, states[0])
    return frozenset(_class_name(one) for one in (value.values if isinstance(value, Seq) else (value,)))


def _class_name(value: PyValue) -> str:
    if isinstance(value, Lib):
        return EXCEPTIONS.get(value.name, (value.name.rpartition(".")[2],))[0]
    return f"{_OWN}{value.node.name}" if isinstance(value, Klass) else "Exception"


def _may_fail(m: HookReader, node: ast.Try | ast.TryStar) -> bool:
    found = m.may_fail.get(node)
    if found is None:
        found = any(isinstance(one, _FAILING) for part in node.body for one in ast.walk(part))
        m.may_fail[node] = found
    return found


def _finally(m: HookReader, body: list[ast.stmt], own: Flow, outer: Flow, after: list[WayState]) -> list[WayState]:
    """Every way out goes through these statements, which may end it otherwise."""
    returns, breaks, continues = own.returns, own.breaks, own.continues
    raises, ends = own.raises, own.ends
    if outer is own:
        return m.block(body, after)
    for value, state, place in returns:
        outer.returns += [(value, one, place) for one in m.block(body, [state])]
    for kind, kept in ((breaks, outer.breaks), (continues, outer.continues)):
        for state in kind:
            kept += m.block(body, [state])
    for way, kept_ways in ((raises, outer.raises), (ends, outer.ends)):
        for ended in way:
            for one in m.block(body, [ended.state]):
                kept_ways.append(WayOut(ended.how, ended.value, ended.span, one, ended.fault))
    return m.block(body, after)


def do_with(m: HookReader, node: ast.With | ast.AsyncWith, states: list[WayState]) -> list[WayState]:
    suppressed: list[str] = []
    found = states
    for item in node.items:
        entered: list[WayState] = []
        for state in found:
            if isinstance(item.context_expr, ast.Call) and _is_suppress(m, item.context_expr, state):
                names = [_class_name(m.value(one, state)) for one in item.context_expr.args]
                suppressed += names
                entered.append(state)
                continue
            for value, after in m.values(item.context_expr, state):
                if item.optional_vars is not None:
                    m.unpack(item.optional_vars, value, after)
                entered.append(after)
        found = entered
    if not suppressed:
        return m.block(node.body, found)
    handler = ast.ExceptHandler(type=None, name=None, body=[ast.Pass()])
    whole = ast.Try(body=node.body, handlers=[handler], orelse=[], finalbody=[])
    return _try(m, whole, found, [frozenset(suppressed)])


def _is_suppress(m: HookReader, node: ast.Call, state: WayState) -> bool:
    return m.value(node.func, state) == Lib("contextlib.suppress")
