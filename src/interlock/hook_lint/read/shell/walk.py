"""Walking a shell program on every way through it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from msgspec import Struct

from interlock.facts.shell.grammar import parse
from interlock.facts.shell.scan import Budget
from interlock.facts.shell.tree import (
    Array,
    Assignment,
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
    Word,
)
from interlock.hook_lint.program import Span
from interlock.hook_lint.read.shell.commands import BUILTINS, Command, run_program
from interlock.hook_lint.read.shell.filters import FILTERS, cut_out
from interlock.hook_lint.read.shell.holes import EVENT, Ask, Hole, Holes, has_holes
from interlock.hook_lint.read.shell.languages import LANGUAGES
from interlock.hook_lint.read.shell.queries import QUERIES
from interlock.hook_lint.read.shell.record import Places, Record
from interlock.hook_lint.read.shell.state import Defined, State, Value, Write, merged
from interlock.hook_lint.read.shell.tests import Truth, arithmetic, double_bracket, glob_ask, status_of, world
from interlock.hook_lint.read.shell.words import Words, assigned_in

__all__ = ["Call", "Ended", "Walk"]

MOST_STEPS = 5_000
# How many ways are kept apart up to so many steps.
_MOST_STATES = ((800, 10), (1_600, 6), (2_400, 3), (math.inf, 1))
MOST_DEPTH = 12
MOST_ENDS = 400
_NEGATION = re.compile(r"(?:^|[\s;&|({])!\s+\Z")
_UNTIL = re.compile(r"until\b")
COMMANDS: Mapping[str, Command] = {**BUILTINS, **FILTERS, **QUERIES, **LANGUAGES}


class Call(Struct):
    """A command that is run, with its words as they are then."""

    name: str
    args: list[str]
    node: Simple
    span: Span
    words: list[Word]  # of the arguments, as they are written, if each became one

    @property
    def text(self) -> str:
        return " ".join(self.node.text.split())


class Ended(Struct):
    """One end of the program."""

    state: State
    code: int | None
    how: str
    span: Span


class Walk(Words):
    """One walk through a program.

    `missing`: programs that are not there, for the question what the hook does without them.
    """

    def __init__(
        self,
        file: str,
        text: str,
        places: Places,
        budget: Budget,
        *,
        find_file: Callable[[str], str | None],
        missing: frozenset[str] = frozenset(),
    ) -> None:
        self.file = file
        self.find_file = find_file
        self.source = text
        self.places = places
        self.budget = budget
        self.missing = missing
        self.holes = Holes()
        self.record = Record()
        self.ended: list[Ended] = []
        self.assigned = assigned_in(text)
        self.steps = 0
        self.depth = 0
        self.sourced = False  # functions may come from another file
        self._here = places.span(0, 0)
        self._stands_at: Span | None = None  # where everything is that is not written in this file
        self._apart = 0  # in how many shells of their own we are
        self._unchecked = 0  # in how many places a failure does not end the program
        self._calls: list[str] = []
        self._quiet: set[str] = set()  # the traps that say nothing

    # What others need.

    @property
    def here(self) -> Span:
        return self._here

    def span_of(self, start: int, end: int) -> Span:
        return self.places.span(start, end) if self._stands_at is None else self._stands_at

    @contextmanager
    def elsewhere(self, source: str, at: Span) -> Iterator[None]:
        """Walk what is not written in this file as it is: all of it has one place here."""
        before = self.source, self._stands_at
        self.source, self._stands_at = source, at
        self.depth += 1
        yield
        self.depth -= 1
        self.source, self._stands_at = before

    def _text_of(self, span: Span) -> str:
        """What is written at a place, on one line."""
        return " ".join(self.source[span.start : span.end].split()) if self._stands_at is None else "$?"

    def decides(self, *texts: str) -> None:
        """Note that something depends on these texts."""
        for text in texts:
            if not text.isascii():
                self.record.deciding.update(self.holes.names(text))
                self.record.deciding.update(self.holes.programs(text))

    def unread(self, why: str) -> None:
        self.record.unread = self.record.unread or why

    @property
    def in_function(self) -> bool:
        return bool(self._calls)

    # The whole.

    def program(self, body: Sequence) -> None:
        """Walk the whole program."""
        start = State(self.holes.mark(EVENT))
        for state in self.run(body, start):
            how, code = _end_of(state)
            for one, known in code:
                self.end(one, known, how, state.last or self._last_of(body))

    def _last_of(self, body: Sequence) -> Span:
        place = _place_of(body.nodes[-1]) if body.nodes else None
        return self.span_of(*place) if place is not None else self.span_of(0, 0)

    def end(self, state: State, code: int | None, how: str, span: Span) -> None:
        """The program ends here; a trap may still say something else."""
        handler = state.traps.get("EXIT") or state.traps.get("0")
        if handler is not None and handler not in self._quiet:
            state = state.copy()
            state.traps = {name: text for name, text in state.traps.items() if name not in ("EXIT", "0")}
            state.status, state.flow = (code if code is not None else _any_code(span)), ""
            ways = self.text_of_program(handler, state)
            if all(way.flow != "exit" and _heard(way) == _heard(state) for way in ways):
                self._quiet.add(handler)
                ways = [state]
            for one in ways:
                if one.flow == "exit":
                    self._end(one, _code(one), "exit", one.last or span)
                else:
                    self._end(one, code, how, span)
            return
        self._end(state, code, how, span)

    def _end(self, state: State, code: int | None, how: str, span: Span) -> None:
        if len(self.ended) < MOST_ENDS:
            self.ended.append(Ended(state, code, how, span))

    def text_of_program(self, text: str, state: State) -> list[State]:
        """Run the commands in a text: of `eval`, `trap`, `bash -c`."""
        if self.holes.sole(text.strip()) is not None:
            return [state]
        if self.depth > MOST_DEPTH:
            self.unread("it is nested too deeply")
            return [state]
        at = self.source.find(text) if len(text) > 8 else -1
        if at >= 0:
            return self.run(parse(text, Budget(self.budget.fuel), 0, at), state)
        with self.elsewhere(text, self._here):
            return self.run(parse(text, Budget(self.budget.fuel)), state)

    def source_file(self, name: str, state: State) -> list[State] | None:
        """Run the commands of another file; None if there is no such file."""
        text = self.find_file(name) if self.depth <= MOST_DEPTH else None
        if text is None:
            return None
        self.assigned |= assigned_in(text)
        with self.elsewhere(text, self._here):
            found = self.run(parse(text, Budget(self.budget.fuel)), state)
        for one in found:
            if one.flow == "return":
                one.flow = ""
        return found

    def together(self, states: list[State]) -> list[State]:
        """The same ways, with some put together; the longer the walk, the more of them."""
        if len(states) < 2:
            return states
        most = next(most for steps, most in _MOST_STATES if self.steps < steps)
        return merged(states, self.holes, most)

    # Nodes.

    def run(self, node: Node, state: State) -> list[State]:
        """The ways behind a command."""
        self.steps += 1
        if self.steps > MOST_STEPS:
            self.unread("there are too many ways through it")
            return [state]
        return _RUNNERS[type(node)](self, node, state)

    def _each(self, node: Node, states: list[State]) -> list[State]:
        """Go on with a command on each way that has not been left."""
        found: list[State] = []
        for state in states:
            if state.flow:
                found.append(state)
            else:
                found += self.run(node, state)
        return self.together(found) if len(found) > 1 else found

    def _sequence(self, node: Sequence, state: State) -> list[State]:
        states = [state]
        for one in node.nodes:
            if all(way.flow for way in states):
                break
            states = self._each(one, states)
        return states

    def asked(self, node: Node, state: State) -> tuple[list[State], list[State], list[State]]:
        """The ways on which a command works, on which it does not, and on which it leaves."""
        self._unchecked += 1
        states = self.run(node, state)
        self._unchecked -= 1
        works: list[State] = []
        fails: list[State] = []
        leaves: list[State] = []
        for one in states:
            if one.flow:
                leaves.append(one)
                continue
            yes, no = one.split()
            works += [yes] if yes is not None else []
            fails += [no] if no is not None else []
        return self.together(works), self.together(fails), leaves

    def _chain(self, node: Chain, state: State) -> list[State]:
        """`a && b || c`."""
        states = [state]
        links = node.links
        for place, (_, link) in enumerate(links):
            last = place + 1 == len(links)
            if place:
                op = links[place][0]
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
            else:
                going, waiting = states, []
            if not last:
                self._unchecked += 1
            done = [way for one in self.together(going) for way in self.run(link, one)]
            if not last:
                self._unchecked -= 1
            states = [*done, *waiting]
        return self.together(states)

    def _background(self, node: Background, state: State) -> list[State]:
        inner = state.copy()
        self._apart += 1
        self.run(node.body, inner)
        self._apart -= 1
        state.status = 0
        return [state]

    def _function(self, node: Function, state: State) -> list[State]:
        state.functions = {**state.functions, node.name: Defined(node, self.source, self._stands_at is not None)}
        state.status = 0
        return [state]

    # Pipelines and shells of their own.

    def _pipeline(self, node: Pipeline, state: State) -> list[State]:
        negates = self._is_negated(node.stages[0])
        fed = state.stdin
        failures: list[Ask] = []
        for stage in node.stages[:-1]:
            fed, status = self._stage(stage, state, fed)
            if isinstance(status, Ask):
                failures.append(status)
        last = node.stages[-1]
        inner = state.copy()
        inner.stdin = fed
        found = []
        for one in self.apart(last, inner):
            way = self.back(one, state)
            if failures and "pipefail" in way.options and way.status == 0:
                way.status = failures[0]
            found.append(self._negated(way) if negates else way)
        return self.together(found)

    def _stage(self, stage: Node, state: State, fed: str) -> tuple[str, Any]:
        """Run a part of a pipeline whose output goes on; what it prints, and its exit code."""
        inner = state.copy()
        inner.stdin = fed
        self._unchecked += 1
        text, status, writes = self.captured(stage, inner)
        self._unchecked -= 1
        state.writes = writes
        return text, status

    def apart(self, node: Node, state: State) -> list[State]:
        """Run something in a shell of its own, which `exit` leaves."""
        self._apart += 1
        found = self.run(node, state)
        self._apart -= 1
        for one in found:
            one.flow = ""
        return found

    def apart_text(self, text: str, state: State) -> list[State]:
        """Run the commands in a text in a shell of its own."""
        self._apart += 1
        found = self.text_of_program(text, state)
        self._apart -= 1
        for one in found:
            one.flow = ""
        return found

    def back(self, inner: State, outer: State) -> State:
        """How things stand behind a shell of its own: what it has set is lost."""
        way = inner.copy()
        way.variables, way.functions, way.traps = outer.variables, outer.functions, outer.traps
        way.stdin, way.out, way.options, way.positional = outer.stdin, outer.out, outer.options, outer.positional
        return way

    def captured(self, node: Node, state: State) -> tuple[str, Any, tuple[Write, ...]]:
        """What a command prints, its exit code, and everything that was written but for that."""
        name = f"captured {self.depth} {self._apart}"
        state = state.copy()
        before = state.writes
        state.out = {**state.out, 1: name}
        state.writes = ()
        self.depth += 1
        if self.depth > 2 * MOST_DEPTH:
            self.depth -= 1
            return self.holes.mark(), 0, before
        ways = self.apart(node, state)
        self.depth -= 1
        texts = []
        other: tuple[Write, ...] = ()
        for way in ways:
            texts.append("".join(write.text for write in way.writes if write.stream == name))
            other = tuple(dict.fromkeys((*other, *(write for write in way.writes if write.stream != name))))
        own = [ask for way in ways for ask, _ in way.conditions if (ask, True) not in state.conditions]
        paths = tuple(dict.fromkeys(path for ask in own for path in ask.paths)) if len(ways) > 1 else ()
        statuses = list(dict.fromkeys(way.status for way in ways))
        status: Any = statuses[0] if len(statuses) == 1 else _some_status(ways, self._here, self._text_of(self._here))
        return self.holes.joined(texts, paths) if texts else "", status, (*before, *other)

    def substitute(self, body: Sequence, state: State) -> str:
        here = self._here
        text, state.status, state.writes = self.captured(body, state)
        self._here = here
        return text.rstrip("\n")

    def _group(self, node: Group, state: State) -> list[State]:
        negates = self._is_negated(node)
        before = (state.stdin, state.out)
        inner = state.copy()
        for opening in node.openings:
            self.open(opening, inner)
        found = self.apart(node.body, inner) if node.apart else self.run(node.body, inner)
        back = []
        for one in found:
            way = self.back(one, state) if node.apart else one
            way.stdin, way.out = before
            back.append(self._negated(way) if negates else way)
        return self.together(back)

    # Loops and branches.

    def _loop(self, node: Loop, state: State) -> list[State]:
        if node.variable:
            return self._for(node, state)
        head = node.head or Sequence([])
        works, fails, leaves = self.asked(head, state)
        if _UNTIL.match(self.source, node.start):
            works, fails = fails, works
        after = list(fails)
        for one in works:
            after += self._body(node.body, one)
        for one in after:
            if not one.flow:
                one.status = 0
        return self.together([*leaves, *after])

    def _for(self, node: Loop, state: State) -> list[State]:
        if node.words is None:
            values = list(state.positional) if state.positional is not None else [self.argument("@", state)]
        else:
            values = [field for word in node.words for field in self.fields(word, state)]
        if not values:
            state.status = 0
            return [state]
        known = [value for value in values if not has_holes(value)]
        sure = len(known) == len(values)
        skipped = None if known else state.copy()
        inner = state.copy()
        if len(values) == 1:
            each = values[0]
        elif sure:
            each = self.holes.mark(Hole(values=tuple(dict.fromkeys(values))[:200]))
        else:
            each = self.holes.joined(values)
        inner.set(node.variable, each)
        found = self._body(node.body, inner)
        for one in found:
            if not one.flow:
                one.status = 0
        return self.together([*found, *([skipped] if skipped is not None else [])])

    def _body(self, body: Sequence, state: State) -> list[State]:
        """One round of a loop."""
        found = self.run(body, state)
        for one in found:
            if one.flow in ("break", "continue"):
                one.flow = ""
        return found

    def _branches(self, node: Branches, state: State) -> list[State]:
        if node.heads:
            return self._if(node, state)
        return self._case(node, state)

    def _if(self, node: Branches, state: State) -> list[State]:
        found: list[State] = []
        going = [state]
        for place, body in enumerate(node.bodies):
            if place < len(node.heads):
                tried: list[State] = []
                then: list[State] = []
                for one in going:
                    works, fails, leaves = self.asked(node.heads[place], one)
                    then += works
                    tried += fails
                    found += leaves
                going = self.together(tried)
            else:
                then, going = going, []
            for one in then:
                found += self.run(body, one)
        for one in going:
            if not one.flow:
                one.status = 0
        return self.together([*found, *going])

    def _case(self, node: Branches, state: State) -> list[State]:
        subject = self.text(node.words[0], state) if node.words else ""
        found: list[State] = []
        going: list[State] = [state]
        at = 1
        head = " ".join(self.source[node.start : node.end].partition("\n")[0].split())
        for size, body in zip(node.arms, node.bodies, strict=False):
            words = node.words[at : at + size]
            at += size
            if not going:
                break
            patterns = [self.glob(word, going[0]) for word in words]
            span = self._span_of_words(words, node)
            source = f"{head} {'|'.join(self.holes.shown(one) for one in patterns)})"
            truth = glob_ask(self, subject, patterns, source, span) if patterns else True
            then: list[State] = []
            rest: list[State] = []
            for one in going:
                one.status = status_of(truth)
                yes, no = one.split()
                then += [yes] if yes is not None else []
                rest += [no] if no is not None else []
            for one in then:
                one.status = 0
                found += self.run(body, one)
            going = rest
        for one in going:
            one.status = 0
        return self.together([*found, *going])

    def _span_of_words(self, words: list[Word], node: Branches) -> Span:
        plain = next((word for word in words if isinstance(word, str) and len(word) > 1), None)
        at = self.source.find(plain, node.start, node.end) if plain is not None else -1
        if at >= 0 and plain is not None:
            return self.span_of(at, at + len(plain))
        quoted = [part.text for word in words if not isinstance(word, str) for part in word if hasattr(part, "text")]
        for text in quoted:
            at = self.source.find(text, node.start, node.end) if text else -1
            if at >= 0:
                return self.span_of(at, at + len(text))
        return self.span_of(node.start, node.end)

    def _test(self, node: Test, state: State) -> list[State]:
        span = self.span_of(node.start, node.end)
        self._here = span
        text = self.source[node.start : node.end]
        truth: Truth
        if not text.startswith(node.kind):
            truth = world(" ".join(text.split()), span)
        elif node.kind == "[[":
            truth = double_bracket(self, text, span, state)
        else:
            inner = "".join(self.text(word, state) for word in node.words)
            self._assign_in(inner, state)
            truth = arithmetic(self, inner, " ".join(text.split()), span, state)
        state.status = status_of(truth)
        return [self._negated(state) if self._is_negated(node) else state]

    def note_groups(self, text: str, pattern: str, state: State) -> None:
        """Set what a pattern takes out of a text: `BASH_REMATCH`."""
        hole = self.holes.sole(text.strip())
        cut = cut_out(self, hole, pattern) if hole is not None and hole.is_json and hole.origins else None
        state.set("BASH_REMATCH", cut if cut is not None else self.holes.derived(text))

    def _assign_in(self, text: str, state: State) -> None:
        """`(( count++ ))`, `(( total += 1 ))`."""
        for name in re.findall(r"([A-Za-z_]\w*)\s*(?:\+\+|--|[-+*/%]?=(?!=))", text):
            state.set(name, self.holes.mark(Hole(is_plain=True)))

    def _is_negated(self, node: Node) -> bool:
        place = _place_of(node)
        return place is not None and _NEGATION.search(self.source[max(0, place[0] - 12) : place[0]]) is not None

    def _negated(self, state: State) -> State:
        if state.flow:
            return state
        status = state.status
        state.status = status.flipped() if isinstance(status, Ask) else int(status == 0)
        return state

    # Simple commands.

    def _simple(self, node: Simple, state: State) -> list[State]:
        span = self.span_of(node.start, node.end)
        self._here = span
        fields: list[str] = []
        singles: list[Word] = []
        for word in node.words:
            some = self.fields(word, state)
            fields += some
            singles += [word] * len(some)
        before = (state.stdin, state.out)
        for opening in node.openings:
            self.open(opening, state)
        if not fields:
            for one in node.assignments:
                self.assign(one, state)
            if not node.assignments and any(opening.op == "<" for opening in node.openings):
                state.write(1, state.stdin, span)  # `$(<file)`
            if not any(_substitutes(one.value) for one in node.assignments):
                state.status = 0
            state.stdin, state.out = before
            return [self._negated(state)] if self._is_negated(node) else self.checked(node, [state], span)
        name, args = fields[0], fields[1:]
        kept = {one.name: state.variables.get(one.name) for one in node.assignments}
        declares = name in ("local", "declare", "typeset", "export", "readonly")
        for one in node.assignments:
            self.assign(one, state)
        call = Call(name, args, node, span, singles[1:] if len(singles) == len(fields) else [])
        found = self.call(call, state)
        for way in found:
            if not (name == "exec" and not args):
                way.stdin, way.out = before
            if kept and not declares:
                way.variables = _restored(way.variables, kept)
        if self._is_negated(node):
            return [self._negated(way) for way in found]
        return self.checked(node, found, span)

    def call(self, call: Call, state: State) -> list[State]:
        """Run a command: a function, one that the shell has, or a program."""
        self._here = call.span
        own = state.functions.get(call.name)
        if own is not None:
            return self._call_function(own, call, state)
        name = call.name.rpartition("/")[2]
        command = run_program if has_holes(call.name) else COMMANDS.get(name, run_program)
        return command(self, call, state)

    def _call_function(self, own: Defined, call: Call, state: State) -> list[State]:
        if self._calls.count(call.name) > 1 or len(self._calls) > MOST_DEPTH:
            state.status = 0
            return [state]
        positional = state.positional
        state.positional = tuple(call.args)
        self._calls.append(call.name)
        if own.is_elsewhere:
            with self.elsewhere(own.source, call.span):
                found = self.run(own.node.body, state)
        else:
            found = self.run(own.node.body, state)
        self._calls.pop()
        for one in found:
            one.positional = positional
            if one.flow == "return":
                one.flow = ""
        return self.together(found)

    def checked(self, node: Simple, states: list[State], span: Span) -> list[State]:
        """What `set -e` and a trap for errors do if a command fails."""
        if self._unchecked or not any("errexit" in one.options or "ERR" in one.traps for one in states):
            return states
        found: list[State] = []
        for one in states:
            works, fails = (None, None) if one.flow else one.split()
            if fails is None:
                found.append(one)
                continue
            handler = one.traps.get("ERR")
            ways = [fails]
            fails.error = True
            if handler is not None:
                fails.traps = {name: text for name, text in fails.traps.items() if name != "ERR"}
                ways = self.text_of_program(handler, fails)
            for way in ways:
                if not way.flow and "errexit" in way.options:
                    self.leave(way, "command", span)
            found += [way for way in ways if way.flow] + ([works] if works is not None else [])
        return found

    def leave(self, state: State, how: str, span: Span) -> None:
        """End the program, or the shell of its own that we are in."""
        state.flow = "exit"
        state.last = span
        if not self._apart:
            code = _code(state)
            self.end(state, code, how, span)

    # Assignments and redirections.

    def assign(self, one: Assignment, state: State) -> None:
        if isinstance(one.value, Array):
            self._assign_array(one, one.value, state)
            return
        value = self.text(one.value, state)
        self._note_group(one.name, value)
        if one.index is not None:
            self._assign_item(one, value, state)
        elif one.adds:
            before = state.variables.get(one.name, "")
            state.set(one.name, (*before, value) if isinstance(before, tuple) else before + value)
        else:
            state.set(one.name, value)

    def _note_group(self, name: str, value: str) -> None:
        hole = self.holes.sole(value)
        if hole is not None and hole.origins and hole.change != "other":
            self.record.group(name, hole.origins)

    def _assign_array(self, one: Assignment, array: Array, state: State) -> None:
        values: list[str] = []
        keys: list[str] = []
        for word in array.words:
            keyed = _key_of(word)
            if keyed is not None:
                keys.append(keyed[0])
                values.append(self.text(keyed[1], state))
            else:
                values += self.fields(word, state)
        before = state.variables.get(one.name) if one.adds else None
        start: tuple[str, ...] = before if isinstance(before, tuple) else (before,) if before else ()
        state.set(one.name, (*start, *values))
        if keys:
            state.set(f"{one.name}!", tuple(keys))

    def _assign_item(self, one: Assignment, value: str, state: State) -> None:
        before = state.variables.get(one.name, ())
        items = before if isinstance(before, tuple) else (before,)
        key = self.text(one.index or "", state)
        keys = state.variables.get(f"{one.name}!", ())
        if isinstance(keys, tuple) and not key.isdigit():
            state.set(f"{one.name}!", (*keys, key))
        state.set(one.name, (*items, value))

    def open(self, opening: Opening, state: State) -> None:
        """Do a redirection."""
        op, descriptor = opening.op, opening.descriptor
        if isinstance(opening.target, Heredoc):
            text = self.text(opening.target, state)
            state.stdin = text + "\n" if op == "<<<" else text
            return
        if op == "<" and isinstance(opening.target, list) and isinstance(opening.target[0], ProcessSubstitution):
            state.stdin, _, state.writes = self.captured(opening.target[0].body, state)
            return
        target = self.text(opening.target, state)
        if op in ("<", "<>"):
            if descriptor in ("", "0"):
                hole = self.holes.sole(target)
                state.stdin = (
                    ""
                    if target == "/dev/null"
                    else (
                        state.stdin
                        if target in ("/dev/stdin", "-")
                        else target
                        if hole is not None and hole.paths
                        else self.holes.mark()
                    )
                )
            return
        if op == "<&":
            return
        number = int(descriptor) if descriptor.isdigit() else 1
        if op == ">&" and (target.isdigit() or target == "-"):
            state.out = {**state.out, number: state.out.get(int(target), "log") if target.isdigit() else "null"}
            return
        sink = {
            "/dev/null": "null", "/dev/stderr": state.out.get(2, "log"), "/dev/stdout": state.out.get(1, "log"),
            "/dev/fd/1": state.out.get(1, "log"), "/dev/fd/2": state.out.get(2, "log"),
        }.get(target, "log")  # fmt: skip
        both = op in ("&>", "&>>") or (op == ">&" and not descriptor)
        state.out = {**state.out, **({1: sink, 2: sink} if both else {number: sink})}


_Runner = Callable[[Walk, Any, State], list[State]]
_RUNNERS: Mapping[type, _Runner] = {
    Sequence: Walk._sequence, Chain: Walk._chain, Pipeline: Walk._pipeline, Background: Walk._background,
    Function: Walk._function, Group: Walk._group, Loop: Walk._loop, Branches: Walk._branches, Test: Walk._test,
    Simple: Walk._simple,
}  # fmt: skip


def _place_of(node: Node) -> tuple[int, int] | None:
    """Where a node is written."""
    if isinstance(node, Simple | Group | Loop | Branches | Test | Function):
        return node.start, node.end
    if isinstance(node, Chain):
        first, last = _place_of(node.links[0][1]), _place_of(node.links[-1][1])
    elif isinstance(node, Pipeline):
        first, last = _place_of(node.stages[0]), _place_of(node.stages[-1])
    elif isinstance(node, Sequence):
        if not node.nodes:
            return None
        first, last = _place_of(node.nodes[0]), _place_of(node.nodes[-1])
    else:
        first = last = _place_of(node.body)
    return None if first is None or last is None else (first[0], last[1])


def _end_of(state: State) -> tuple[str, list[tuple[State, int | None]]]:
    """How a program ends that is not left: with the exit code of its last command."""
    if state.flow == "exit":
        return "exit", []
    status = state.status
    if isinstance(status, int):
        how = "end" if status == 0 else "command"
        return how, [(state, None if status < 0 else status)]
    if status.code is None or status.failure:
        return "command", [(state, 0 if status.failure and not status.inverted else None)]
    yes, no = state.split()
    return "command", [(one, _code(one)) for one in (yes, no) if one is not None]


def _code(state: State) -> int | None:
    status = state.status
    return status if isinstance(status, int) and status >= 0 else None


def _any_code(span: Span) -> Ask:
    return Ask(text="$?", key="", span=span, code=None)


def _some_status(ways: list[State], span: Span, text: str) -> Ask:
    """The exit code of something that ends in different ways."""
    asks = [way.status for way in ways if isinstance(way.status, Ask)]
    conditions = [ask for way in ways for ask, _ in way.conditions]
    some = [*asks, *conditions]
    atoms = tuple(dict.fromkeys(atom for ask in asks for atom in ask.atoms))
    paths = tuple(dict.fromkeys(path for ask in some for path in ask.paths))
    codes = {way.status for way in ways if isinstance(way.status, int) and way.status != 0}
    code = codes.pop() if len(codes) == 1 else None
    return Ask(text=text, key="", span=span, atoms=atoms, paths=paths, code=None if code == -1 else code)


def _substitutes(value: Word | Array) -> bool:
    return isinstance(value, list) and any(isinstance(part, Substitution) for part in value)


def _restored(variables: dict[str, Value], kept: dict[str, Value | None]) -> dict[str, Value]:
    """The variables behind a command that was given some of its own."""
    found = {name: value for name, value in variables.items() if name not in kept}
    return {**found, **{name: value for name, value in kept.items() if value is not None}}


def _key_of(word: Word) -> tuple[str, Word] | None:
    """The key and value of `[key]=value` in an array."""
    if isinstance(word, str):
        found = re.fullmatch(r"\[([^\]]*)\]=(.*)", word, re.DOTALL)
        return None if found is None else (found[1], found[2])
    if not word or not isinstance(word[0], str) or not word[0].startswith("["):
        return None
    joined = "".join(part if isinstance(part, str) else getattr(part, "text", "…") for part in word)
    found = re.match(r"\[([^\]]*)\]=", joined)
    if found is None:
        return None
    return found[1].strip("\"'"), _behind_key(word)


def _behind_key(word: list[Any]) -> Word:
    for place, part in enumerate(word):
        if isinstance(part, str) and "]=" in part:
            rest = part.partition("]=")[2]
            return [*([rest] if rest else []), *word[place + 1 :]]
    return word


def _heard(state: State) -> tuple[Write, ...]:
    """What the client could read of what was written."""
    return tuple(write for write in state.writes if write.stream in ("stdout", "stderr"))
