"""What all parts of a walk share: where it is, what it knows, and what it notes."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache

from msgspec import Struct

from interlock.facts.shell.grammar import parse
from interlock.facts.shell.scan import Budget
from interlock.facts.shell.tree import (
    Background,
    Branches,
    Chain,
    Function,
    Group,
    Loop,
    Node,
    Opening,
    Pipeline,
    Sequence,
    Simple,
    Test,
)
from interlock.hook_lint.program import HookProgram, Path, Span
from interlock.hook_lint.read.shell.holes import EVENT, Ask, Hole, Holes, path_of_key
from interlock.hook_lint.read.shell.notes import LineTable, ShellNotes
from interlock.hook_lint.read.shell.state import ShellState, Status, Write, merge
from interlock.hook_lint.read.shell.words import Words, assigned_in

__all__ = ["CommandCall", "End", "ShellReader"]

MOST_STEPS = 4_000
MOST_LEVELS = 60
MOST_ENDS = 400
NO = 2  # any other code refuses nothing, whether or not it ends the program
# (steps, ways): up to this step of the walk, at most this many ways are kept apart.
_MOST_STATES = ((500, 10), (1_000, 5), (1_500, 2), (math.inf, 1))
_NEGATION = re.compile(r"(?:^|[\s;&|({])!\s+\Z")
_LONGEST_NEGATION = 12
_KEY = re.compile(r"[\"'](\w+)\\?[\"'](?:[^\w\"']|\\s|\[\[:space:\]\])*:")


@lru_cache(maxsize=64)
def _parse(text: str, base: int = 0) -> Sequence:
    """The commands of a text. Cached, since several ways and several hooks may run the same text."""
    return parse(text, Budget(), 0, base)


class CommandCall(Struct):
    """A command with its words expanded."""

    name: str
    args: list[str]
    node: Simple
    span: Span

    @property
    def text(self) -> str:
        return " ".join(self.node.text.split())


class End(Struct):
    """One end of the program."""

    state: ShellState
    code: int | None
    how: str
    span: Span


class ShellReader(Words):
    """The reader of one program, without the commands, which build on it.

    `missing`: programs that are taken to be missing, to see what the hook does without them.
    """

    def __init__(
        self,
        file: str,
        text: str,
        lines: LineTable,
        *,
        find_file: Callable[[str], str | None],
        missing: frozenset[str] = frozenset(),
    ) -> None:
        self.file = file
        self.find_file = find_file
        self.source = text
        self.programs: dict[str, HookProgram | None] = {}  # in other languages, by their texts
        self.missing = missing
        self.holes = Holes()
        self.notes = ShellNotes()
        self.ends: list[End] = []
        self.assigned = assigned_in(text)
        self.steps = 0
        self.sourced = False
        self.here = lines.span(0, 0)
        self.outer_span: Span | None = None  # the command that runs a text from outside this file
        self.calls: list[str] = []  # the functions that we are in
        self._lines = lines
        self._level = 0  # how many commands we are in
        self._apart = 0  # how many shells of their own we are in
        self._unchecked = 0  # how many conditions we are in, where a failure does not end the program
        self._quiet: set[str] = set()  # the traps that say nothing

    # Where things are written.

    def span_of(self, start: int, end: int) -> Span:
        return self._lines.span(start, end) if self.outer_span is None else self.outer_span

    def at(self, node: Simple | Test) -> Span:
        """Make a command the current one, and give its place."""
        self.here = self.span_of(node.start, node.end)
        return self.here

    @contextmanager
    def elsewhere(self, source: str, at: Span | None) -> Iterator[None]:
        """Walk commands of another text. `at`: the place that all of them get, if the text is not part of this file."""
        before = self.source, self.outer_span
        self.source, self.outer_span = source, at
        yield
        self.source, self.outer_span = before

    # Notes.

    def judge_by(self, *texts: str) -> None:
        """Note that the hook judges by these texts."""
        for text in texts:
            if not text.isascii():
                self.notes.deciding.update(self.holes.names(text))
                self.notes.deciding.update(self.holes.programs(text))

    def unread(self, why: str) -> None:
        self.notes.unread = self.notes.unread or why

    # The whole program.

    def program(self, body: Sequence) -> None:
        """Walk the whole program."""
        start = ShellState(self.holes.mark(EVENT))
        for state in self.run(body, start):
            for one, code, how in _ends_of(state):
                self._ends(one, code, how, state.last or self._last_of(body))

    def _last_of(self, body: Sequence) -> Span:
        place = _place_of(body.nodes[-1]) if body.nodes else None
        return self.span_of(*place) if place is not None else self.span_of(0, 0)

    def leave(self, state: ShellState, how: str, span: Span) -> None:
        """End the program, or the shell of its own that we are in."""
        state.flow = "exit"
        state.last = span
        code = _code(state)
        if not self._apart:
            self._ends(state, code, how, span)
        elif code == NO and self.checks and not state.error:
            state.lost = tuple(dict.fromkeys((*state.lost, span)))

    def _ends(self, state: ShellState, code: int | None, how: str, span: Span) -> None:
        """End the program here, after what a trap does."""
        handler = state.traps.get("EXIT") or state.traps.get("0")
        ways = [state]
        if handler is not None and handler not in self._quiet:
            start = state.copy()
            start.traps = {name: text for name, text in state.traps.items() if name not in ("EXIT", "0")}
            start.status, start.flow = (Ask(text="$?", key="", span=span, code=None) if code is None else code), ""
            ways = self.text_of_program(handler, start)
            if all(way.flow != "exit" and _visible_writes(way) == _visible_writes(state) for way in ways):
                self._quiet.add(handler)
                ways = [state]
        for way in ways:
            if way is not state and way.flow == "exit":
                self._note_end(way, _code(way), "exit", way.last or span)
            else:
                self._note_end(way, code, how, span)

    def _note_end(self, state: ShellState, code: int | None, how: str, span: Span) -> None:
        if len(self.ends) < MOST_ENDS:
            self.ends.append(End(state, code, how, span))

    # Commands.

    def run(self, node: Node, state: ShellState) -> list[ShellState]:
        """The ways behind a command."""
        self.steps += 1
        if self.steps > MOST_STEPS or self._level > MOST_LEVELS:
            self.unread("there are too many ways through it" if self.steps > MOST_STEPS else "it is nested too deeply")
            return [state]
        state.settle()
        self._level += 1
        found = self.step(node, state)
        self._level -= 1
        return found

    # What the commands define.

    def step(self, node: Node, state: ShellState) -> list[ShellState]:
        raise NotImplementedError

    def call(self, call: CommandCall, state: ShellState) -> list[ShellState]:
        """Run a command: a function, one that the shell has, or a program."""
        raise NotImplementedError

    def open(self, opening: Opening, state: ShellState) -> None:
        """Do a redirection."""
        raise NotImplementedError

    def together(self, states: list[ShellState]) -> list[ShellState]:
        """The same ways, with some put together; the longer the walk, the more of them."""
        if len(states) < 2:
            return states
        most = next(most for steps, most in _MOST_STATES if self.steps < steps)
        return merge(states, self.holes, int(most))

    def text_of_program(self, text: str, state: ShellState) -> list[ShellState]:
        """Run the commands in a text: of `eval`, `trap`, `bash -c`."""
        if self.holes.sole(text.strip()) is not None:
            return [state]
        at = self.source.find(text) if len(text) > 8 else -1
        if at >= 0:
            return self.run(_parse(text, at), state)
        with self.elsewhere(text, self.here):
            return self.run(_parse(text), state)

    def source_file(self, name: str, state: ShellState) -> list[ShellState] | None:
        """Run the commands of another file; None if there is no such file."""
        text = self.find_file(name)
        if text is None:
            return None
        self.assigned |= assigned_in(text)
        with self.elsewhere(text, self.here):
            found = self.run(_parse(text), state)
        for one in found:
            if one.flow == "return":
                one.flow = ""
        return found

    # Whether a command works.

    def branch(self, node: Node, state: ShellState) -> tuple[list[ShellState], list[ShellState], list[ShellState]]:
        """The ways on which a command works, on which it fails, and on which it leaves the program."""
        with self.allowing_failure():
            states = self.run(node, state)
        works: list[ShellState] = []
        fails: list[ShellState] = []
        for one in states:
            yes, no = (None, None) if one.flow else one.split()
            works += [yes] if yes is not None else []
            fails += [no] if no is not None else []
        return self.together(works), self.together(fails), [one for one in states if one.flow]

    @property
    def checks(self) -> bool:
        """Whether a failure here may end the program."""
        return not self._unchecked

    @contextmanager
    def allowing_failure(self, really: bool = True) -> Iterator[None]:
        """Where a command may fail, as in a condition."""
        self._unchecked += really
        yield
        self._unchecked -= really

    def is_negated(self, node: Node) -> bool:
        """Whether a command follows a `!`."""
        place = _place_of(node)
        if place is None:
            return False
        return _NEGATION.search(self.source[max(0, place[0] - _LONGEST_NEGATION) : place[0]]) is not None

    def negate(self, node: Node, states: list[ShellState]) -> list[ShellState]:
        """The ways behind a command, with its exit code turned round if the command follows a `!`."""
        if self.is_negated(node):
            for one in states:
                if not one.flow:
                    one.status = one.status.negation() if isinstance(one.status, Ask) else int(one.status == 0)
        return states

    # Shells of their own, and what they print.

    def apart(self, node: Node | str, state: ShellState) -> list[ShellState]:
        """Run something in a shell of its own, which `exit` leaves."""
        self._apart += 1
        found = self.text_of_program(node, state) if isinstance(node, str) else self.run(node, state)
        self._apart -= 1
        for one in found:
            one.flow = ""
        return found

    def capture(self, node: Node, state: ShellState) -> tuple[str, Status]:
        """What a command prints, and its exit code. What else it writes is written in this state."""
        name = f"captured {self._level}"
        inner = state.copy()
        inner.out = {**state.out, 1: name}
        inner.writes = ()
        ways = self.apart(node, inner)
        texts = ["".join(write.text for write in way.writes if write.stream == name) for way in ways]
        works = [way for way in ways if not isinstance(way.status, int) or way.status == 0]
        other = dict.fromkeys(write for way in works or ways for write in way.writes if write.stream != name)
        every = dict.fromkeys(write for way in ways for write in way.writes if write.stream != name)
        state.settle()
        state.writes = (*state.writes, *other)
        state.pending = tuple(write for write in every if write not in other)
        state.lost = tuple(dict.fromkeys(span for way in (state, *ways) for span in way.lost))
        asks = [ask for way in ways for ask, _ in way.conditions] if len(ways) > 1 else []
        known = {ask for ask, _ in state.conditions}
        paths = tuple(dict.fromkeys(path for ask in asks if ask not in known for path in ask.paths))
        return self._output_of(texts, paths), self._status_of(ways)

    def _output_of(self, texts: list[str], paths: tuple[Path, ...]) -> str:
        """A text that is one of those that several ways print."""
        if len(set(texts)) < 2:
            return texts[0] if texts else ""
        text = self.holes.one_of([text.rstrip("\n") for text in texts], paths)
        return text + "\n"

    def _status_of(self, ways: list[ShellState]) -> Status:
        """The exit code of something that ends on several ways."""
        statuses = list(dict.fromkeys(way.status for way in ways))
        if len(statuses) == 1:
            return statuses[0]
        asks = [status for status in statuses if isinstance(status, Ask)]
        some = [*asks, *(ask for way in ways for ask, _ in way.conditions)]
        codes = {status for status in statuses if isinstance(status, int) and status != 0}
        code = codes.pop() if len(codes) == 1 else -1
        text = self.source[self.here.start : self.here.end] if self.outer_span is None else "$?"
        return Ask(
            text=" ".join(text.split()),
            key="",
            span=self.here,
            atoms=tuple(dict.fromkeys(atom for ask in asks for atom in ask.atoms)),
            paths=tuple(dict.fromkeys(path for ask in some for path in ask.paths)),
            code=None if code < 0 else code,
        )

    def substitute(self, body: Sequence, state: ShellState) -> str:
        here = self.here
        inner = state.copy()
        inner.options = state.options - {"errexit"}
        inner.traps = {}
        text, state.status = self.capture(body, inner)
        state.writes, state.pending = inner.writes, inner.pending
        state.lost = state.lost if "errexit" in state.options else inner.lost
        self.here = here
        return text.rstrip("\n")

    def note_groups(self, text: str, pattern: str, state: ShellState) -> None:
        """Set what a pattern takes out of a text: `BASH_REMATCH`."""
        hole = self.holes.sole(text.strip())
        cut = self.cut_out(hole, pattern) if hole is not None else None
        state.set("BASH_REMATCH", cut if cut is not None else self.holes.derive(text))

    def cut_out(self, hole: Hole, script: str) -> str | None:
        """The value that a pattern cuts out of JSON as text; None if it looks for no key."""
        found = _KEY.search(script)
        if found is None or not hole.is_json or not hole.origins:
            return None
        paths = tuple(path_of_key(origin, found[1]) for origin in hole.origins)
        for path in paths:
            self.notes.read(path, self.here, by_text=script)
        return self.holes.mark(Hole(paths=paths, origins=paths, by_text=True))


def _place_of(node: Node) -> tuple[int, int] | None:
    """Where a command is written."""
    if isinstance(node, Simple | Group | Loop | Branches | Test | Function):
        return node.start, node.end
    if isinstance(node, Background):
        return _place_of(node.body)
    parts = _parts_of(node)
    first, last = (_place_of(parts[0]), _place_of(parts[-1])) if parts else (None, None)
    return None if first is None or last is None else (first[0], last[1])


def _parts_of(node: Chain | Pipeline | Sequence) -> list[Node]:
    if isinstance(node, Chain):
        return [link for _, link in node.links]
    return node.stages if isinstance(node, Pipeline) else node.nodes


def _ends_of(state: ShellState) -> Iterator[tuple[ShellState, int | None, str]]:
    """How a program ends after its last command: with the exit code of that."""
    if state.flow == "exit":
        return
    status = state.status
    if isinstance(status, int):
        yield state, _code(state), "end" if status == 0 else "command"
    elif status.failure:  # it is expected to work
        yield state, None if status.inverted else 0, "command"
    elif status.code is None:
        yield state, None, "command"
    else:
        for one in state.split():
            if one is not None:
                yield one, _code(one), "command"


def _code(state: ShellState) -> int | None:
    return state.status if isinstance(state.status, int) and state.status >= 0 else None


def _visible_writes(state: ShellState) -> tuple[Write, ...]:
    """The texts that the client can read."""
    return tuple(write for write in state.writes if write.stream in ("stdout", "stderr"))
