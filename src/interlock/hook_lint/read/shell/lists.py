"""Lists of commands: one after another, joined by `&&` and `||`, in pipelines, and in shells of their own."""

from __future__ import annotations

from interlock.facts.shell.tree import Background, Chain, Function, Group, Node, Pipeline, Sequence
from interlock.hook_lint.read.shell.holes import Ask
from interlock.hook_lint.read.shell.machine import Machine
from interlock.hook_lint.read.shell.state import Defined, State, Status

__all__ = ["background", "behind", "chain", "function", "group", "pipeline", "sequence"]


def sequence(walk: Machine, node: Sequence, state: State) -> list[State]:
    """Commands one after another, on each way that has not been left."""
    states = [state]
    for one in node.nodes:
        if all(way.flow for way in states):
            break
        found: list[State] = []
        for way in states:
            found += [way] if way.flow else walk.run(one, way)
        states = walk.together(found)
    return states


def chain(walk: Machine, node: Chain, state: State) -> list[State]:
    """`a && b || c`."""
    states = [state]
    last = len(node.links) - 1
    for place, (op, link) in enumerate(node.links):
        going, waiting = _going(op, states) if place else (states, [])
        with walk.unchecked(place != last):
            done = [way for one in walk.together(going) for way in walk.run(link, one)]
        states = [*done, *waiting]
    return walk.together(states)


def _going(op: str, states: list[State]) -> tuple[list[State], list[State]]:
    """The ways that go on with what is behind an operator, and the others."""
    going: list[State] = []
    waiting: list[State] = []
    for one in states:
        if one.flow:
            waiting.append(one)
            continue
        works, fails = one.split()
        on, off = (works, fails) if op == "&&" else (fails, works)
        going += [on] if on is not None else []
        waiting += [off] if off is not None else []
    return going, waiting


def background(walk: Machine, node: Background, state: State) -> list[State]:
    """What nobody waits for. What it says may come too late."""
    walk.apart(node.body, state.copy())
    state.status = 0
    return [state]


def function(walk: Machine, node: Function, state: State) -> list[State]:
    """A function is defined."""
    state.functions = {**state.functions, node.name: Defined(node, walk.source, walk.stands_at is not None)}
    state.status = 0
    return [state]


def pipeline(walk: Machine, node: Pipeline, state: State) -> list[State]:
    """Commands that feed each other, each in a shell of its own."""
    fed = state.stdin
    failures: list[Ask] = []
    for stage in node.stages[:-1]:
        fed, status = _fed_by(walk, stage, state, fed)
        failures += [status] if isinstance(status, Ask) else []
    inner = state.copy()
    inner.stdin = fed
    found: list[State] = []
    for one in walk.apart(node.stages[-1], inner):
        way = behind(one, state)
        if failures and "pipefail" in way.options and way.status == 0:
            way.status = failures[0]
        found.append(way)
    return walk.together(walk.negated(node.stages[0], found))


def _fed_by(walk: Machine, stage: Node, state: State, fed: str) -> tuple[str, Status]:
    """What a part of a pipeline prints for the next, and its exit code."""
    inner = state.copy()
    inner.stdin = fed
    with walk.unchecked():
        text, status, state.writes = walk.captured(stage, inner)
    return text, status


def behind(inner: State, outer: State) -> State:
    """How things stand behind a shell of its own: what it has set is lost."""
    way = inner.copy()
    way.variables, way.functions, way.traps = outer.variables, outer.functions, outer.traps
    way.stdin, way.out, way.options, way.positional = outer.stdin, outer.out, outer.options, outer.positional
    return way


def group(walk: Machine, node: Group, state: State) -> list[State]:
    """`(…)`, and a compound command with redirections."""
    before = (state.stdin, state.out)
    inner = state.copy()
    for opening in node.openings:
        walk.open(opening, inner)
    found = [behind(one, state) for one in walk.apart(node.body, inner)] if node.apart else walk.run(node.body, inner)
    for one in found:
        one.stdin, one.out = before
    return walk.together(walk.negated(node, found))
