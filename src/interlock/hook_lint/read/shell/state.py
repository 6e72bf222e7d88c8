"""The state of a walk: what is known at one place, on one of the ways that lead there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from interlock.facts.shell.tree import Function
from interlock.hook_lint.program import Path, Span
from interlock.hook_lint.read.shell.holes import Ask, Holes

__all__ = [
    "UNKNOWN_CODE",
    "Condition",
    "Flow",
    "ShellFunction",
    "ShellState",
    "Status",
    "Value",
    "Write",
    "has_found",
    "merge",
]

Value: TypeAlias = str | tuple[str, ...]
"""Of a variable: a text, or the texts of an array."""
Status: TypeAlias = int | Ask
"""Of the last command: its exit code, or what decides whether it is 0."""
Flow: TypeAlias = Literal["", "exit", "return", "break", "continue"]
Condition: TypeAlias = tuple[Ask, bool]

UNKNOWN_CODE = -1  # an exit code that is not 0
_OUT: dict[int, str] = {1: "stdout", 2: "stderr"}


class Write(Struct, frozen=True):
    """A text that is written somewhere."""

    stream: str
    text: str
    span: Span


class ShellFunction(Struct, frozen=True, eq=False):
    """A function, and the text in which it is written: this file, or another."""

    node: Function
    source: str
    is_elsewhere: bool


class ShellState:
    """What is known at one place of one way."""

    __slots__ = (
        "blurred", "conditions", "equal", "error", "flow", "functions", "last", "lost", "options", "out", "pending",
        "positional", "some", "status", "stdin", "traps", "variables", "writes",
    )  # fmt: skip

    def __init__(self, stdin: str) -> None:
        self.variables: dict[str, Value] = {}
        self.functions: dict[str, ShellFunction] = {}
        self.positional: tuple[str, ...] | None = None
        self.stdin = stdin
        self.out = _OUT
        self.writes: tuple[Write, ...] = ()
        self.pending: tuple[Write, ...] = ()  # what the last command has written if it failed
        self.conditions: tuple[Condition, ...] = ()
        self.equal: dict[Path, str] = {}  # values of the event that are known on this way
        self.status: Status = 0
        self.flow: Flow = ""
        self.options: frozenset[str] = frozenset()
        self.traps: dict[str, str] = {}
        self.error = False  # something has failed, and this is what is done about it
        self.last: Span | None = None  # what has ended the program, where that is known
        self.lost: tuple[Span, ...] = ()  # where it has ended with 2, and only a shell of its own
        self.blurred = False  # it is made of ways that differ
        self.some: tuple[Condition, ...] = ()  # of several ways that are one now: what each of them has found

    def copy(self) -> ShellState:
        other = ShellState.__new__(ShellState)
        other.variables = self.variables
        other.functions = self.functions
        other.positional = self.positional
        other.stdin = self.stdin
        other.out = self.out
        other.writes = self.writes
        other.pending = self.pending
        other.conditions = self.conditions
        other.equal = self.equal
        other.status = self.status
        other.flow = self.flow
        other.options = self.options
        other.traps = self.traps
        other.error = self.error
        other.last = self.last
        other.lost = self.lost
        other.blurred = self.blurred
        other.some = self.some
        return other

    def set(self, name: str, value: Value) -> None:
        self.variables = {**self.variables, name: value}

    def unset(self, name: str) -> None:
        self.variables = {key: value for key, value in self.variables.items() if key != name}

    def write(self, descriptor: int, text: str, span: Span) -> None:
        stream = self.out.get(descriptor, "log")
        if stream != "null" and text:
            self.writes = (*self.writes, Write(stream, text, span))

    def settle(self) -> None:
        """Whether the last command has failed is not asked any more."""
        if self.pending:
            self.writes, self.pending = (*self.writes, *self.pending), ()

    def split(self) -> tuple[ShellState | None, ShellState | None]:
        """The way on which the last command worked, and the one on which it did not."""
        status = self.status
        if isinstance(status, int):
            return (self, None) if status == 0 else (None, self)
        return self.assume(status, True), self.assume(status, False)

    def assume(self, ask: Ask, holds: bool) -> ShellState | None:
        """This way with a condition on it; None if that contradicts what is known."""
        if ask.key:
            truth = holds != ask.inverted
            for known, held in self.conditions:
                if known.key == ask.key and (held != known.inverted) != truth:
                    return None
        equal = self.equal
        for atom in ask.atoms:
            if atom.path is None or atom.equal is None:
                continue
            before = self.equal.get(atom.path)
            if len(ask.atoms) > 1 and not holds:
                continue
            if atom.sign == holds:
                if before is not None and before != atom.equal:
                    return None
                equal = {**equal, atom.path: atom.equal}
            elif before == atom.equal:
                return None
        other = self.copy()
        if not ask.failure or holds == ask.inverted:  # a command that works as expected is not a condition
            other.conditions = (*self.conditions, (ask, holds))
        other.equal = equal
        if holds != ask.inverted:
            other.pending = ()
        other.settle()
        other.status = 0 if holds else UNKNOWN_CODE if ask.code is None else ask.code
        if ask.failure and holds == ask.inverted:
            other.error = True
        return other

    def key(self) -> tuple[Any, ...]:
        """What is equal for two ways that have done the same."""
        return (
            self.flow,
            self.error,
            self.lost,
            self.writes,
            self.pending,
            self.stdin,
            tuple(self.out.items()),
            self.options,
            self.positional,
        )


def has_found(condition: Condition) -> bool:
    """Whether something of the event is what is looked for, on a way with this condition."""
    ask, holds = condition
    return any(atom.kind == "match" and atom.sign == holds for atom in ask.atoms)


def merge(states: list[ShellState], holes: Holes, most: int) -> list[ShellState]:
    """The same ways, with those put together that are equal; if more than `most` are left, also the alike."""
    normal = [state for state in states if not state.error or state.flow or state.last is not None]
    # A way on which a failure makes no difference is left out, as long as another goes on.
    kept = normal if any(not state.flow for state in normal) else states
    found = _put_together(kept, holes, exactly=True)
    if len(found) > most:
        found = _put_together(found, holes, exactly=False)
    return found[: 2 * most]


def _put_together(states: list[ShellState], holes: Holes, *, exactly: bool) -> list[ShellState]:
    groups: dict[Any, list[ShellState]] = {}
    for state in states:
        key = state.key()
        ends = state.flow in ("exit", "return")
        for same in groups.setdefault(key, []):
            alike = _same(same, state)
            if alike or (not exactly and not ends):
                _absorb(same, state, holes)
                same.blurred = same.blurred or state.blurred or not alike
                break
        else:
            groups[key].append(state.copy())
    return [state for group in groups.values() for state in group]


def _same(one: ShellState, other: ShellState) -> bool:
    return (
        one.variables == other.variables
        and _expected_status(one.status) == _expected_status(other.status)
        and (one.functions is other.functions or one.functions.keys() == other.functions.keys())
        and one.traps == other.traps
    )


def _expected_status(status: Status) -> Status:
    """An exit code, if what it depends on is expected to work."""
    return 0 if isinstance(status, Ask) and status.failure and not status.inverted else status


def _absorb(one: ShellState, other: ShellState, holes: Holes) -> None:
    """Make of two ways one: what they do not have in common is not known on it."""
    mine, theirs = set(one.conditions), set(other.conditions)
    paths = tuple(dict.fromkeys(path for ask, _ in mine ^ theirs for path in ask.paths))
    own = (*one.some, *(pair for pair in one.conditions if pair not in theirs and has_found(pair)))
    its = (*other.some, *(pair for pair in other.conditions if pair not in mine and has_found(pair)))
    one.some = tuple(dict.fromkeys((*own, *its))) if own and its else ()
    one.conditions = tuple(pair for pair in one.conditions if pair in theirs)
    one.equal = {path: text for path, text in one.equal.items() if other.equal.get(path) == text}
    if one.variables is not other.variables and one.variables != other.variables:
        one.variables = _merge_variables(one.variables, other.variables, holes, paths)
    if one.status != other.status:
        one.status = 0
    one.functions = {**other.functions, **one.functions}
    one.traps = {**other.traps, **one.traps}


def _merge_variables(
    one: dict[str, Value], other: dict[str, Value], holes: Holes, paths: tuple[Path, ...]
) -> dict[str, Value]:
    found: dict[str, Value] = {}
    for name in dict.fromkeys((*one, *other)):
        left, right = one.get(name, ""), other.get(name, "")
        if left == right:
            found[name] = left
        elif isinstance(left, str) and isinstance(right, str):
            found[name] = holes.one_of((left, right), paths)
        else:
            every: Iterable[str] = (*_items(left), *_items(right))
            found[name] = tuple(dict.fromkeys(every))
    return found


def _items(value: Value) -> tuple[str, ...]:
    if isinstance(value, tuple):
        return value
    return (value,) if value else ()
