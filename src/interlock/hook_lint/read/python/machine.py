"""Follow every way through a program, without running it: states go in, states and ends come out.

A way splits where only the run knows the answer. An expression is evaluated in one state; if a call inside it comes
back in several, the expression is evaluated again in each of them, with what the call has given.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from interlock.hook_lint.program import Span
from interlock.hook_lint.read.python.modules import ModuleFiles
from interlock.hook_lint.read.python.names import DEBUGGING, KNOWN_MODULES, REFUSALS
from interlock.hook_lint.read.python.notes import Notes
from interlock.hook_lint.read.python.quiet import is_quiet
from interlock.hook_lint.read.python.rendering import text_of
from interlock.hook_lint.read.python.source import PythonSource
from interlock.hook_lint.read.python.state import WayCondition, WayState, branch_on, join_states, merge_states
from interlock.hook_lint.read.python.values import (
    NONE,
    NOTHING,
    AskedOf,
    Box,
    DictBox,
    EventPart,
    Json,
    Known,
    ListBox,
    NamedInput,
    ObjectRef,
    OneOf,
    OwnFunction,
    PyFault,
    PyText,
    PyValue,
    Raw,
    RefId,
    Root,
    Seq,
    Some,
    one_of,
    roots_of,
)

__all__ = ["Flow", "Fork", "HookReader", "Outcome", "PythonGrammar", "TooManyWays", "WayOut", "up_to_limits"]

Outcome = tuple[PyValue, WayState]
_MOST_STEPS = 8_000
_DEEPEST_CALL = 12
_MOST_RETURNS = 12


class TooManyWays(Exception):  # noqa: N818 - not an error of the program
    """The program is too large to be read to its end."""


class Fork(Exception):  # noqa: N818 - no error
    """A part of an expression has come back in several states, or in none."""

    def __init__(self, node: ast.AST, outcomes: Sequence[Outcome]) -> None:
        super().__init__()
        self.node = node
        self.outcomes = outcomes


@contextmanager
def up_to_limits(notes: Notes) -> Iterator[None]:
    """Read as far as the machine gets, and note why it has not read the rest."""
    try:
        yield
    except Fork:
        pass  # nothing comes after it
    except TooManyWays:
        notes.unread = notes.unread or "it has too many ways to follow"
    except RecursionError:
        notes.unread = "it is nested too deeply"


class WayOut:
    """An end of the program, or an exception on its way up."""

    __slots__ = ("fault", "how", "span", "state", "value")

    def __init__(
        self, how: Literal["exit", "raise"], value: PyValue, span: Span, state: WayState, fault: PyFault | None = None
    ) -> None:
        self.how = how
        self.value = value  # the exit code
        self.span = span
        self.state = state
        self.fault = fault


class Flow:
    """Where statements lead that do not lead to the next one."""

    __slots__ = ("breaks", "continues", "ends", "raises", "returns", "yields")

    def __init__(self, outer: Flow | None = None) -> None:
        self.returns: list[tuple[PyValue, WayState, ast.AST]] = []
        self.breaks: list[WayState] = []
        self.continues: list[WayState] = []
        self.yields: list[PyValue] = []
        self.raises: list[WayOut] = outer.raises if outer else []
        self.ends: list[WayOut] = outer.ends if outer else []


class PythonGrammar(Struct, frozen=True):
    """What to do with each kind of node."""

    expressions: dict[type, Callable[[Any, Any, WayState], PyValue]]
    of_parts: Callable[[Any, Any, WayState], PyValue]  # with any other expression
    simple: dict[type, Callable[[Any, Any, WayState], list[WayState]]]
    compound: dict[type, Callable[[Any, Any, list[WayState]], list[WayState]]]
    unpack: Callable[[Any, ast.expr, PyValue, WayState], None]
    library: dict[str, Callable[[Any, Any, WayState], PyValue]]
    methods: Callable[[Any, Any, Any, WayState], PyValue]


class HookReader:
    """The reader of one file. The frame it is in changes from call to call, and so does where ends go."""

    def __init__(
        self, source: PythonSource, notes: Notes, grammar: PythonGrammar, files: ModuleFiles | None = None
    ) -> None:
        self.source = source
        self.notes = notes
        self.grammar = grammar
        self.files = files  # where imports are looked for; None: nowhere
        self.modules: dict[Path, ast.Module | None] = {}  # files that were imported; None: it cannot be read
        self.module_files: dict[int, Path] = {}  # by the frame of what is in them
        self.flow = Flow()
        self.frame = 0
        self.parents: dict[int, int] = {}
        self.frames: dict[object, int] = {}
        self.declared: dict[int, dict[str, int]] = {}  # names that a frame takes from another by `global`
        self.given: dict[ast.AST, PyValue] = {}
        self.calls: list[ast.AST] = []  # the functions that are being read
        self.called: set[ast.AST] = set()
        self.handlers: list[frozenset[str]] = []  # what the `try` around would catch
        self.makers: dict[ast.AST, bool] = {}
        self.quiet: dict[ast.AST, bool] = {}
        self.may_fail: dict[ast.AST, bool] = {}
        self.discarded: ast.AST | None = None  # a call whose result is not used
        self.mode: Literal["command", "callback", "permission"] = "command"
        self.steps = 0
        self.is_async = False  # on the event loop of a callback
        self.matchers: list[tuple[PyValue, WayState]] = []
        self.options: list[tuple[ast.AST, Mapping[str, PyValue], WayState]] = []  # calls that take `can_use_tool`

    # --- evaluation --------------------------------------------------------------------------------------------

    def value(self, node: ast.expr, state: WayState) -> PyValue:
        """What an expression gives in one state. Raises Fork if that depends on a way inside it."""
        if self.given and node in self.given:
            return self.given[node]
        return self.grammar.expressions.get(type(node), self.grammar.of_parts)(self, node, state)

    def values(self, node: ast.expr, state: WayState) -> list[Outcome]:
        """What an expression gives on each of its ways."""
        found: list[Outcome] = []
        outer = self.given
        work: list[tuple[WayState, dict[ast.AST, PyValue]]] = [(state, {})]
        try:
            while work:
                one, given = work.pop(0)
                self.given = given
                try:
                    found.append((self.value(node, one), one))
                except Fork as fork:
                    self.step(len(fork.outcomes))
                    work.extend((after, {**given, fork.node: value}) for value, after in fork.outcomes)
        finally:
            self.given = outer
        return found

    def step(self, count: int = 1) -> None:
        self.steps += count
        if self.steps > _MOST_STEPS:
            raise TooManyWays

    def ask(self, question: AskedOf, state: WayState) -> tuple[WayState | None, WayState | None]:
        """The states in which the answer is yes and no. Each question takes longer than the one before it."""
        self.step((len(state.asked) + len(state.conditions)) >> 6)
        return branch_on(question, state)

    def settle(self, node: ast.AST, outcomes: Sequence[Outcome], state: WayState) -> PyValue:
        """Go on in the only state that came back; split if there are several."""
        if len(outcomes) != 1:
            raise Fork(node, outcomes)
        value, after = outcomes[0]
        state.become(after)
        return value

    # --- questions ---------------------------------------------------------------------------------------------

    def branch(self, node: ast.expr, state: WayState) -> tuple[list[WayState], list[WayState]]:
        """The states in which a condition holds, and those in which it does not."""
        match node:
            case ast.BoolOp(op=op, values=parts):
                going, done = [state], []
                for part in parts:
                    self.step(len(going) >> 2)
                    pairs = [self.branch(part, one) for one in going]
                    yes = [one for pair in pairs for one in pair[0]]
                    no = [one for pair in pairs for one in pair[1]]
                    going, stopped = (yes, no) if isinstance(op, ast.And) else (no, yes)
                    done += stopped
                return (going, done) if isinstance(op, ast.And) else (done, going)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                yes, no = self.branch(operand, state)
                return no, yes
        yes, no = [], []
        for value, after in self.values(node, state):
            question = self.question(value, after, node)
            if not isinstance(question, bool) and _is_for_debugging(question):
                question = not question.sense
            if isinstance(question, bool):
                (yes if question else no).append(after)
                continue
            self.notes.decide(question.roots)
            left, right = self.ask(question, after)
            yes += [left] if left is not None else []
            no += [right] if right is not None else []
        return yes, no

    def put_condition(self, node: ast.expr, yes: Iterable[WayState], no: Iterable[WayState]) -> None:
        """Note in the states of both answers what was asked."""
        text = " ".join(self.source.code(node).split())
        for states, written in ((yes, text), (no, f"not ({text})")):
            for state in states:
                state.conditions = (*state.conditions, WayCondition(written, tuple(dict.fromkeys(state.asked))))
                state.asked = ()

    def question(self, value: PyValue, state: WayState, node: ast.AST | None = None) -> AskedOf | bool:
        """Whether a value is true, or what to ask for it."""
        match value:
            case AskedOf():
                return value
            case Known(value=one):
                return bool(one)
            case ObjectRef(id=id):
                box = state.heap.get(id)
                if not isinstance(box, ListBox | DictBox):
                    return True
                if not box.is_open or (isinstance(box, DictBox) and box.items):
                    return bool(box.items)
                if isinstance(box, ListBox):
                    return AskedOf(subject=value, roots=box.roots)
            case Seq(values=values):
                return bool(values)
            case OneOf(values=values):
                found = {self.question(one, state) for one in values}
                if len(found) == 1 and isinstance(only := next(iter(found)), bool):
                    return only
            case PyText(parts=parts):
                if any(isinstance(part, str) for part in parts):
                    return True
            case EventPart() | Some() | Raw():
                pass
            case _ if not roots_of(value):
                return not isinstance(value, Some)
        subject = value if not isinstance(value, Some) or value.key or node is None else self.unknown(node, value)
        return AskedOf(subject=subject, roots=roots_of(value))

    # --- objects -----------------------------------------------------------------------------------------------

    def fresh(self, node: ast.AST, box: Box, state: WayState, part: int = 0) -> ObjectRef:
        """A new object. The same place in the same frame makes the same one, so that ways can be compared."""
        id: RefId = (hash((node, part)) if part else hash(node), self.frame)
        state.put(id, box)
        return ObjectRef(id)

    def frame_for(self, key: object, parent: int) -> int:
        found = self.frames.get((key, parent))
        if found is None:
            found = self.frames[(key, parent)] = len(self.frames) + 1
            self.parents[found] = parent
        return found

    def unpack(self, target: ast.expr, value: PyValue, state: WayState) -> None:
        """Assign to a name, a tuple of names, or a part of an object."""
        self.grammar.unpack(self, target, value, state)

    def key(self, node: ast.AST) -> int:
        """What tells an unknown value from others: where it is made, and on which call."""
        return hash((node, self.frame))

    def unknown(self, node: ast.AST, *made_of: PyValue, roots: frozenset[Root] = frozenset()) -> Some:
        """A value that is made of these in a way that is not known."""
        return Some(roots.union(*map(roots_of, made_of)), self.key(node))

    def root_frame(self) -> int:
        """The frame of the file that is being read: its own, or one that it imports."""
        frame = self.frame
        while frame in self.parents:
            frame = self.parents[frame]
        return frame

    def lookup(self, name: str, state: WayState, start: int | None = None) -> PyValue | None:
        frame: int | None = self.frame if start is None else start
        while frame is not None:
            found = state.frames.get(frame)
            if found is not None and name in found:
                return found[name]
            frame = self.parents.get(frame)
        return None

    def assign(self, name: str, value: PyValue, state: WayState) -> None:
        state.assign(self.declared.get(self.frame, {}).get(name, self.frame), name, value)

    # --- calls -------------------------------------------------------------------------------------------------

    def run_function(
        self,
        func: OwnFunction,
        args: Sequence[PyValue],
        keywords: Mapping[str, PyValue],
        state: WayState,
        site: ast.AST | None = None,
    ) -> list[Outcome]:
        """Every way in which a call of a function comes back."""
        node = func.node
        args = (*([func.owner] if func.owner is not None else []), *func.args, *args)
        keywords = {**dict(func.keywords), **keywords}
        if len(self.calls) >= _DEEPEST_CALL or node in self.calls:
            self.notes.search_inside(args)
            return [(self.unknown(site or node, *args, *keywords.values()), state)]
        if (
            node in self.called
            and self._is_quiet(func, state)
            and not self._refuses([*args, *keywords.values()], state)
        ):
            return [(NONE, state)]
        return self._run_in_frame(func, args, keywords, state, (site or node, self.frame), site or node)

    def _run_in_frame(
        self,
        func: OwnFunction,
        args: Sequence[PyValue],
        keywords: Mapping[str, PyValue],
        state: WayState,
        key: object,
        site: ast.AST | None = None,
    ) -> list[Outcome]:
        """Run a function in a frame of its own, which the key tells from the frames of its other calls."""
        self.step()
        node = func.node
        before = state.fork()
        outer = self.frame, self.flow, self.given, self.source.site
        frame = self.frame_for(key, func.frame)
        is_closed = frame not in state.frames
        self.frame, self.flow, self.given = frame, Flow(outer[1]), {}
        if site is not None and self.source.is_own(site) and not self.source.is_own(node):
            self.source.site = self.source.span(site)
        self.calls.append(node)
        self.called.add(node)
        try:
            self.enter(func, args, keywords, state)
            outcomes = self._body_of(node, state)
        finally:
            self.calls.pop()
            self.frame, self.flow, self.given, self.source.site = outer
        if is_closed and not self._makes_functions(node):
            for _, after in outcomes:
                after.frames.pop(frame, None)
        return self._join_outcomes(outcomes, before)

    def split_over(
        self, callees: Iterable[PyValue], call: Callable[[PyValue, WayState], PyValue], node: ast.AST, state: WayState
    ) -> None:
        """Call whatever a table holds: the way splits. Raises Fork, or nothing if none of it can be called."""
        outcomes: list[Outcome] = []
        for callee in callees:
            if isinstance(callee, Known):
                continue
            one = state.fork()
            try:
                outcomes.append((call(callee, one), one))
            except Fork as fork:
                outcomes += fork.outcomes
        if outcomes:
            raise Fork(node, outcomes)

    def enter(
        self, func: OwnFunction, args: Sequence[PyValue], keywords: Mapping[str, PyValue], state: WayState
    ) -> None:
        """Give the parameters of a function their values, in the frame that the machine is in."""
        state.open_frame(self.frame)
        self.bind(func.node.args, args, keywords, state)

    def run_callback(
        self, func: OwnFunction, args: Sequence[PyValue], state: WayState
    ) -> tuple[list[tuple[PyValue, WayState, ast.AST]], list[WayState]]:
        """What a callback returns, on which way and where; and the states in which it comes to its end."""
        node = func.node
        self.frame, self.given, self.calls = self.frame_for((node, "callback"), func.frame), {}, [node]
        args = (*([func.owner] if func.owner is not None else []), *func.args, *args)
        try:
            self.enter(func, args, dict(func.keywords), state)
            if isinstance(node, ast.Lambda):
                return [(value, after, node.body) for value, after in self.values(node.body, state)], []
            after = self.block(node.body, [state])
            return self.flow.returns, after
        finally:
            self.calls = []

    def _body_of(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, state: WayState) -> list[Outcome]:
        if isinstance(node, ast.Lambda):
            return self.values(node.body, state)
        after = self.block(node.body, [state])
        if self.flow.yields:
            items = one_of(self.flow.yields)
            result = Some(roots_of(items), id(node), items)
            return [(result, one) for one in [*after, *(one for _, one, _ in self.flow.returns)]]
        outcomes = [(_with_place(value, place), one) for value, one, place in self.flow.returns]
        return [*outcomes, *((NONE, one) for one in after)]

    def _is_quiet(self, func: OwnFunction, state: WayState) -> bool:
        found = self.quiet.get(func.node)
        if found is None:
            found = is_quiet(func.node, lambda name: self.lookup(name, state, func.frame), _is_known_library)
            self.quiet[func.node] = found
        return found

    def _refuses(self, args: Sequence[PyValue], state: WayState) -> bool:
        """Whether a log would get to know that something is refused."""
        return any(REFUSALS.search(text_of(one, state)) for one in args)

    def _makes_functions(self, node: ast.AST) -> bool:
        """Whether a function makes others, which see its variables after it has come back."""
        found = self.makers.get(node)
        if found is None:
            kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef
            parts = () if isinstance(node, ast.Lambda) else getattr(node, "body", ())
            found = self.makers[node] = any(isinstance(one, kinds) for part in parts for one in ast.walk(part))
        return found

    def _join_outcomes(self, outcomes: list[Outcome], before: WayState) -> list[Outcome]:
        """The ways on which a call comes back, with those as one that are the same to the caller."""
        if len(outcomes) < 2:
            return outcomes
        groups: dict[PyValue, list[WayState]] = {}
        for value, state in outcomes:
            groups.setdefault(value, []).append(state)
        read = [value.path for value in groups if isinstance(value, EventPart)]
        for path in read if len(read) > 1 else ():
            self.notes.link(path, read)
        found = [(value, state) for value, states in groups.items() for state in merge_states(states)]
        if len(found) > 1 and not any(self._matters(value, state, before) for value, state in found):
            value = one_of([value for value, _ in found])
            return [(value, state) for state in join_states([state for _, state in found])]
        if len(found) <= _MOST_RETURNS:
            return found
        by_truth: dict[object, list[Outcome]] = {}
        for value, state in found:
            truth = self.question(value, state)
            is_number = isinstance(value, Known) and not isinstance(value.value, str)  # perhaps an exit code
            by_truth.setdefault(value if is_number else truth if isinstance(truth, bool) else None, []).append(
                (value, state)
            )
        return [
            (one_of([value for value, _ in group]), state)
            for group in by_truth.values()
            for state in merge_states([state for _, state in group])
        ]

    def _matters(self, value: PyValue, state: WayState, before: WayState) -> bool:
        """Whether it may matter on which way a call has come back: because of the event, or of what it gives."""
        since = len(before.conditions)
        if any(one.paths for one in (*state.conditions[since:], *state.passed) if one not in before.passed):
            return True
        if isinstance(value, Known):
            return not (value.value is None or isinstance(value.value, bool))
        return isinstance(value, EventPart | Raw | Seq | ObjectRef | OwnFunction | Json)

    def bind(
        self, names: ast.arguments, args: Sequence[PyValue], keywords: Mapping[str, PyValue], state: WayState
    ) -> None:
        """Give parameters their values."""
        positional = [*names.posonlyargs, *names.args]
        defaults = dict(zip(reversed([name.arg for name in positional]), reversed(names.defaults), strict=False))
        defaults.update(
            {one.arg: given for one, given in zip(names.kwonlyargs, names.kw_defaults, strict=True) if given}
        )
        given: dict[str, PyValue] = dict(zip((name.arg for name in positional), args, strict=False))
        for name in (*positional, *names.kwonlyargs):
            found = given.get(name.arg, keywords.get(name.arg))
            if found is None and name.arg in defaults:
                found = self.value(defaults[name.arg], state)
            self.assign(name.arg, found if found is not None else Some(key=id(name)), state)
        if names.vararg:
            self.assign(names.vararg.arg, Seq(tuple(args[len(positional) :])), state)
        if names.kwarg:
            known = {name.arg for name in (*positional, *names.kwonlyargs)}
            rest = {key: value for key, value in keywords.items() if key not in known}
            self.assign(names.kwarg.arg, self.fresh(names.kwarg, DictBox(rest), state), state)

    # --- statements --------------------------------------------------------------------------------------------

    def block(self, body: Iterable[ast.stmt], states: list[WayState]) -> list[WayState]:
        """The states after these statements. Other ways out of them go into the flow."""
        for node in body:
            if not states:
                break
            count = len(states)
            self.step(count * (1 + (len(states[0].frames.get(self.frame, ())) >> 13)))
            kind = type(node)
            simple = self.grammar.simple.get(kind)
            if simple is not None:
                found: list[WayState] = []
                for state in states:
                    before = len(state.conditions)
                    for after in simple(self, node, state):
                        after.leave(before)
                        found.append(after)
                states = merge_states(found) if len(found) > count else found
            elif kind in self.grammar.compound:
                states = merge_states(self.grammar.compound[kind](self, node, states))
        return states

    def end(self, code: PyValue, node: ast.AST, state: WayState) -> Fork:
        """Note that the program ends here. The caller raises what this returns: nothing comes after it."""
        span = self.notes.source.span(node)
        for one in code.values if isinstance(code, OneOf) else (code,):
            returned = isinstance(one, Known) and one.returned
            place = self.notes.span(one, node) if returned else span
            self.flow.ends.append(WayOut("exit", one, place, state.fork()))
        return Fork(node, ())

    def fail(self, fault: PyFault, node: ast.AST, state: WayState) -> None:
        self.flow.raises.append(WayOut("raise", NOTHING, self.notes.source.span(node), state.fork(), fault))


def _is_known_library(name: str) -> bool:
    return name.partition(".")[0] in KNOWN_MODULES and not name.startswith(("sys.", "os._exit"))


def _is_for_debugging(test: AskedOf) -> bool:
    """Whether only a variable is asked that people set to see more. It is taken for unset."""
    names = [root.name if isinstance(root, NamedInput) and root.kind == "environment" else "" for root in test.roots]
    return bool(names) and all(DEBUGGING.search(name) for name in names)


def _with_place(value: PyValue, place: ast.AST) -> PyValue:
    if isinstance(value, Known) and not value.returned and isinstance(value.value, int | None):
        return Known(value.value, place, returned=True)
    return value
