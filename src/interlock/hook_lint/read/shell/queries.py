"""Running `jq`: its arguments and input, and what the shell gets from it."""

from __future__ import annotations

import re
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from interlock.hook_lint.program import Span
from interlock.hook_lint.read.shell.commands import Command, failure, file_or_input, run_program
from interlock.hook_lint.read.shell.holes import Ask, Atom, Hole, has_holes
from interlock.hook_lint.read.shell.jq.grammar import JqError, read_jq
from interlock.hook_lint.read.shell.jq.values import HoleValue, Way
from interlock.hook_lint.read.shell.jq.walk import JqWalk
from interlock.hook_lint.read.shell.machine import CommandCall, ShellReader
from interlock.hook_lint.read.shell.state import ShellState, Status

__all__ = ["QUERIES"]

_MARK = re.compile("[\U000f0000-\U000ffffd]")
_LONG = {
    "raw-output": "r", "compact-output": "c", "null-input": "n", "exit-status": "e", "slurp": "s", "raw-input": "R",
    "join-output": "j", "from-file": "f", "raw-output0": "r",
}  # fmt: skip


class _Options(Struct):
    """The arguments of jq."""

    flags: set[str] = set()
    variables: dict[str, Any] = {}
    json_variables: dict[str, str] = {}
    unknown: list[str] = []
    program: str | None = None
    files: list[str] = []
    positional: list[str] = []


def _options(args: list[str]) -> _Options:
    found = _Options(flags=set(), variables={}, json_variables={}, unknown=[], files=[], positional=[])
    rest = list(args)
    positional = False
    while rest:
        arg = rest.pop(0)
        if arg in ("--arg", "--argjson", "--slurpfile", "--rawfile") and len(rest) > 1:
            name, value = rest.pop(0), rest.pop(0)
            if arg == "--arg":
                found.variables[name] = value
            elif arg == "--argjson":
                found.json_variables[name] = value
            else:
                found.unknown.append(name)
        elif arg in ("--args", "--jsonargs"):
            positional = True
        elif arg in ("--indent", "-L") and rest:
            rest.pop(0)
        elif arg.startswith("--") and len(arg) > 2:
            found.flags.update(_LONG.get(arg[2:], ""))
        elif len(arg) > 1 and arg[0] == "-" and arg[1:].isalpha():
            found.flags.update(arg[1:])
        elif found.program is None:
            found.program = arg
        elif positional:
            found.positional.append(arg)
        else:
            found.files.append(arg)
    return found


def _jq(walk: ShellReader, call: CommandCall, state: ShellState) -> list[ShellState]:
    if "jq" in walk.missing:
        return run_program(walk, call, state)
    walk.notes.use("jq", call.span, tuple(walk.holes.display(arg) for arg in call.args))
    options = _options(call.args)
    text = state.stdin
    if options.files or "n" not in options.flags:
        text = file_or_input(walk, options.files, state)
    if options.program is None or "f" in options.flags or has_holes(options.program):
        return _opaque(walk, call, state, text)
    try:
        program = read_jq(options.program)
    except (JqError, RecursionError):
        return _opaque(walk, call, state, text)
    run = _jq_walk(walk, call, options.program)
    given = _input_value(run, options, text)
    run.rest = run.value_of(text) if "n" in options.flags else None
    if given == "" and "R" not in options.flags and "n" not in options.flags:
        state.status = failure(call)
        return [state]
    variables: dict[str, Any] = {**options.variables, **dict.fromkeys(options.unknown, HoleValue())}
    variables.update({name: run.value_of(value) for name, value in options.json_variables.items()})
    variables["ARGS"] = {"positional": list(options.positional), "named": dict(variables)}
    ways = run.run(program, given, variables)
    found = [way for one in ways if (way := _way(walk, call, state, run, one, options)) is not None]
    return found or [state]


def _input_value(run: JqWalk, options: _Options, text: str) -> Any:
    if "n" in options.flags:
        return None
    if "R" in options.flags:
        return text.rstrip("\n") if "s" not in options.flags else text
    if not text.strip():
        return ""
    value = run.value_of(text.strip())
    return [value] if "s" in options.flags else value


def _jq_walk(walk: ShellReader, call: CommandCall, program: str) -> JqWalk:
    base = walk.source.find(program, call.node.start, call.node.end)
    # A program with escapes is not in the source as it is; all its parts then get the place of the command.
    if base < 0:
        return JqWalk(program, walk.holes, walk.notes, lambda start, end: call.span)
    return JqWalk(program, walk.holes, walk.notes, lambda start, end: walk.span_of(base + start, base + end))


def _opaque(walk: ShellReader, call: CommandCall, state: ShellState, text: str) -> list[ShellState]:
    """A program that cannot be read: it may look at anything in its input."""
    hole = Hole(paths=walk.holes.paths(text, *call.args), change="other", programs=("jq",))
    state.write(1, walk.holes.mark(hole), call.span)
    state.status = failure(call)
    return [state]


def _way(
    walk: ShellReader, call: CommandCall, state: ShellState, run: JqWalk, way: Way, options: _Options
) -> ShellState | None:
    """The way that goes on behind one way through the program of jq; None if no call takes it."""
    one: ShellState | None = state.copy()
    for ask, holds in way.conditions:
        if one is not None:
            one = one.assume(ask, holds)
    if one is None:
        return None
    raw = bool({"r", "j"} & options.flags)
    end = "" if "j" in options.flags else "\n"
    text = "".join((run.text(value) if raw else run.json(value)) + end for value in way.values)
    if (text and one.out.get(1, "log") not in ("log", "null")) or ("e" in options.flags and not walk.checks):
        walk.notes.deciding.add("jq")
    one.write(1, _by_jq(walk, text), call.span)
    if way.said:
        one.write(2, way.said, call.span)
    one.status = _status(walk, call, run, way, options)
    return one


def _by_jq(walk: ShellReader, text: str) -> str:
    """A text whose holes name jq as a program that has printed them."""
    if text.isascii():
        return text
    return _MARK.sub(
        lambda found: walk.holes.mark(
            replace(hole := walk.holes.hole(found[0]), programs=tuple(dict.fromkeys((*hole.programs, "jq"))))
        ),
        text,
    )


def _status(walk: ShellReader, call: CommandCall, run: JqWalk, way: Way, options: _Options) -> Status:
    if way.code is not None:
        return way.code
    if "e" not in options.flags:
        return failure(call)
    if not way.values:
        return 4
    last = way.values[-1]
    if isinstance(last, HoleValue):
        if last.hole.ask is not None:
            return replace(last.hole.ask, code=1)
        span: Span = call.span
        atom = Atom("presence" if last.hole.paths else "world", span)
        return Ask(text=call.text, key=f"-e {run.text(last)}", span=span, atoms=(atom,), paths=last.hole.paths)
    return 1 if last is None or last is False else failure(call)


QUERIES: dict[str, Command] = {"jq": _jq, "gojq": _jq, "jaq": _jq}
