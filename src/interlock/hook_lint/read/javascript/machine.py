"""Follow every way through a program in JavaScript: the machine of the reader of Python, with other nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from interlock.hook_lint.read.javascript.source import FUNCTIONS, SyntaxNode, Tree, walk
from interlock.hook_lint.read.python import machine as python_machine
from interlock.hook_lint.read.python.machine import Fork, Outcome
from interlock.hook_lint.read.python.notes import Notes
from interlock.hook_lint.read.python.source import PythonSource
from interlock.hook_lint.read.python.state import WayState, join_states, merge_states
from interlock.hook_lint.read.python.values import (
    NONE,
    AskedOf,
    DictBox,
    EventPart,
    Known,
    ListBox,
    ObjectRef,
    OwnFunction,
    PyValue,
    Raw,
)

__all__ = ["THIS", "ScriptGrammar", "ScriptReader"]

THIS = "this"
_DEEPEST_CALL = 12


class ScriptGrammar(Struct, frozen=True):
    """What to do with each kind of node."""

    expressions: dict[str, Callable[[Any, Tree, WayState], PyValue]]
    statements: dict[str, Callable[[Any, Tree, WayState], list[WayState]]]
    unpack: Callable[[Any, Tree, PyValue, WayState], None]
    hoist: Callable[[Any, Iterable[Tree], WayState], None]


class ScriptReader(python_machine.HookReader):
    """The reader of one file."""

    def __init__(self, source: PythonSource, notes: Notes, tables: ScriptGrammar) -> None:
        super().__init__(source, notes, None)  # type: ignore[arg-type]
        self.tables = tables
        self.waiting: list[tuple[str, PyValue]] = []  # what is to be called when standard input has something, or ends
        self.given_hooks: list[tuple[Tree, PyValue, WayState]] = []  # the options of the Agent SDK that were made
        self.last_resort: OwnFunction | None = None  # what is called with an error that nothing catches

    # --- evaluation --------------------------------------------------------------------------------------------

    def value(self, node: Tree, state: WayState) -> PyValue:
        if self.given and node in self.given:
            return self.given[node]
        found = self.tables.expressions.get(node.kind)
        if found is not None:
            return found(self, node, state)
        return self.unknown(node, *(self.value(kid, state) for kid in node.kids))

    def branch(self, node: Tree, state: WayState) -> tuple[list[WayState], list[WayState]]:
        """The states in which a condition holds, and those in which it does not."""
        if node.kind in ("parenthesized_expression", "non_null_expression", "as_expression"):
            return self.branch(node.kids[0], state)
        if node.kind == "unary_expression" and node["operator"].kind == "!":
            yes, no = self.branch(node["argument"], state)
            return no, yes
        if node.kind == "binary_expression" and (operator := node["operator"].kind) in ("&&", "||"):
            yes, no = self.branch(node["left"], state)
            going, done = (yes, no) if operator == "&&" else (no, yes)
            self.step(len(going) >> 2)
            pairs = [self.branch(node["right"], one) for one in merge_states(going)]
            rest_yes, rest_no = [one for pair in pairs for one in pair[0]], [one for pair in pairs for one in pair[1]]
            return (rest_yes, [*done, *rest_no]) if operator == "&&" else ([*done, *rest_yes], rest_no)
        return super().branch(node, state)

    def question(self, value: PyValue, state: WayState, node: Any | None = None) -> AskedOf | bool:
        """Whether a value is true: every object is."""
        return True if isinstance(value, ObjectRef) else super().question(value, state, node)

    # --- calls -------------------------------------------------------------------------------------------------

    def run_function(
        self,
        func: OwnFunction,
        args: Sequence[PyValue],
        keywords: Mapping[str, PyValue],
        state: WayState,
        site: Any | None = None,
    ) -> list[Outcome]:
        """Every way in which a call of a function comes back."""
        node: Tree = func.node
        if len(self.calls) >= _DEEPEST_CALL or node in self.calls:
            return [(self.unknown(site or node, *args), state)]
        return self._run_in_frame(func, args, keywords, state, (site or node, self.frame, id(node)))

    def enter(
        self, func: OwnFunction, args: Sequence[PyValue], keywords: Mapping[str, PyValue], state: WayState
    ) -> None:
        """Give the parameters of a function their values, in the frame that the machine is in."""
        state.open_frame(self.frame)
        if func.owner is not None:
            self.assign(THIS, func.owner, state)
        node: Tree = func.node
        only = node["parameter"]
        names = [only] if only is not None else node["parameters"].kids if node["parameters"] is not None else []
        names = [one["pattern"] or one if one.kind.endswith("_parameter") else one for one in names]
        names = [one for one in names if one.kind != THIS]
        defaults = _defaults(node)
        for place, name in enumerate(names):
            if name.kind == "rest_pattern":
                rest = self.fresh(name, ListBox(tuple(args[place:])), state)
                self.unpack(name.kids[0], rest, state)
                break
            found = args[place] if place < len(args) else None
            if place in defaults and (found is None or (isinstance(found, Known) and found.value is None)):
                found = self.value(defaults[place], state)
            self.unpack(name, found if found is not None else NONE, state)

    def run_callback(
        self, func: OwnFunction, args: Sequence[PyValue], state: WayState
    ) -> tuple[list[tuple[PyValue, WayState, Any]], list[WayState]]:
        """What a callback returns, on which way and where; and the states in which it comes to its end."""
        node: Tree = func.node
        self.frame, self.given, self.calls = self.frame_for((node, "callback"), func.frame), {}, [node]
        try:
            self.enter(func, args, {}, state)
            body = node["body"]
            if body.kind != "statement_block":
                return [(value, after, body) for value, after in self.values(body, state)], []
            after = self.block(body.kids, [state])
            return self.flow.returns, after
        finally:
            self.calls = []

    def _body_of(self, node: Tree, state: WayState) -> list[Outcome]:
        body = node["body"]
        if body.kind != "statement_block":
            return self.values(body, state)
        after = self.block(body.kids, [state])
        outcomes: list[Outcome] = [(value, one) for value, one, _ in self.flow.returns]
        return [*outcomes, *((NONE, one) for one in after)]

    def _makes_functions(self, node: Tree) -> bool:
        found = self.makers.get(node)
        if found is None:
            found = any(one.kind in FUNCTIONS or one.kind == "class" for one in walk(node["body"]))
            self.makers[node] = found
        return found

    def call(self, callee: PyValue, args: Sequence[PyValue], site: Tree, state: WayState) -> PyValue:
        """What a function that was given to another one gives."""
        if isinstance(callee, OwnFunction):
            return self.settle(site, self.run_function(callee, args, {}, state, site), state)
        return self.unknown(site, callee, *args)

    # --- statements --------------------------------------------------------------------------------------------

    def unpack(self, target: Tree, value: PyValue, state: WayState) -> None:
        self.tables.unpack(self, target, value, state)

    def declare(self, name: str, value: PyValue, state: WayState) -> None:
        state.assign(self.frame, name, value)

    def set(self, name: str, value: PyValue, state: WayState) -> None:
        """Assign to a variable where it was declared."""
        frame: int | None = self.frame
        while frame is not None and name not in state.frames.get(frame, {}):
            frame = self.parents.get(frame)
        state.assign(frame if frame is not None else 0, name, value)

    def block(self, body: Iterable[Tree], states: list[WayState]) -> list[WayState]:
        """The states after these statements. Other ways out of them go into the flow."""
        body = list(body)
        for state in states:
            self.tables.hoist(self, body, state)
        for node in body:
            if not states:
                break
            count = len(states)
            self.step(count * (1 + (len(states[0].frames.get(self.frame, ())) >> 13)))
            do = self.tables.statements.get(node.kind)
            if do is None:
                continue
            found: list[WayState] = []
            for state in states:
                before = len(state.conditions)
                for after in do(self, node, state):
                    after.leave(before)
                    found.append(after)
            states = merge_states(found) if len(found) > count else found
            if node.kind == "try_statement" and count > 1:
                states = join_states(states, after_error=True)
        return states

    # --- standard input ----------------------------------------------------------------------------------------

    def run_waiting(self, states: list[WayState], site: Tree) -> list[WayState]:
        """Call what waits for standard input: first what takes its pieces, then what comes after the last one."""
        while self.waiting:
            waiting, self.waiting = self.waiting, []
            order = sorted(waiting, key=lambda one: one[0] in ("end", "close", "finish"))
            for name, callee in order:
                found: list[WayState] = []
                args = [] if name in ("end", "close", "finish", "readable") else [Raw()]
                for state in states:
                    if isinstance(callee, OwnFunction):
                        try:
                            outcomes = self.run_function(callee, args, {}, state, site)
                        except Fork as fork:
                            outcomes = list(fork.outcomes)
                        found += [after for _, after in outcomes]
                    else:
                        found.append(state)
                for one in found:
                    one.leave(0)
                states = merge_states(found)
        return states

    def after_last_resort(self, site: Tree) -> list[WayState]:
        """The states after the handler of errors that nothing catches. Without one, they end the program."""
        handler, self.last_resort = self.last_resort, None
        if handler is None:
            return []
        raises, self.flow.raises = list(self.flow.raises), []
        found: list[WayState] = []
        for ended in raises:
            ended.state.on_error = True
            try:
                outcomes = self.run_function(handler, (ended.fault or NONE,), {}, ended.state, site)
            except Fork as fork:
                outcomes = list(fork.outcomes)
            found += [after for _, after in outcomes]
        return found

    def box(self, value: PyValue, state: WayState) -> DictBox | ListBox | None:
        found = state.heap.get(value.id) if isinstance(value, ObjectRef) else None
        return found if isinstance(found, DictBox | ListBox) else None

    def is_event(self, value: PyValue) -> bool:
        return isinstance(value, EventPart | Raw)


def _defaults(node: Tree) -> dict[int, SyntaxNode]:
    """The values that the parameters of a function have by themselves."""
    if node["parameters"] is None:
        return {}
    found: dict[int, SyntaxNode] = {}
    for place, one in enumerate(node["parameters"].kids):
        if one.kind == "assignment_pattern":
            continue  # it unpacks itself
        if one.kind.endswith("_parameter") and one["value"] is not None:
            found[place] = one["value"]
    return found
