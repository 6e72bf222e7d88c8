"""Python and JavaScript programs inside a shell program: `python3 -c`, `node -e`, and here-documents."""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import UNSET, Struct
from msgspec.structs import replace

from interlock.hook_lint.program import Ending, HookProgram, InputRead, OutputPart, Path, Span
from interlock.hook_lint.read.javascript import read_javascript
from interlock.hook_lint.read.python import read_python
from interlock.hook_lint.read.shell.commands import Command, failure, run_program
from interlock.hook_lint.read.shell.holes import Ask, Atom, Hole, has_holes
from interlock.hook_lint.read.shell.machine import CommandCall, ShellReader
from interlock.hook_lint.read.shell.state import UNKNOWN_CODE, ShellState

__all__ = ["LANGUAGES"]

_MOST_ENDINGS = 8
_MODULES = frozenset({"-m", "--module"})
_WITH_VALUE = frozenset({"-W", "-X", "-r", "--require", "--import", "--input-type", "--with"})


class _Language(Struct, frozen=True):
    """How a command gets its program, and how the program names its arguments, its variables and its input."""

    read: Callable[[str, str], list[HookProgram]]
    option: str
    printing: frozenset[str]  # the options whose value is printed
    argument: re.Pattern[str]  # what names an argument: its place
    variable: re.Pattern[str]  # what names a variable of the environment
    stdin: str  # what reads the input
    needs: str = ""  # what the program has to begin with for that


_PYTHON = _Language(
    read=read_python,
    option="c",
    printing=frozenset(),
    argument=re.compile(r"sys\.argv\[(\d)\]"),
    variable=re.compile(r"os\.(?:environ(?:\.get)?|getenv)[\[(]\s*[\"'](\w+)[\"'][^\])]*[\])]"),
    stdin="sys.stdin.read()",
    needs="import sys\n",
)
_JAVASCRIPT = _Language(
    read=read_javascript,
    option="e",
    printing=frozenset({"-p", "-pe", "--print"}),
    argument=re.compile(r"process\.argv\[(\d)\]"),
    variable=re.compile(r"process\.env\.(\w+)()"),
    stdin='require("fs").readFileSync(0, "utf8")',
)


class _InlineProgram(Struct):
    """A program in the arguments or the input of a command, and the arguments behind it."""

    text: str
    args: list[str]
    is_fed: bool = False  # it is what the command reads
    prints: bool = False  # its value is printed


def _python(walk: ShellReader, call: CommandCall, state: ShellState) -> list[ShellState]:
    return _run(walk, call, state, _PYTHON)


def _node(walk: ShellReader, call: CommandCall, state: ShellState) -> list[ShellState]:
    return _run(walk, call, state, _JAVASCRIPT)


def _run(walk: ShellReader, call: CommandCall, state: ShellState, language: _Language) -> list[ShellState]:
    name = call.name.rpartition("/")[2]
    given = _program_in(call.args, language, state.stdin)
    if given is None or name in walk.missing:
        return run_program(walk, call, state)
    walk.notes.use(name, call.span, (f"-{language.option}",))
    text, stdin = _with_input(walk, language, given, "" if given.is_fed else state.stdin, state)
    if text not in walk.programs:
        walk.programs[text] = None if has_holes(text) else next(iter(language.read(walk.file, text)), None)
    program = walk.programs[text]
    if program is None or program.unread:
        return _unknown(walk, call, state, name, walk.holes.paths(text, stdin, *given.args))
    return _InnerProgram(walk, call, state, program, replace(given, text=text), stdin).ways()


def _program_in(args: list[str], language: _Language, stdin: str) -> _InlineProgram | None:
    """The program among the arguments, or in what the command reads; None if it is in a file."""
    rest = list(args)
    while rest:
        arg = rest.pop(0)
        if arg in _MODULES:
            return None
        letters = "" if arg.startswith("--") else arg[1:]
        if rest and (arg in language.printing or arg == "--eval" or letters.endswith(language.option)):
            return _InlineProgram(rest[0], rest[1:], prints=arg in language.printing)
        if arg in _WITH_VALUE and rest:
            rest.pop(0)
        elif arg in ("-", "/dev/stdin"):
            break
        elif not arg.startswith("-"):
            return None
    return _InlineProgram(stdin, rest, is_fed=True) if "\n" in stdin and not has_holes(stdin[:1]) else None


def _with_input(
    walk: ShellReader, language: _Language, given: _InlineProgram, stdin: str, state: ShellState
) -> tuple[str, str]:
    """A program and its input. An event in an argument or a variable becomes its input."""
    text = given.text
    if given.prints:
        text = f"console.log({text.strip().rstrip(';')})"
    fed = ""

    def put(found: re.Match[str]) -> str:
        nonlocal fed
        key = found[1]
        value = given.args[int(key) - 1] if key.isdigit() and 0 < int(key) <= len(given.args) else ""
        if not key.isdigit():
            set_here = state.variables.get(key)
            value = set_here if isinstance(set_here, str) else ""
        hole = walk.holes.sole(value.strip())
        if hole is None or not hole.is_json or not hole.origins or fed not in ("", value):
            return found[0]
        fed = value
        return language.stdin

    text = language.variable.sub(put, language.argument.sub(put, text))
    return (f"{language.needs}{text.lstrip()}", fed) if fed else (text, stdin)


def _unknown(
    walk: ShellReader, call: CommandCall, state: ShellState, name: str, paths: tuple[Path, ...]
) -> list[ShellState]:
    """A program that could not be read."""
    state.write(1, walk.holes.mark(Hole(paths=paths, change="other", programs=(name,))) + "\n", call.span)
    state.status = failure(call)
    return [state]


def _start_in(source: str, text: str) -> int:
    """Where an inner program begins in the text of the outer one; -1 if it is not written there as it is."""
    at = source.find(text.strip("\n")) if len(text) > 3 else -1
    return at - (len(text) - len(text.lstrip("\n"))) if at >= 0 else -1


class _InnerProgram:
    """One program inside another, and what the outer one sees of it."""

    def __init__(
        self,
        walk: ShellReader,
        call: CommandCall,
        state: ShellState,
        program: HookProgram,
        given: _InlineProgram,
        stdin: str,
    ) -> None:
        self.walk = walk
        self.call = call
        self.state = state
        self.name = call.name.rpartition("/")[2]
        self.program = program
        self.args = given.args
        self.text = given.text
        self.base = _start_in(walk.source, given.text)
        hole = walk.holes.sole(stdin.strip())
        self.origin: Path | None = hole.origins[0] if hole is not None and len(hole.origins) == 1 else None
        self.fed = stdin

    def ways(self) -> list[ShellState]:
        self._note()
        if self.state.out.get(1, "").startswith("captured"):
            return self._capture()
        found = []
        endings = self.program.endings[:_MOST_ENDINGS]
        for ending in endings:
            way = self._after(ending) if len(endings) > 1 else self._behind(self.state, ending)
            found += [way] if way is not None else []
        return found or [self.state]

    def span(self, span: Span) -> Span:
        """A place of the inner program in the outer one."""
        if self.base < 0:
            return self.call.span
        return self.walk.span_of(self.base + span.start, self.base + span.end)

    def path(self, path: Path) -> Path:
        return (*(self.origin or ()), *path)

    def _note(self) -> None:
        """Note that the outer program reads and searches what this one does."""
        notes, program = self.walk.notes, self.program
        if self.origin is not None:
            notes.reads_event = notes.reads_event or program.reads_event
            for read in program.reads:
                beside = tuple(self.path(one) for one in read.beside)
                notes.read(self.path(read.path), self.span(read.span), beside)
            for one in program.comparisons:
                notes.compare(self.path(one.path), one.values, self.span(one.span))
            for use in program.patterns:
                notes.add_pattern(use, self.path(use.path), self.span(use.span))
        for name in program.names:
            given = name.name in self.state.variables or name.name in self.walk.assigned
            if name.kind == "environment" and not given:
                notes.name(name.kind, name.name, self.span(name.span), has_default=name.has_default)
                if name.decides:
                    notes.deciding.add(f"${name.name}")
        for used in program.uses:
            notes.use(used.name, self.span(used.span), used.arguments)

    # What it prints into a variable.

    def _capture(self) -> list[ShellState]:
        walk, state = self.walk, self.state
        texts = [self._output_of(ending) for ending in self.program.endings if ending.how != "raise"]
        known = [text for text in texts if text is not None and not has_holes(text)]
        if texts and len(known) == len(texts):
            text = walk.holes.one_of([one.rstrip("\n") for one in known], self._paths()) + "\n"
        else:
            text = walk.holes.mark(self._value())
        state.write(1, text, self.call.span)
        state.status = failure(self.call)
        if any(ending.code not in (0, None) and not ending.on_error for ending in self.program.endings):
            state.status = Ask(
                text=self.call.text, key="", span=self.call.span, code=None, paths=self._paths(),
                atoms=(Atom("match" if self._paths() else "world", self.call.span),),
            )  # fmt: skip
        return [state]

    def _output_of(self, ending: Ending) -> str | None:
        """What is printed on one way; None if that is not known."""
        parts = [self._text(said) for said in ending.on("stdout")]
        return None if any("…" in part for part in parts) else "".join(parts)

    def _text(self, said: OutputPart) -> str:
        if said.value is not UNSET:
            return self.walk.holes.mark(Hole(document=said.value, is_json=True, programs=(self.name,)))
        return said.text

    def _paths(self) -> tuple[Path, ...]:
        own = tuple(self.path(read.path) for read in self.program.reads) if self.origin is not None else ()
        given = self.walk.holes.paths(self.fed, self.text, *self.args)
        return tuple(dict.fromkeys((*own, *given)))

    def _value(self) -> Hole:
        """What a program prints that takes a value out of the event."""
        reads: list[InputRead] = []
        if self.origin is not None:
            paths = {read.path for read in self.program.reads}
            reads = [
                read
                for read in self.program.reads
                if not any(len(path) > len(read.path) and path[: len(read.path)] == read.path for path in paths)
            ]
        own = tuple(dict.fromkeys(self.path(read.path) for read in reads))
        prints = [said for ending in self.program.endings for said in ending.on("stdout")]
        alone = len(own) == 1 or (
            bool(own) and all(set(own) <= {self.path(p) for p in (*r.beside, r.path)} for r in reads)
        )
        documents = [said.value for said in prints if said.value is not UNSET]
        return Hole(
            paths=self._paths(),
            origins=own if alone and not documents and not self.program.patterns else (),
            change="" if alone else "other",
            programs=(self.name,),
            document=documents[0] if len(documents) == 1 and len(prints) == 1 else UNSET,
            is_json=bool(documents),
            is_plain=False,
        )

    # Its ends, if nothing takes what it prints.

    def _after(self, ending: Ending) -> ShellState | None:
        """The way that goes on behind one of its ends; None if no call takes it."""
        paths = tuple(dict.fromkeys(self.path(path) for path in ending.paths)) if self.origin is not None else ()
        when = " and ".join(ending.when)
        span = self.span(ending.span)
        kind = "match" if paths and not ending.is_default else "world"
        atom = Atom("match" if kind == "match" else "world", span, sign=not ending.is_default)
        ask = Ask(
            text=when, key=f"{self.call.node.start} {ending.span.start} {when}", span=span, atoms=(atom,), paths=paths
        )
        way = self.state.assume(ask, True) if when else self.state.copy()
        return None if way is None else self._behind(way, ending)

    def _behind(self, way: ShellState, ending: Ending) -> ShellState:
        for said in ending.said:
            descriptor = {"stdout": 1, "stderr": 2}.get(said.stream, 9)
            text = self._text(said).replace("…", self.walk.holes.mark(Hole(paths=self._paths(), change="other")))
            way.write(descriptor, text if text.endswith("\n") else text + "\n", self.span(said.span))
        if ending.how == "raise":
            way.status = 1
        else:
            way.status = UNKNOWN_CODE if ending.code is None else ending.code
        way.error = way.error or ending.on_error
        way.last = self.span(ending.span)
        return way


LANGUAGES: dict[str, Command] = {
    "python3": _python, "python": _python, "python2": _python, "pypy3": _python, "node": _node, "nodejs": _node,
    "bun": _node,
}  # fmt: skip
