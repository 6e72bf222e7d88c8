"""Loops. The body of one is read once, for any of the things that it goes through."""

from __future__ import annotations

import ast

from interlock.hook_lint.read.python.attributes import element
from interlock.hook_lint.read.python.machine import Flow, HookReader
from interlock.hook_lint.read.python.state import WayState, merge_states
from interlock.hook_lint.read.python.values import PyValue

__all__ = ["do_for", "do_while"]


def do_for(m: HookReader, node: ast.For | ast.AsyncFor, states: list[WayState]) -> list[WayState]:
    found: list[WayState] = []
    for state in states:
        for over, after in m.values(node.iter, state):
            known, one = element(m, over, node.iter, after)
            if known == ():
                found += m.block(node.orelse, [after])
                continue
            found += _for_each(m, node, one, after, may_be_empty=known is None)
    return found


def _for_each(
    m: HookReader, node: ast.For | ast.AsyncFor, item: PyValue, state: WayState, *, may_be_empty: bool
) -> list[WayState]:
    before = len(state.conditions)
    none = [state.fork()] if may_be_empty else []
    m.unpack(node.target, item, state)
    after, stopped = _body(m, node.body, [state])
    for one in (*after, *stopped):
        one.leave(before)
    return [*m.block(node.orelse, merge_states([*none, *after])), *stopped]


def do_while(m: HookReader, node: ast.While, states: list[WayState]) -> list[WayState]:
    found: list[WayState] = []
    for state in states:
        before = len(state.conditions)
        yes, no = m.branch(node.test, state)
        if yes and no:
            m.put_condition(node.test, yes, no)
        after, stopped = _body(m, node.body, merge_states(yes))
        for one in (*after, *no, *stopped):
            one.leave(before)
        endless = isinstance(node.test, ast.Constant) and bool(node.test.value)
        found += [*(m.block(node.orelse, merge_states([*no, *after])) if not endless else []), *stopped]
    return found


def _body(m: HookReader, body: list[ast.stmt], states: list[WayState]) -> tuple[list[WayState], list[WayState]]:
    """The states in which a body comes to its end, and those in which it breaks off the loop."""
    outer = m.flow
    inner = m.flow = Flow(outer)
    inner.returns, inner.yields = outer.returns, outer.yields
    try:
        after = m.block(body, states)
    finally:
        m.flow = outer
    return [*after, *inner.continues], inner.breaks
