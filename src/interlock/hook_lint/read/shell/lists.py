"""Lists of commands: one after another, joined by `&&` and `||`, in pipelines, and in shells of their own."""

from __future__ import annotations

from interlock.facts.shell.tree import Background, Chain, Function, Group, Node, Pipeline, Sequence
from interlock.hook_lint.read.shell.holes import Ask
from interlock.hook_lint.read.shell.machine import NO, ShellReader
from interlock.hook_lint.read.shell.state import ShellFunction, ShellState, Status

__all__ = ["background", "behind", "chain", "function", "group", "pipeline", "sequence"]


def sequence(walk: ShellReader, node: Sequence, state: ShellState) -> list[ShellState]:
    """Commands one after another, on each way that has not been left."""
    states = [state]
    for one in node.nodes:
        if all(way.flow for way in states):
            break
        found: list[ShellState] = []
        for way in states:
            found += [way] if way.flow else walk.run(one, way)
        states = walk.together(found)
    return states


def chain(walk: ShellReader, node: Chain, state: ShellState) -> list[ShellState]:
    """`a && b || c`."""
    states = [state]
    last = len(node.links) - 1
    for place, (op, link) in enumerate(node.links):
        going, waiting = _going(op, states) if place else (states, [])
        with walk.allowing_failure(place != last):
            done = [way for one in walk.together(going) for way in walk.run(link, one)]
        states = [*done, *waiting]
    return walk.together(states)


def _going(op: str, states: list[ShellState]) -> tuple[list[ShellState], list[ShellState]]:
    """The ways that go on with what is behind an operator, and the others."""
    going: list[ShellState] = []
    waiting: list[ShellState] = []
    for one in states:
        if one.flow:
            waiting.append(one)
            continue
        works, fails = one.split()
        on, off = (works, fails) if op == "&&" else (fails, works)
        going += [on] if on is not None else []
        waiting += [off] if off is not None else []
    return going, waiting


def background(walk: ShellReader, node: Background, state: ShellState) -> list[ShellState]:
    """`command &`: the program does not wait for it, so what it says may come too late."""
    walk.apart(node.body, state.copy())
    state.status = 0
    return [state]


def function(walk: ShellReader, node: Function, state: ShellState) -> list[ShellState]:
    """A function is defined."""
    state.functions = {**state.functions, node.name: ShellFunction(node, walk.source, walk.outer_span is not None)}
    state.status = 0
    return [state]


def pipeline(walk: ShellReader, node: Pipeline, state: ShellState) -> list[ShellState]:
    """Commands that feed each other, each in a shell of its own."""
    fed = state.stdin
    failures: list[Ask] = []
    for stage in node.stages[:-1]:
        fed, status = _fed_by(walk, stage, state, fed)
        failures += [status] if isinstance(status, Ask) else []
    inner = state.copy()
    inner.stdin = fed
    found: list[ShellState] = []
    for one in walk.apart(node.stages[-1], inner):
        way = behind(one, state)
        if failures and "pipefail" in way.options and way.status == 0:
            way.status = failures[0]
        found.append(way)
    return _leave_if_failed(walk, node, walk.together(walk.negate(node.stages[0], found)))


def _fed_by(walk: ShellReader, stage: Node, state: ShellState, fed: str) -> tuple[str, Status]:
    """What a part of a pipeline prints for the next, and its exit code."""
    inner = state.copy()
    inner.stdin = fed
    with walk.allowing_failure():
        text, status = walk.capture(stage, inner)
    inner.settle()
    state.writes = inner.writes
    return text, status


def behind(inner: ShellState, outer: ShellState) -> ShellState:
    """The way that goes on behind a shell of its own: what that has set is lost."""
    way = inner.copy()
    way.variables, way.functions, way.traps = outer.variables, outer.functions, outer.traps
    way.stdin, way.out, way.options, way.positional = outer.stdin, outer.out, outer.options, outer.positional
    return way


def group(walk: ShellReader, node: Group, state: ShellState) -> list[ShellState]:
    """`(…)`, and a compound command with redirections."""
    before = (state.stdin, state.out)
    inner = state.copy()
    for opening in node.openings:
        walk.open(opening, inner)
    found = [behind(one, state) for one in walk.apart(node.body, inner)] if node.apart else walk.run(node.body, inner)
    for one in found:
        one.stdin, one.out = before
    found = walk.together(walk.negate(node, found))
    return _leave_if_failed(walk, node, found) if node.apart else found


def _leave_if_failed(walk: ShellReader, node: Node, states: list[ShellState]) -> list[ShellState]:
    """With `set -e`, the program ends with the code that `exit` has given to a shell of its own."""
    for one in states:
        if walk.checks and not one.flow and "errexit" in one.options and one.status == NO:
            walk.leave(one, "exit", one.last or walk.here)
    return states
