"""Walking what was parsed, in the order in which a shell would: lists, pipelines, loops, branches, words."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import zip_longest
from typing import Any

from msgspec.structs import replace

from interlock.facts.limits import LOOP_ROUNDS, LOOP_VALUES, RUN_VALUES, SETTLING
from interlock.facts.shell.assigning import DECLARES
from interlock.facts.shell.context import PIPED, TOP, Context, Feed
from interlock.facts.shell.failures import READ_ONLY, may_fail
from interlock.facts.shell.model import UNKNOWN, Command, Flow, Redirect, Shell
from interlock.facts.shell.run import RUNS_UNKNOWN, Beside, Job, Runner, UseOf
from interlock.facts.shell.scan import Budget
from interlock.facts.shell.state import State
from interlock.facts.shell.tree import (
    Background,
    Branches,
    Chain,
    Function,
    Group,
    Heredoc,
    Loop,
    Node,
    Opening,
    Pipeline,
    ProcessSubstitution,
    Sequence,
    Simple,
    Substitution,
    Test,
    Variable,
    Word,
)

__all__ = ["Walk"]

_FLOWS: dict[str, Flow] = {
    "<": "read", "<&": "read", ">": "write", ">|": "write", ">&": "write", "&>": "write", ">>": "append",
    "&>>": "append", "<>": "both",
}  # fmt: skip
_COPIES = frozenset({"<&", ">&"})
_MOVES = frozenset({"command", "builtin", "exec"})
_LEAVES = frozenset({"exit", "return", "break", "continue", "exec"})
# Commands that are taken to succeed, so that what is behind their `&&` is taken to be done.
_SUCCEEDS = frozenset({
    "cd", "mkdir", "true", ":", "echo", "export", "set", "umask", "shopt", "trap", "pushd", "printf",
    "declare", "local",
})  # fmt: skip
_QUIET = frozenset({"cd", "true", ":", "export", "set", "umask", "shopt", "declare", "local", "unset"})
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")


class Walk(Runner):
    """One walk over a line."""

    def __init__(self, budget: Budget, use_of: UseOf, known: Mapping[str, str], beside: Beside | None = None) -> None:
        super().__init__(budget, use_of, known, beside)
        self.failed: list[State] = []  # how things stand if an expansion failed, for as long as its line lasts
        self._defined: dict[int, tuple[Function, State, Context]] = {}
        self._outgoing: list[tuple[ProcessSubstitution, State]] = []

    def shell(self, body: Sequence, positional: tuple[str, ...] | None = None, *, aside: bool = False) -> Shell:
        """Walk a whole line."""
        final = state = State(self.known, self.note)
        state.positional = positional
        self.walk(body, state, replace(TOP, aside=True) if aside else TOP)
        while left := [one for key, one in self._defined.items() if key not in self.called]:
            for function, state, context in left:  # defined for something that is not in the line
                self.called.add(id(function))
                state.positional = None
                self.walk(function.body, state, context.within(f"{function.name}()", active=frozenset({id(function)})))
        self.run_traps(final)
        self.budget.fuel.commands -= len(self.found.commands)
        return self.found.shell(self.budget)

    def walk(self, node: Node, state: State, context: Context) -> Feed | None:
        if not self.may(_cost(state) if state.variables or state.functions else 1):
            return None
        self.level += 1
        feed = _WALKERS[type(node)](self, node, state, context)
        self.level -= 1
        return feed

    def _skip(self, nodes: int, state: State) -> None:
        """Leave out what would only be found to be too much. It costs what finding that out costs."""
        self.may(nodes * _cost(state))

    # Lists and compound commands.

    def _sequence(self, node: Sequence, state: State, context: Context) -> Feed | None:
        feed = None
        for place, one in enumerate(node.nodes):
            if self.failed and place in node.lines:
                state.either([state.copy(), *self.failed])
                if not context.depth:
                    self.failed.clear()
            if len(self.found.commands) >= self.budget.fuel.commands:
                self._skip(len(node.nodes) - place, state)
                return None
            feed = self.walk(one, state, context)
        return feed if all(map(_prints_nothing, node.nodes[:-1])) else None

    def _background(self, node: Background, state: State, context: Context) -> Feed | None:
        if node.talks:
            self.walk(node.body, state.copy(), replace(context, feed=PIPED))
            return None
        return self.walk(node.body, state.copy(), context)

    def _chain(self, node: Chain, state: State, context: Context) -> Feed | None:
        left: State | None = None  # how things stand where the chain may have been left
        previous = node.links[0][1]
        printed = self.walk(previous, state, context)
        for op, link in node.links[1:]:
            if op == "&&":
                if not _succeeds(previous):
                    left = _either(left, state.copy())
                printed = self.walk(link, state, context)
            else:
                other = state.copy()
                if left is not None:
                    other.either([other.copy(), left])
                self.walk(link, other, context)
                if _leaves(link):
                    left = None
                else:
                    state.either([state.copy(), other])
            previous = link
        if left is not None:
            state.either([state.copy(), left])
        quiet = all(_prints_nothing(link) for _, link in node.links[:-1])
        return printed if quiet and all(op != "||" for op, _ in node.links) else None

    def _pipeline(self, node: Pipeline, state: State, context: Context) -> Feed | None:
        number, stage, feed = context.pipeline, context.stage, context.feed
        if number < 0:
            number, stage = self.found.pipeline(), 0
        printed: Feed | None = None
        for place, one in enumerate(node.stages):
            if len(self.found.commands) >= self.budget.fuel.commands:
                self._skip(len(node.stages) - place, state)
                return None
            begun = len(self.found.commands)
            inner = state.copy()
            printed = self.walk(one, inner, context.at(number, stage, feed))
            if place + 1 == len(node.stages):
                state.take_last(inner)
            stage = self.found.behind(begun, number, stage + 1)
            feed = printed or PIPED
        return printed

    def _group(self, node: Group, state: State, context: Context) -> Feed | None:
        inner = state.copy() if node.apart else state
        if not node.openings:
            return self.walk(node.body, inner, context)
        if context.pipeline < 0:
            context = context.at(self.found.pipeline(), 0, context.feed)
        begun = len(self.found.commands)
        opened = _Openings(self.descriptors.read_instead(context.feed))
        for opening in node.openings:
            self._open(opening, opened, state, context)
        stage = self.found.behind(begun, context.pipeline, context.stage)
        context = context.at(context.pipeline, stage, opened.feed)
        if opened.redirects:
            self.emit(Command("", (), node.text, redirects=tuple(opened.redirects)), state, context, node)
        printed = self.walk(node.body, inner, context)
        self._drain(context.at(context.pipeline, stage + 1, printed or PIPED))
        return None if opened.away else printed

    def _loop(self, node: Loop, state: State, context: Context) -> Feed | None:
        before = state.copy()
        values: list[str] | None = None
        variable = node.variable or _read_by(node)
        words: list[Word] | None = (
            [[Variable("@", quoted=True)]] if node.variable and node.words is None else node.words
        )
        if words is not None:
            values = [field for word in words for field in self.fields(word, state, context)]
        elif variable:
            values = (self.read(context.feed) or "").splitlines()
        begun = len(self.found.commands)
        rounds = context.rounds * len(values or ())
        if values and words and len(values) <= LOOP_VALUES.most and rounds <= LOOP_ROUNDS.most:
            self._each(node, variable, values, state, replace(context, rounds=rounds))
            self.found.once(begun)
        else:
            if node.variable:
                state.assign(node.variable, None)
            self._rounds(node, state, context, begun)
            if values and any(map(_runs_unknown, self.found.commands[begun:])):
                self._run_each(node, variable, values, state.copy(), context)
                self.found.once(begun)
        state.either([state.copy(), before])
        return None

    def _rounds(self, node: Loop, state: State, context: Context, begun: int) -> None:
        """Walk a loop until another round finds things as the last one did."""
        for _ in range(SETTLING.most):
            start = state.copy()
            self._round(node, state, context)
            self.found.once(begun)
            if state.same(start):
                return
            state.either([state.copy(), start])
            if state.same(start):  # what is not known before a round may be known behind it, and changes nothing
                return
        self.reach(SETTLING)

    def _each(self, node: Loop, variable: str, values: list[str], state: State, context: Context) -> None:
        for value in values:
            state.assign(variable, value)
            self.walk(node.body, state, context)

    def _run_each(self, node: Loop, variable: str, values: list[str], state: State, context: Context) -> None:
        """Walk a loop over many values once more, since it may run them: they are commands that the line gives."""
        known = list(dict.fromkeys(value for value in values if UNKNOWN not in value))
        if len(known) > RUN_VALUES.most:
            self.reach(RUN_VALUES)
        else:
            self._each(node, variable, known, state, context)

    def _round(self, node: Loop, state: State, context: Context) -> None:
        if node.head is not None:
            if _read_by(node):
                self.taken.pop(id(context.feed), None)
            self.walk(node.head, state, context)
        self.walk(node.body, state, context)

    def _branches(self, node: Branches, state: State, context: Context) -> Feed | None:
        ways: list[State] = []
        for word in node.words:
            self.text(word, state, context)
        for head, body in zip_longest(node.heads, node.bodies):
            if head is not None:
                self.walk(head, state, context)
            if body is not None:
                way = state.copy()
                self.walk(body, way, context)
                ways.append(way)
        if not node.whole or not ways:
            ways.append(state.copy())
        state.either(ways)
        return None

    def _test(self, node: Test, state: State, context: Context) -> Feed | None:
        self.condition(node, state, context)
        return None

    def _function(self, node: Function, state: State, context: Context) -> Feed | None:
        state.functions[node.name] = (node, False)
        self.found.functions.append(node.name)
        self._defined[id(node)] = (node, state.copy(), context)
        return None

    # Substitutions.

    def substitute(self, part: Substitution, state: State, context: Context) -> str | None:
        if not part.body.nodes:
            return ""
        printed = self.walk(part.body, state.copy(), context.apart("$(…)"))
        if printed is None:
            return None
        text = self.read(printed)
        return printed.names() if text is None else text.rstrip("\n")

    def process(self, part: ProcessSubstitution, state: State, context: Context) -> None:
        if not part.feeds:
            self._outgoing.append((part, state.copy()))
            return
        inner = context.within("<(…)") if context.pipeline >= 0 else context.apart("<(…)")
        self.printed[id(part)] = (part, self.walk(part.body, state.copy(), inner))

    def _drain(self, context: Context) -> None:
        """Walk the `>(…)` that a command writes to."""
        while self._outgoing:
            part, state = self._outgoing.pop()
            self.walk(part.body, state, context.within(">(…)"))

    # Simple commands.

    def _simple(self, node: Simple, state: State, context: Context) -> Feed | None:
        begun = len(self.found.commands)
        if context.pipeline < 0:
            context = context.at(self.found.pipeline(), 0, context.feed)
        if "$" in node.text and may_fail(node.text):
            self._fail(state)
        for one in node.assignments:
            if one.name in READ_ONLY or "r" in state.kinds.get(one.name, ""):
                self._fail(state)
        fields: list[str] = []
        seen = _seen_by_words(node, state) if node.assignments and node.words else state
        self.loose = False
        for word in node.words:
            if isinstance(word, str) and word[:1] != "~":
                fields.append(word)
            else:
                fields += self.fields(word, seen, context)
        loose = self.loose
        opened = _Openings(self.descriptors.read_instead(context.feed))
        for opening in node.openings:
            self._open(opening, opened, state, context)
        if node.openings and fields and fields[-1] == "exec" and _MOVES.issuperset(fields):
            self.descriptors.move(context.feed, opened.feed)
        env, declared = self.environment(node, fields, state, context) if node.assignments else ({}, ())
        stage = context.stage
        if len(self.found.commands) > begun:
            stage = self.found.behind(begun, context.pipeline, stage)
        if stage != context.stage or opened.feed is not context.feed:
            context = context.at(context.pipeline, stage, opened.feed)
        redirects = tuple(opened.redirects)
        printed: Feed | None = None
        if fields:
            job = Job(fields, node, node.text, begun, env, redirects, declared, loose)
            printed = self.run(job, state, context)
        elif redirects:
            self.emit(Command("", (), node.text, redirects=redirects), state, context, node)
        if self._outgoing:
            self._drain(context.at(context.pipeline, context.stage + 1, printed or PIPED))
        if redirects and printed is not None:
            self._write(redirects, printed)
        return None if opened.away else printed

    def _fail(self, state: State) -> None:
        """Note that the rest of the line may be left out. One state stands for all, so that many cost no more."""
        if self.failed:
            self.failed[0].either([self.failed[0].copy(), state.copy()])
        else:
            self.failed.append(state.copy())

    def _open(self, opening: Opening, opened: _Openings, state: State, context: Context) -> None:
        target = opening.target
        if isinstance(target, Heredoc):
            text = self.text(target.parts, state, context)
            self._feed(opening, opened, Feed(text=text + "\n" if opening.op == "<<<" else text))
            return
        process = [part for part in target if isinstance(part, ProcessSubstitution)] if isinstance(target, list) else []
        text = self.place(target, state, context)
        if opening.op in _COPIES:
            copied, feed = self.descriptors.copy_of(text, opened.feed)
            if copied:
                if opening.op == "<&" or opening.descriptor == "0":
                    self._feed(opening, opened, feed)
                elif text.rstrip("-") != "1":
                    opened.away = True
                return
        flow = _FLOWS[opening.op]
        if not process:
            opened.redirects.append(Redirect(flow, text))
        if flow in ("read", "both"):
            feed = PIPED if process or text == UNKNOWN else Feed(file=text)
            if len(process) == 1:
                feed = self.printed.get(id(process[0]), (None, None))[1] or PIPED
            self._feed(opening, opened, feed)
        if flow in ("write", "append"):
            opened.away = True

    def _feed(self, opening: Opening, opened: _Openings, feed: Feed | None) -> None:
        """Let a command read something, or open it for whoever reads that descriptor."""
        if opening.descriptor in ("", "0"):
            opened.feed = feed
        else:
            self.descriptors.open(opening.descriptor, feed)

    def _write(self, redirects: tuple[Redirect, ...], printed: Feed) -> None:
        """Note a text that goes into a file."""
        targets = [one for one in redirects if one.kind in ("write", "append") and one.target != "/dev/null"]
        if not targets:
            return
        text = self.read(printed)
        if text is None and printed.name == "cat":
            texts = [self.found.text_of(file) for file in printed.args]
            text = "".join(one for one in texts if one is not None) if texts and None not in texts else None
        for one in targets:
            before = self.found.text_of(one.target) if one.kind == "append" else None
            if text is not None:
                self.found.put(one.target, (before or "") + text, adds=before is not None)
            elif self.found.text_of(one.target) is not None:
                self.found.put(one.target, f"{before or ''}\n{UNKNOWN}\n", adds=before is not None)


def _either(one: State | None, other: State) -> State:
    """What holds in both of two states; the first may be missing."""
    if one is not None:
        one.either([one.copy(), other])
    return other if one is None else one


def _read_by(node: Loop) -> str:
    """The variable that `while read -r x; do …` gives each line of its input to; empty if it is no such loop."""
    last = node.head.nodes[-1] if node.head is not None and node.head.nodes else None
    words = last.words if isinstance(last, Simple) else []
    names = [word for word in words[1:] if isinstance(word, str) and _IDENTIFIER.fullmatch(word)]
    return names[0] if words[:1] == ["read"] and len(names) == 1 else ""


def _seen_by_words(node: Simple, state: State) -> State:
    """What the words of `A=x cmd $A` see: not what is set beside them, and nobody should rely on what was before."""
    names = [one.name for one in node.assignments if one.name not in state.variables]
    if not names or (isinstance(node.words[0], str) and node.words[0] in DECLARES):
        return state
    seen = state.copy()
    seen.variables.update(dict.fromkeys(names))
    return seen


def _cost(state: State) -> int:
    """The steps that a node costs: a state is copied at many of them."""
    return 1 + (len(state.variables) + len(state.functions)) // 16


class _Openings:
    """What is opened for a command."""

    __slots__ = ("away", "feed", "redirects")

    def __init__(self, feed: Feed | None) -> None:
        self.redirects: list[Redirect] = []
        self.feed = feed
        self.away = False  # what it prints goes elsewhere


def _succeeds(node: Node) -> bool:
    if not isinstance(node, Simple):
        return False
    return not node.words or (isinstance(node.words[0], str) and node.words[0] in _SUCCEEDS)


def _runs_unknown(command: Command) -> bool:
    """Whether a command is not known, or runs what is not known."""
    return command.opaque in RUNS_UNKNOWN


def _prints_nothing(node: Node) -> bool:
    if not isinstance(node, Simple):
        return False
    return not node.words or (isinstance(node.words[0], str) and node.words[0] in _QUIET)


def _leaves(node: Node) -> bool:
    """Whether nothing behind this is reached."""
    if isinstance(node, Sequence):
        return bool(node.nodes) and _leaves(node.nodes[-1])
    return isinstance(node, Simple) and bool(node.words) and isinstance(node.words[0], str) and node.words[0] in _LEAVES


_WALKERS: dict[type, Callable[[Walk, Any, State, Context], Feed | None]] = {
    Sequence: Walk._sequence,
    Chain: Walk._chain,
    Pipeline: Walk._pipeline,
    Background: Walk._background,
    Group: Walk._group,
    Loop: Walk._loop,
    Branches: Walk._branches,
    Test: Walk._test,
    Function: Walk._function,
    Simple: Walk._simple,
}
