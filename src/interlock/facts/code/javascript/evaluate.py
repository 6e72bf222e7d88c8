"""Follows a tree of JavaScript: what names stand for, what expressions give, and which functions are called with what.

Every branch is taken, and a loop over constants is gone through once for each. What could be run is looked at even if
nothing in the text runs it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interlock.facts.code.javascript import tree
from interlock.facts.code.javascript.follow_values import Values
from interlock.facts.code.javascript.patterns import bind, names_in
from interlock.facts.code.javascript.values import (
    ANY,
    UNDEFINED,
    Closure,
    JsScope,
    List,
    Num,
    Obj,
    TextValue,
    Value,
    either,
    origin,
    truth,
)
from interlock.facts.limits import JS_STEPS, ROUNDS
from interlock.facts.shell import UNKNOWN

__all__ = ["Evaluator"]

_GOES_ON: str = ""
_NOTHING = Closure(tree.FunctionNode("", [], []), JsScope({}, None))
_LEAVES, _RETURNS = "leaves", "returns"


class Evaluator(Values):
    """The reader: statements, and the whole of a text."""

    def run(self, body: list[tree.JsNode], scope: JsScope | None = None) -> None:
        """A whole text, and then every function in it that nothing has called."""
        self.block(body, scope or self.top)
        self.catch_up()

    def catch_up(self) -> None:
        """Look at the functions that were put off, and at those that nothing calls."""
        while True:
            self.level += 1
            if self.later:
                func, args = self.later.popleft()
                if args is not None and self.steps > JS_STEPS.most and id(func.node) in self.looked_at:
                    self.effects.reach(JS_STEPS)
                    if id(func.node) in self.blind:
                        args, func = None, _NOTHING
                    else:
                        self.blind.add(id(func.node))
                        args = None
                self.enter(func, args)
            elif self.known:
                func = self.known.pop()
                if id(func.node) not in self.looked_at:
                    self.enter(func, None)
            else:
                return
            self.level -= 1

    def block(self, body: list[tree.JsNode], scope: JsScope) -> str:
        """Run statements in a scope; how they end."""
        for node in body:
            if isinstance(node, tree.Declare):
                for target, _ in node.pairs:
                    for name in names_in(target):
                        scope.names.setdefault(name, UNDEFINED)  # functions may be run before it has a value
                if node.kind == "function":
                    self.declare(node, scope)
        for node in body:
            ended = self.statement(node, scope)
            if ended:
                return ended
        return _GOES_ON

    def statement(self, node: tree.JsNode, scope: JsScope) -> str:
        run = _STATEMENTS.get(type(node))
        self.steps += 1
        if run is None:
            if isinstance(node, tree.Name) and UNKNOWN in node.name:
                self.effects.opaque = self.effects.opaque or "a program that is not known before it runs"
            self.value(node, scope)
            return _GOES_ON
        self.depth += 1
        ended = run(self, node, scope)
        self.depth -= 1
        return ended

    def branch(self, node: tree.JsNode, scope: JsScope) -> str:
        """A statement that may not be run."""
        self.level += 1
        ended = self.statement(node, scope)
        self.level -= 1
        return ended

    def _block(self, node: Any, scope: JsScope) -> str:
        return self.block(node.body, JsScope({}, scope, self.level, scope.this))

    def declare(self, node: Any, scope: JsScope) -> str:
        for target, given in node.pairs:
            value = UNDEFINED if given is None else self.value(given, scope)
            if node.kind == "var" and isinstance(target, tree.Name):
                if given is not None or scope.find(target.name) is None:
                    self.assign(target.name, value, scope)
                continue
            bind(target, value, scope.names.__setitem__, self, scope)
        return _GOES_ON

    def _if(self, node: Any, scope: JsScope) -> str:
        ends: list[str] = []
        for test, body in node.branches:
            self.value(test, scope)
            ends.append(self.branch(body, scope))
        ends.append("" if node.otherwise is None else self.branch(node.otherwise, scope))
        return ends[0] if all(ends) else _GOES_ON

    def _loop(self, node: Any, scope: JsScope) -> str:
        inner = JsScope({}, scope, self.level, scope.this)
        if node.start is not None:
            self.statement(node.start, inner)
        for _ in range(ROUNDS.most):
            sure = truth(self.value(node.test, inner)) if node.test is not None else None
            if sure is not True or self.steps > JS_STEPS.most or not isinstance(node.test, tree.Binary):
                break
            ended = self.statement(node.body, inner)
            if node.step is not None:
                self.value(node.step, inner)
            if ended == _RETURNS:
                return _GOES_ON
        else:
            self.effects.reach(ROUNDS)
        if sure is not False or node.first:
            self._twice(node.body, node.step, inner)
        return _GOES_ON

    def _twice(self, body: tree.JsNode, step: tree.JsNode | None, scope: JsScope) -> None:
        """A body that is run nobody knows how often: what it adds to is not known behind it."""
        self.level += 1
        for _ in range(2 if self.steps < JS_STEPS.most else 1):
            self.statement(body, scope)
            if step is not None:
                self.value(step, scope)
        self.level -= 1

    def _for_each(self, node: Any, scope: JsScope) -> str:
        over = self.value(node.over, scope)
        if isinstance(over, TextValue) and UNKNOWN not in over.text and len(over.text) <= ROUNDS.most:
            over = List([TextValue(sign, over.origin) for sign in over.text])
        items, more = _rounds(over, keys=node.keys)
        if len(items) > ROUNDS.most or (len(items) > 2 and self.steps > JS_STEPS.most):
            self.effects.reach(ROUNDS if len(items) > ROUNDS.most else JS_STEPS)
            items, more = [either(*items[: ROUNDS.most]), ANY], False
        sure = not more
        for item in [*items, *([TextValue(UNKNOWN, origin(over))] if more or not items else [])]:
            inner = JsScope({}, scope, self.level, scope.this)
            if node.kind:
                bind(node.target, item, inner.names.__setitem__, self, inner)
            else:
                self.assign_to(node.target, item, inner)
            ended = self.statement(node.body, inner) if sure and items else self.branch(node.body, inner)
            if ended == _RETURNS and sure:
                break
        return _GOES_ON

    def _return(self, node: Any, scope: JsScope) -> str:
        self.results[-1].append(UNDEFINED if node.value is None else self.value(node.value, scope))
        return _RETURNS

    def _raise(self, node: Any, scope: JsScope) -> str:
        if node.value is not None:
            self.value(node.value, scope)
            return _LEAVES
        return _LEAVES

    def _try(self, node: Any, scope: JsScope) -> str:
        ended = self.branch(node.body, scope)
        if node.handler is not None:
            inner = JsScope({}, scope, self.level, scope.this)
            for name in names_in(node.caught) if node.caught is not None else ():
                inner.names[name] = ANY
            ended = self.branch(node.handler, inner) and ended
        if node.last is not None:
            self.statement(node.last, scope)
        return ended

    def _switch(self, node: Any, scope: JsScope) -> str:
        self.value(node.value, scope)
        inner = JsScope({}, scope, self.level, scope.this)
        self.level += 1
        for test, body in node.cases:
            if test is not None:
                self.value(test, inner)
            self.block(body, inner)
        self.level -= 1
        return _GOES_ON

    def _import(self, node: Any, scope: JsScope) -> str:
        module = self.library.module(node.module)
        for entry in node.names:
            if entry.called:
                part = module if entry.name in ("*", "default") else self.member(module, entry.name)
                scope.names[entry.called] = part
        return _GOES_ON


def _rounds(over: Value, *, keys: bool) -> tuple[list[Value], bool]:
    """What a loop goes through, and whether there may be more."""
    if keys and isinstance(over, Obj):
        return [TextValue(key) for key in over.props], over.open
    if not isinstance(over, List):
        return [], True
    return ([Num(place) for place in range(len(over.items))] if keys else list(over.items)), over.open


_Run = Callable[[Evaluator, Any, JsScope], str]
_STATEMENTS: dict[type[tree.JsNode], _Run] = {
    tree.Block: Evaluator._block,
    tree.Declare: Evaluator.declare,
    tree.If: Evaluator._if,
    tree.LoopNode: Evaluator._loop,
    tree.ForEach: Evaluator._for_each,
    tree.Return: Evaluator._return,
    tree.Raise: Evaluator._raise,
    tree.Try: Evaluator._try,
    tree.Switch: Evaluator._switch,
    tree.ImportNode: Evaluator._import,
}
