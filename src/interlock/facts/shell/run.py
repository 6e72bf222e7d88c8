"""What one command is and what it runs: wrappers, functions, aliases, texts and inputs that are code."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from interlock.facts.limits import COMMANDS, LEVELS, STEPS, Limit
from interlock.facts.program_places import is_installed
from interlock.facts.programs import usual_name
from interlock.facts.programs.readers.git_settings import settings_in
from interlock.facts.programs.use import Nested, Use
from interlock.facts.shell.aliases import KEYWORDS, Aliases
from interlock.facts.shell.assigning import DECLARES, NewValue
from interlock.facts.shell.builtins import remember
from interlock.facts.shell.conditions import Tester
from interlock.facts.shell.context import Context, Feed
from interlock.facts.shell.descriptors import Descriptors, descriptor_of
from interlock.facts.shell.dialects import PLAIN_SHELLS, is_read_otherwise
from interlock.facts.shell.environments import SAME_SHELL, begin_call, pass_on, set_for
from interlock.facts.shell.findings import Findings
from interlock.facts.shell.formats import NUL
from interlock.facts.shell.grammar import parse
from interlock.facts.shell.hazards import BUILTINS, RUN_AS_TEXT, is_builtin, loads_code, searches, unusual
from interlock.facts.shell.inputs import commands_with, takes_places
from interlock.facts.shell.model import UNKNOWN, Code, Command, Redirect, Unread
from interlock.facts.shell.scan import Budget
from interlock.facts.shell.state import State
from interlock.facts.shell.traps import TrapText, comes_at_any_time, signals_of
from interlock.facts.shell.tree import Function, Group, Node, ProcessSubstitution, Simple, Variable

__all__ = ["RUNS_UNKNOWN", "SPLICED", "Beside", "Job", "Runner", "UseOf"]

SPLICED = "names are spliced into a text that is run"
_NO_PROGRAM = "the program is not known before it runs"
_NO_TEXT = "runs a text that is not known before it runs"
_PRINTED = "runs what another command prints"
_PIPED = "runs what is piped into it"
_OTHER_RULES = "the shell goes by other rules from here on"
_CHANGING_TRAP = "a trap that changes what follows"
RUNS_UNKNOWN = frozenset({SPLICED, _NO_PROGRAM, _NO_TEXT, _PRINTED, _PIPED})

UseOf: TypeAlias = Callable[[str, tuple[str, ...]], Use]
Beside: TypeAlias = Callable[[str, tuple[str, ...], Use], Iterable[Use]]

_SHELLS = frozenset({"sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "csh", "tcsh", "fish", "busybox", "pwsh"})
_GIVEN = re.compile(r"([A-Za-z_][A-Za-z_0-9]*)=(.*)", re.DOTALL)


_SWITCHES = frozenset({"set", "shopt"})
_KEEPS_INPUT = frozenset({"tee", "dd", "sponge"})
_COPIES = frozenset({"cp", "mv", "ln", "install", "gcp", "gmv", "gln", "ginstall", "rsync"})
_PATTERN = re.compile(r"[*?]|\[.+\]")


class Job(Struct):
    """A program with its arguments, about to run."""

    fields: list[str]
    node: Simple
    text: str
    begun: int  # the commands found since then stand in its words
    env: dict[str, str] = {}
    redirects: tuple[Redirect, ...] = ()
    declared: tuple[NewValue, ...] = ()  # the last of its words, as they set variables
    loose: bool = False  # one of its words may be any number of words

    @property
    def program(self) -> str:
        return self.fields[0]

    @property
    def args(self) -> tuple[str, ...]:
        return tuple(self.fields[1:])

    @property
    def name(self) -> str:
        return self.fields[0].rsplit("/", 1)[-1]


class Runner(Tester):
    """Runs commands, as far as that is reading what they would do."""

    def __init__(self, budget: Budget, use_of: UseOf, known: Mapping[str, str], beside: Beside | None = None) -> None:
        self.budget = budget
        self.use_of = use_of
        self.beside = beside
        self.known = known
        self.found = Findings()
        self.called: set[int] = set()  # functions, by their identity
        self.printed: dict[
            int, tuple[ProcessSubstitution, Feed | None]
        ] = {}  # by the identity of a `<(…)`, what comes out of it
        self.descriptors = Descriptors()
        self._traps: list[TrapText] = []
        self._aliases = Aliases()
        self._echo_escapes = False  # `echo` may take `\\n` for a new line
        self.taken: dict[int, Feed] = {}  # by its identity, what a `read` has read from
        self.level = 0
        self.fetched = False  # something may have come from another machine
        self.driven = ""  # a program of the line that a person is meant to drive

    def walk(self, node: Node, state: State, context: Context) -> Feed | None:
        """Walk a node; what it prints, if that is the output of one known command."""
        raise NotImplementedError

    def note(self, reason: str) -> None:
        self.budget.note(reason)

    def reach(self, limit: Limit) -> None:
        self.budget.reach(limit)

    def read(self, feed: Feed | None) -> str | None:
        """The text of a feed, if it is certain."""
        text = feed.read(self.reach) if feed is not None else None
        return text.replace(NUL, "") if text and NUL in text else text

    def next_line(self, feed: Feed | None) -> str | None:
        """What a `read` finds in a feed: all of it, or nobody knows what if another one has read it before."""
        if feed is None or id(feed) in self.taken:
            return None
        self.taken[id(feed)] = feed
        return self.read(feed)

    def may(self, steps: int) -> bool:
        """Whether there is enough left to go on; if not, that is noted."""
        fuel = self.budget.fuel
        fuel.steps -= steps
        if len(self.found.commands) >= fuel.commands:
            self.reach(COMMANDS)
        elif self.level >= LEVELS.most:
            self.reach(LEVELS)
        elif fuel.steps < 0:
            self.reach(STEPS)
        else:
            return True
        return False

    def emit(self, command: Command, state: State, context: Context, node: Simple | Group) -> None:
        """Add a command, with where it stands."""
        self.fetched = self.fetched or "network" in command.use.traits
        start, end = context.span or (node.start, node.end)
        self.found.commands.append(
            replace(
                command,
                stdin=context.feed.text if context.feed is not None else None,
                pipeline=context.pipeline,
                stage=context.stage,
                nested=context.nested,
                start=start,
                end=end,
                cwd=state.cwd,
            )
        )

    def run(self, job: Job, state: State, context: Context) -> Feed | None:
        """Read one command and everything that it runs; what it prints."""
        if not job.env or not (job.program in state.functions or job.program in SAME_SHELL):
            return self._run(job, state, context)
        end = set_for(job.program, job.env, state)
        printed = self._run(job, state, context)
        end()
        return printed

    def _run(self, job: Job, state: State, context: Context) -> Feed | None:
        if not self.may(len(job.fields) // 8):
            return None
        program, args = job.program, job.args
        name = usual_name(job.name)
        function, certain = (None, False) if context.plain else _function(program, state)
        recurs = id(function) in context.active
        if not context.plain and program in self._aliases:
            self._alias(job, state, context)
        if function is not None and not recurs:
            printed = self._call(function, job, state, context)
            if certain:
                return printed
        settings = settings_in(_given_to(job, state)) if name == "git" else ()
        use = self.use_of(program, (*settings, *args) if settings else args)
        for nested in use.runs:
            if nested.kind == "file" and nested.words[0][:1] in "/-":
                use, context = self._from_descriptor(nested, use, job, context)
        if context.away:
            use = replace(use, traits=use.traits | {"elsewhere"})
        if len(self.found.commands) > job.begun and (_runs_texts(use) or use.sends or "network" in use.traits):
            stage = self.found.feed(job.begun, context.pipeline, context.stage)
            context = context.at(context.pipeline, stage, context.feed)
        if use.stdin == "args" and not use.runs:
            use = self._told_files(use, context.feed)
        if use.reached is not None:
            self.reach(use.reached)
        place = len(self.found.commands)
        opaque = "a function that calls itself" if recurs else self._hidden(job, use, state, context)
        command = Command(program, args, job.text, job.env, name, job.redirects, use=use, opaque=opaque)
        self.emit(command, state, context, job.node)
        if self.beside is not None:
            for more in self.beside(program, args, use):
                self._read_beside(job, more, command, state.copy(), context)
        if _is_strange(program, use, context, self.known.get("HOME", "")):
            self.found.unread.append(Unread(program, args, place))
        elif UNKNOWN in name:
            self._guess(job, state, context)
        elif "=" in name and not use.known and args:
            self._argv(list(args), job, state.copy(), context.within(name))  # a misspelt `A=1 command`
        elif "--" in args and (not use.known or use.described):
            self._behind_dashes(job, use, state, context)
        if not context.nested and _is_driven(use, context, job.redirects):
            self.driven = name
        if name in DECLARES:
            self.declare(name, args, job.declared, job.node, state, context)
        remember(self, name, args, state, context.feed, job.env, loose=job.loose)
        if name in _SWITCHES:
            self._switch(args)
        if name == "alias":
            names = self._aliases.set(args)
            self.found.functions += names
            if not KEYWORDS.isdisjoint(names):
                self.note("a keyword is given another meaning")
        if use.cd is not None:
            state.enter(use.cd)
        if use.runs or use.stdin != "data":
            self.level += 1
            printed = self._inner(job, use, state, context, place)
            self.level -= 1
            return printed
        self._keep(name, use, context)
        if name == "pwd" and args in ((), ("-P",), ("-L",)):
            return Feed(text=self.text([Variable("PWD", quoted=True)], state, context) + "\n")
        if name == "echo" and any("\\" in word for word in args) and self._is_plain(context):
            return None
        depth = context.feed.depth + 1 if context.feed is not None else 0
        return Feed(name=name, args=args, before=context.feed, depth=depth)

    def _switch(self, args: tuple[str, ...]) -> None:
        """Note what `set` and `shopt` change about how the line is read."""
        self._echo_escapes = self._echo_escapes or "xpg_echo" in args
        if "keyword" in args or any(re.fullmatch("-[A-Za-z]*k[A-Za-z]*", word) for word in args):
            self.note("words with `=` are no arguments any more")
        if "posix" in args:
            self.note(_OTHER_RULES)

    def _is_plain(self, context: Context) -> bool:
        """Whether the shell that a command stands in may be one whose `echo` knows escapes."""
        shell = next((one for one in reversed(context.nested) if one in _SHELLS), "bash")
        return self._echo_escapes or shell != "bash"

    def _from_descriptor(self, nested: Nested, use: Use, job: Job, context: Context) -> tuple[Use, Context]:
        """A program that runs a file which is something that the line has opened, read as if it were its input."""
        file = nested.words[0]
        descriptor = "0" if file == "-" else descriptor_of(file)
        if descriptor is None:
            return use, context
        if descriptor != "0":
            context = context.at(context.pipeline, context.stage, self.descriptors.of(descriptor))
        runs = tuple(one for one in use.runs if one is not nested)
        if nested.by in _SHELLS or nested.by in SAME_SHELL:
            return replace(use, runs=runs, stdin="shell"), context
        again = self.use_of(job.program, tuple("-" if word == file else word for word in job.args))
        stdin = again.stdin if again.stdin not in ("data", "args") else "code:other"
        return replace(use, runs=runs, stdin=stdin), context

    def _read_beside(self, job: Job, use: Use, first: Command, state: State, context: Context) -> None:
        """Add a command once more, as a description that adds to the first reading has it, with what it runs by that.

        The first reading is as if there were no other.
        """
        fetched, called = self.fetched, set(self.called)
        opaque = first.opaque or self._hidden(job, use, state, context)
        place = len(self.found.commands)
        self.emit(replace(first, redirects=(), use=use, opaque=opaque), state, context, job.node)
        if use.runs or use.stdin != "data":
            self.level += 1
            self._inner(job, use, state, context, place)
            self.level -= 1
        self.fetched, self.called = fetched, called

    def _keep(self, name: str, use: Use, context: Context) -> None:
        """Note a text that a command puts into files: its input, or another file of which the line tells the text."""
        if name in _KEEPS_INPUT:
            text = self.read(context.feed)
            for target in use.writes if text is not None else ():
                self.found.put(target, text or "")
        elif name in _COPIES and len(use.operands) > 1:
            *sources, target = use.operands
            for source in sources:
                text = self.found.text_of(source)
                if text is not None:
                    at = posixpath.join(target, posixpath.basename(source))
                    self.found.put(target, text)
                    self.found.put(at, text)

    def run_variable(self, name: str, value: str, node: Simple, state: State, context: Context, *, kept: bool) -> None:
        """Read a variable whose value is a command for somebody. `kept`: it holds for what follows too."""
        if name in RUN_AS_TEXT and value:
            begun = len(self.found.commands)
            self._text(value, state.child({}), replace(context.apart(name), aside=True), node)
            if any(one.name in _SHELLS for one in self.found.commands[begun:]):
                self.note(f"{name} starts a shell")
        elif name == "PATH" and kept:
            state.searched = searches(value)
        elif loads_code(name, value):
            self.note(f"{name} loads code")
        elif name == "POSIXLY_CORRECT" and is_builtin(node.words):
            self.note(_OTHER_RULES)

    def _hidden(self, job: Job, use: Use, state: State, context: Context) -> str:
        """Why a command cannot be read, if so."""
        program, *args = job.fields
        name = program.rsplit("/", 1)[-1]
        if UNKNOWN in name or not name:
            return _NO_PROGRAM
        odd = unusual(program, args)
        if odd:
            return odd
        for word in job.fields:
            if word.startswith("BASH_FUNC_"):
                return "a function from the environment"
        if _PATTERN.search(program):
            return "the program is a pattern for files"
        if program[0] == "=":
            return "the program is a path that zsh looks up"
        if "/" not in program and name not in BUILTINS:
            reason = searches(job.env["PATH"]) if "PATH" in job.env else state.searched
            if reason:
                return reason
        if not context.nested and self._is_typed(program, use):
            return f"may be typed into {self.driven or 'a program before it'}"
        for nested in use.runs:
            if nested.kind == "shell" and any(UNKNOWN in word for word in nested.words):
                return self._splice_reason(_NO_TEXT, nested.words)
            if nested.kind == "file" and nested.words[:1] == (UNKNOWN,) and _processes(job.node):
                text = self._printed_for(nested, job.node)
                if text is None or UNKNOWN in text:
                    return self._splice_reason(_PRINTED, (text,) if text is not None else ())
        if use.stdin not in ("data", "args") and context.feed is not None and not context.feed.file:
            text = self.read(context.feed)
            if text is None or UNKNOWN in text:
                read = text is not None and use.stdin == "shell"
                return self._splice_reason(_PIPED, (text,) if read and text is not None else ())
        return ""

    def _splice_reason(self, reason: str, texts: tuple[str, ...]) -> str:
        """Why a text with unknown parts cannot be read.

        Where only arguments are unknown, that is a reason of its own: each command of the text is found, with words
        that nobody knows. What comes from another machine may bring commands along.
        """
        known = "".join(texts).replace(UNKNOWN, "").strip()
        return reason if self.fetched or not known else SPLICED

    def _is_typed(self, program: str, use: Use) -> bool:
        """Whether a command is rather the next line for a program that a person drives: `less a`, then `!sh`."""
        if program == "!" or (program[0] in "!:^@" and len(program) > 1):
            return bool(self.found.commands)
        return bool(self.driven) and not use.known

    def _printed_for(self, nested: Nested, node: Simple) -> str | None:
        """The text of a `<(…)` that a shell is given as its script, if that is certain."""
        parts = _processes(node)
        if len(parts) != 1 or nested.by not in _SHELLS | {"source", "."} or nested.words[0] != UNKNOWN:
            return None
        return self.read(self.printed.get(id(parts[0]), (None, None))[1])

    def _guess(self, job: Job, state: State, context: Context) -> None:
        """Read a command as if what is unknown of its program were nothing: `$SUDO rm x`, `r$@m x`."""
        rest = job.program.replace(UNKNOWN, "")
        words = [rest, *job.args] if rest else list(job.args)
        if words and UNKNOWN not in words[0] and self.use_of(words[0], tuple(words[1:])).known:
            self._argv(words, job, state.copy(), context.within(UNKNOWN))

    def _behind_dashes(self, job: Job, use: Use, state: State, context: Context) -> None:
        """Read what a program that Interlock does not know is given behind `--`, if that is a command."""
        words = list(job.args[job.args.index("--") + 1 :])
        if any(nested.words == tuple(words) for nested in use.runs):
            return  # as it is described, it runs that anyway
        if words and UNKNOWN not in words[0] and self.use_of(words[0], tuple(words[1:])).known:
            self._argv(words, job, state.copy(), context.within(job.name))

    def _argv(self, words: list[str], job: Job, state: State, context: Context) -> Feed | None:
        inner = Job(words, job.node, " ".join(words), len(self.found.commands), job.env, loose=job.loose)
        return self.run(inner, state, context)

    def _alias(self, job: Job, state: State, context: Context) -> None:
        """Walk what an alias stands for. Whether it is expanded is up to the shell, so its name is a command too."""
        if job.program not in context.active:
            inner = context.within(f"alias {job.program}", active=context.active | {job.program})
            for text in self._aliases.texts(job.program, job.args):
                if self.may(1):
                    self._text(text, state, inner, job.node)

    def _call(self, function: Function, job: Job, state: State, context: Context) -> Feed | None:
        """Walk the body of a function."""
        self.called.add(id(function))
        if job.redirects:
            self.emit(Command("", (), job.text, redirects=job.redirects), state, context, job.node)
        inner = context.within(f"{function.name}()", active=context.active | {id(function)})
        end = begin_call(job.args, state, loose=job.loose)
        printed = self.walk(function.body, state, inner)
        end()
        return printed

    def _text(self, text: str, state: State, context: Context, node: Simple, by: str = "") -> Feed | None:
        """Walk a text that a shell is given. `by`: the shell, if it is another one."""
        if by in PLAIN_SHELLS and is_read_otherwise(text):
            self.note("a text that sh may read otherwise than bash")
        self.budget.fuel.words -= 1 + len(text) // 64
        span = context.span or (node.start, node.end)
        body = parse(text, self.budget, context.depth, span=span)
        return self.walk(body, state, replace(context, span=span))

    def _inner(self, job: Job, use: Use, state: State, context: Context, place: int) -> Feed | None:
        """Walk what a command runs."""
        printed: Feed | None = None
        inner = context.within(job.name, plain=False, feed=context.feed if use.stdin == "data" else None)
        for nested in use.runs:
            if not nested.words or not self.may(0):
                continue
            if nested.kind not in ("argv", "shell"):
                text = self._printed_for(nested, job.node) if nested.kind == "file" else None
                if text is None:
                    self._outside(nested, place)
                else:
                    self._script(text, nested.words[1:], job, state, inner)
                continue
            before, begun = state.cwd, len(self.found.commands)
            inner = replace(inner, aside=inner.aside or nested.aside, away=inner.away or nested.where != "here")
            child = self._child(job, nested, state)
            if use.base:
                child.cwd = (*before, use.base)
            if nested.kind == "shell":
                printed = self._text(" ".join(nested.words), child, inner, job.node, job.name)
                if job.name == "trap":
                    self._traps.append(
                        TrapText(nested.words[0], signals_of(job.args), state, state.copy(), inner, job.node)
                    )
                    if comes_at_any_time(self._traps[-1].signals, killed=False) and not child.same(state):
                        self.note(_CHANGING_TRAP)
            else:
                given = {**job.env, **self._passed_on(job, nested.words, state, inner)}
                for words in self._fill(nested.words, job.args, use, context):
                    if not self.may(1):
                        break
                    printed = self._argv(words, replace(job, env=given), child, replace(inner, plain=True))
            if job.name == "trap" and not {"EXIT", "0"}.issuperset(job.args[1:]):
                state.disturb(child)
            if use.base and child is state:
                state.cwd = before
            if nested.aside and any(one.name in _SHELLS for one in self.found.commands[begun:]):
                self.found.commands[place] = _with_trait(self.found.commands[place], "runs-shell")
        if use.stdin != "data":
            printed = self._stdin(job, use, state, context, place) or printed
        return printed

    def _script(self, text: str, args: tuple[str, ...], job: Job, state: State, context: Context) -> None:
        """Walk a script that the line gives, with the arguments that it gets."""
        child = state if job.name in SAME_SHELL else state.child(job.env)
        before = child.positional
        if args or child is not state:
            child.positional = args
        self._text(text, child, context, job.node, job.name)
        if args and child.positional == args:  # what the script itself sets stays
            child.positional = before

    def run_traps(self, final: State) -> None:
        """Read the texts of traps once more, as things stand when they run."""
        killed = any(one.name == "kill" for one in self.found.commands)
        for trap in self._traps:
            for state in (trap.state, final):
                if not state.same(trap.before) and ("$" in trap.text or "`" in trap.text):
                    trap.before = state.copy()
                    self._text(trap.text, trap.before.copy(), trap.context, trap.node)
            if killed and comes_at_any_time(trap.signals, killed=True) and "=" in trap.text:
                self.note(_CHANGING_TRAP)

    def _child(self, job: Job, nested: Nested, state: State) -> State:
        """The state in which a nested command runs."""
        if job.name in SAME_SHELL:
            return state
        if nested.kind == "argv" or job.name == "trap":  # what a trap runs sees the variables, and changes none here
            child = state.copy()
            pass_on(job.name, job.args, child)
            return child
        child = state.child(job.env)
        args = job.args
        if nested.words[0] in args:
            rest = args[args.index(nested.words[0]) + 1 :]
            child.variables["0"] = rest[0] if rest else job.name
            child.positional = rest[1:]
            if job.loose:
                child.sure = next((at for at, word in enumerate(rest[1:]) if UNKNOWN in word), -1)
        return child

    def _passed_on(self, job: Job, words: tuple[str, ...], state: State, context: Context) -> dict[str, str]:
        """The variables that `env` and `sudo` set for a command."""
        given: dict[str, str] = {}
        before = len(job.args) - len(words)
        if before <= 0 or job.args[before:] != words:
            return given
        for word in job.args[:before]:
            found = _GIVEN.fullmatch(word)
            if found is not None:
                given[found[1]] = found[2]
                self.run_variable(found[1], found[2], job.node, state.copy(), context, kept=False)
        return given

    def _fill(self, words: tuple[str, ...], args: tuple[str, ...], use: Use, context: Context) -> Iterable[list[str]]:
        """The commands to which words from the input are added, with those words where they are known."""
        feed = context.feed if use.stdin == "args" else None
        text = feed.read(self.reach) if feed is not None else None
        names = feed.names() if feed is not None and text is None else None
        if names is not None and UNKNOWN not in words[0]:
            placed = takes_places(use)
            return [[word.replace(UNKNOWN, names) if placed or word == UNKNOWN else word for word in words]]
        if text is None or UNKNOWN in text:
            return [list(words)]
        return commands_with(text, words, args[: len(args) - len(words) + 1], use)

    def _told_files(self, use: Use, feed: Feed | None) -> Use:
        """A command that takes the names of files from its input, with those that are known."""
        text = self.read(feed)
        if text is None or UNKNOWN in text:
            return use
        return replace(use, reads=(*use.reads, *text.split()))

    def _stdin(self, job: Job, use: Use, state: State, context: Context, place: int) -> Feed | None:
        """Walk what a command reads and runs."""
        feed = context.feed
        if feed is None or use.stdin == "args":
            return None
        if feed.file:
            self.found.unread.append(Unread(feed.file, (), place, by=job.name))
            return None
        text = self.read(feed)
        if text is None:
            return None
        if use.stdin == "shell":
            inner = context.within(job.name, plain=False, feed=None)
            child = state if job.name in SAME_SHELL else state.child(job.env)
            return self._text(text, child, inner, job.node, job.name)
        self.found.code.append(Code(use.stdin.removeprefix("code:"), text, place))
        return None

    def _outside(self, nested: Nested, place: int) -> None:
        """Note code that is not a shell's: a file, or another language."""
        if nested.kind == "file":
            self.found.unread.append(Unread(nested.words[0], nested.words[1:], place, by=nested.by))
        else:
            self.found.code.append(Code(nested.kind.removeprefix("code:"), "\n".join(nested.words), place))


def _given_to(job: Job, state: State) -> Mapping[str, str]:
    """The variables that a program sees, as far as the line sets them."""
    if not state.exported:
        return job.env
    exported = {name: state.variables.get(name) for name in state.exported}
    return {**{name: value for name, value in exported.items() if isinstance(value, str)}, **job.env}


def _function(program: str, state: State) -> tuple[Function | None, bool]:
    """The function of that name, and whether it is surely that one."""
    found = state.functions.get(program)
    return (None, False) if found is None else (found[0], not found[1])


def _with_trait(command: Command, trait: str) -> Command:
    """A command that does more than its table says."""
    return replace(command, use=replace(command.use, traits=command.use.traits - {"read-only"} | {trait}))


def _is_strange(program: str, use: Use, context: Context, home: str) -> bool:
    """Whether a program is a file that nobody has read or described."""
    if not is_installed(program, home):
        return not (context.away and use.known)  # what lies in a container or on another machine is not known here
    return not use.known and ((context.aside and program[:1] in ("/", "~")) or f"{UNKNOWN}/" in program)


def _is_driven(use: Use, context: Context, redirects: tuple[Redirect, ...]) -> bool:
    """Whether a program waits for what a person types."""
    if use.stdin == "data":
        return "interactive" in use.traits
    return use.stdin != "args" and not use.runs and context.feed is None and not redirects


def _runs_texts(use: Use) -> bool:
    return use.stdin not in ("data", "args") or any(nested.kind != "argv" for nested in use.runs)


def _processes(node: Simple) -> list[ProcessSubstitution]:
    return [
        part for word in node.words if isinstance(word, list) for part in word if isinstance(part, ProcessSubstitution)
    ]
