"""Simple commands: their words, and the function, builtin or program that runs."""

from __future__ import annotations

from collections.abc import Mapping

from interlock.facts.shell.tree import Array, Simple, Substitution, Word
from interlock.hook_lint.program import Span
from interlock.hook_lint.read.shell.assigning import assign
from interlock.hook_lint.read.shell.commands import BUILTINS, Command, run_program
from interlock.hook_lint.read.shell.filters import FILTERS
from interlock.hook_lint.read.shell.holes import has_holes
from interlock.hook_lint.read.shell.languages import LANGUAGES
from interlock.hook_lint.read.shell.machine import CommandCall, ShellReader
from interlock.hook_lint.read.shell.queries import QUERIES
from interlock.hook_lint.read.shell.state import ShellFunction, ShellState, Value

__all__ = ["run_call", "simple"]

_COMMANDS: Mapping[str, Command] = {**BUILTINS, **FILTERS, **QUERIES, **LANGUAGES}
_DECLARES = frozenset({"local", "declare", "typeset", "export", "readonly"})
_MOST_CALLS = 12


def simple(walk: ShellReader, node: Simple, state: ShellState) -> list[ShellState]:
    """A command with its words, assignments and redirections."""
    span = walk.at(node)
    fields = [field for word in node.words for field in walk.fields(word, state)]
    before = (state.stdin, state.out)
    for opening in node.openings:
        walk.open(opening, state)
    kept = {one.name: state.variables.get(one.name) for one in node.assignments}
    for one in node.assignments:
        assign(walk, one, state)
    if fields:
        state.settle()
        found = run_call(walk, CommandCall(fields[0], fields[1:], node, span), state)
    else:
        if not node.assignments and any(opening.op == "<" for opening in node.openings):
            state.write(1, state.stdin, span)  # `$(<file)`
        if not any(_substitutes(one.value) for one in node.assignments):
            state.status = 0
        found = [state]
    for way in found:
        if node.openings and fields != ["exec"]:
            way.stdin, way.out = before
        if kept and fields and fields[0] not in _DECLARES:
            way.variables = _restore(way.variables, kept)
    if walk.is_negated(node):
        return walk.negate(node, found)
    return _handle_failures(walk, found, span)


def run_call(walk: ShellReader, call: CommandCall, state: ShellState) -> list[ShellState]:
    """Run a command: a function, one that the shell has, or a program."""
    walk.here = call.span
    own = state.functions.get(call.name)
    if own is not None:
        return _call_function(walk, own, call, state)
    command = run_program if has_holes(call.name) else _COMMANDS.get(call.name.rpartition("/")[2], run_program)
    return command(walk, call, state)


def _call_function(walk: ShellReader, own: ShellFunction, call: CommandCall, state: ShellState) -> list[ShellState]:
    if walk.calls.count(call.name) > 1 or len(walk.calls) > _MOST_CALLS:
        state.status = 0
        return [state]
    positional = state.positional
    state.positional = tuple(call.args)
    walk.calls.append(call.name)
    with walk.elsewhere(own.source, call.span if own.is_elsewhere else None):
        found = walk.run(own.node.body, state)
    walk.calls.pop()
    for one in found:
        one.positional = positional
        if one.flow == "return":
            one.flow = ""
    return walk.together(found)


def _handle_failures(walk: ShellReader, states: list[ShellState], span: Span) -> list[ShellState]:
    """What `set -e` and a trap for errors do if a command fails."""
    if not walk.checks or not any("errexit" in one.options or "ERR" in one.traps for one in states):
        return states
    found: list[ShellState] = []
    for one in states:
        heard = "errexit" in one.options or not walk.calls or {"E", "errtrace"} & one.options
        works, fails = (one, None) if one.flow or not heard else one.split()
        found += [works] if works is not None else []
        if fails is not None:
            found += _handle_failure(walk, fails, span)
    return found


def _handle_failure(walk: ShellReader, state: ShellState, span: Span) -> list[ShellState]:
    """The ways that lead out of the program because a command has failed."""
    state.error = True
    ways = [state]
    handler = state.traps.get("ERR") if not walk.calls or {"E", "errtrace"} & state.options else None
    if handler is not None:
        state.traps = {name: text for name, text in state.traps.items() if name != "ERR"}
        ways = walk.text_of_program(handler, state)
    for way in ways:
        if not way.flow and "errexit" in way.options:
            walk.leave(way, "command", span)
    return [way for way in ways if way.flow]


def _substitutes(value: Word | Array) -> bool:
    return isinstance(value, list) and any(isinstance(part, Substitution) for part in value)


def _restore(variables: dict[str, Value], kept: dict[str, Value | None]) -> dict[str, Value]:
    """The variables behind a command, without those that were set for it alone."""
    found = {name: value for name, value in variables.items() if name not in kept}
    return {**found, **{name: value for name, value in kept.items() if value is not None}}
