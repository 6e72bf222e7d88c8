"""Statements: a text is gone through once, in order, with every branch, and its functions where they are called."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import Any, ClassVar

from interlock.facts.code.python.actions import ACTIONS
from interlock.facts.code.python.expressions import Expressions
from interlock.facts.code.python.modules import ATTRIBUTES, RISKY, full_name
from interlock.facts.code.python.network import NETWORK
from interlock.facts.code.python.parse import MARK, UnreadableError, parse
from interlock.facts.code.python.special import SPECIAL
from interlock.facts.code.python.state import UNKNOWN_TEXT, Frame, quote
from interlock.facts.code.python.values import (
    ANY,
    Choice,
    Class,
    CodeText,
    File,
    Func,
    Instance,
    Items,
    Members,
    Namespace,
    Partial,
    Ref,
    Value,
    alternatives,
    join,
    path_text,
    texts_of,
)
from interlock.facts.code.words import GUARD_MODULES
from interlock.facts.effects import MODULES, CodeEffects
from interlock.facts.limits import PYTHON_NESTING, PYTHON_TEXTS, URLS_IN_CODE
from interlock.facts.shell import UNKNOWN

__all__ = ["CONFUSED", "STATEMENTS", "PythonReader", "effects_of_python"]

_WEB = re.compile(r"(?i)(?:https?|ftp|wss?)://[^\s'\"`\\<>]+")
# The environment as a whole, not a variable of it.
_ENVIRONMENT = re.compile(r"\bos\.environ(?:b\b|\b(?!\s*(?:\[|\.(?:get|setdefault|pop|update)\b)))")
_CHARACTERS = 40  # of a text that count as a statement
_ENDS = frozenset({ast.Return, ast.Raise, ast.Continue, ast.Break})
_HANDED = frozenset({Ref, Func, Partial, Choice})


CONFUSED = "a program in which values are not what they are taken for"


def effects_of_python(text: str) -> CodeEffects:
    """The evident effects of a Python text."""
    effects = CodeEffects()
    reader = PythonReader(text, effects)
    try:
        reader.read(text)
    except RecursionError:
        reader.reach(PYTHON_NESTING)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        reader.opaque(CONFUSED)  # a program may be wrong in ways that nobody thought of; it may also be meant to be
    vars(reader).clear()  # it refers to itself
    for name in ("reads", "writes", "deletes", "urls", "shell"):
        setattr(effects, name, list(dict.fromkeys(getattr(effects, name))))
    if "network" in effects.traits and not effects.urls:
        effects.urls = _WEB.findall(text)[: URLS_IN_CODE.most]
    if effects.sends and _ENVIRONMENT.search(text):
        effects.traits.add("reads-environment")
    if not effects.opaque and effects.modules:
        effects.opaque = MODULES
    return effects


class PythonReader(Expressions):
    """Goes through the statements of a text."""

    table: ClassVar[dict[str, Any]] = {**ACTIONS, **NETWORK, **SPECIAL}

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._texts = 0

    def read(self, text: str) -> None:
        """Go through a whole text, and then through functions that nothing in it calls: somebody may."""
        tree = self._tree(text)
        if tree is None:
            return
        self.block(tree.body)
        left = True
        while left:
            left = False
            # Those that are called are mostly written before those that call them.
            for func in reversed(list(self.functions.values())):
                if func.again or not func.called:
                    func.called, func.again, left = True, False, True
                    self.depth = 0
                    of = func.owner.instance if func.owner is not None and func.kind != "static" else None
                    self.invoke(func, [], {}, open=True, of=of)
                    func.called, func.again = True, False

    def _tree(self, text: str) -> ast.Module | None:
        try:
            return _known(parse(text), text)
        except UnreadableError as error:
            if error.nested:
                self.reach(PYTHON_NESTING)
            self.opaque(str(error))
            return None

    def block(self, body: list[ast.stmt]) -> None:
        """Go through statements, until one leaves them."""
        if self.depth or self.rounds:
            self.spend(len(body))  # at its end that is noted; the block is gone through all the same
        does = STATEMENTS
        for statement in body:
            kind = type(statement)
            if kind is ast.Expr:
                value = statement.value  # type: ignore[attr-defined]
                if type(value) is not ast.Constant:
                    self._expression(value)
                continue
            act = does.get(kind)
            if act is not None:
                act(self, statement)
            if kind in _ENDS:
                break

    def _expression(self, node: ast.expr) -> None:
        value = self.value(node)
        if type(node) is ast.Name and value is ANY and MARK in node.id:
            self.opaque("a program that is not known before it runs")

    # --- modules -----------------------------------------------------------------------------------------------------

    def take_in(self, module: str) -> None:
        """Note that a module is loaded."""
        root, _, rest = module.partition(".")
        if root == "interlock":
            steps = rest.split(".")
            if not {".".join(steps[:end]) for end in range(1, len(steps) + 1)}.isdisjoint(GUARD_MODULES):
                # As a line for a shell, so that rules about one judge the other.
                self.effects.shell.append(f"python3 -m interlock.{steps[0]}")
        elif root in RISKY:
            self.opaque(f"uses {root}")

    def module(self, name: str) -> Value:
        """A module, or a value of one."""
        name = full_name(name)
        return ATTRIBUTES[name] if name in ATTRIBUTES else Ref(name)

    def _import(self, node: ast.Import) -> None:
        for one in node.names:
            self.take_in(one.name)
            if one.asname is not None:
                self.bind(one.asname, self.module(one.name))
            else:
                root = one.name.partition(".")[0]
                self.bind(root, self.module(root))

    def _import_from(self, node: ast.ImportFrom) -> None:
        module = "." * node.level + (node.module or "")
        base = full_name(module)
        for one in node.names:
            if one.name == "*":
                self.take_in(module)
                self.stars.append(base)
            else:
                self.take_in(f"{module}.{one.name}")
                self.bind(one.asname or one.name, self.module(f"{base}.{one.name}"))

    # --- giving names values -----------------------------------------------------------------------------------------

    def _assign(self, node: ast.Assign) -> None:
        value = self.value(node.value)
        for target in node.targets:
            if type(target) is ast.Name:
                self.bind(target.id, value)
            else:
                self.assign(target, value)

    def _annotation(self, node: ast.AnnAssign) -> None:
        self.annotation(node.annotation)
        if node.value is not None:
            self.assign(node.target, self.value(node.value))
        elif self.frame.owner is not None and type(node.target) is ast.Name:
            self.bind(node.target.id, ANY)  # the field of a dataclass

    def _update(self, node: ast.AugAssign) -> None:
        before = self.value(node.target)
        self.assign(node.target, self.operate(type(node.op), before, self.value(node.value)))

    def assign(self, target: ast.AST, value: Value) -> None:
        """Give a target a value."""
        if isinstance(target, ast.Name):
            self.bind(target.id, value)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self._unpack(target.elts, value)
        elif isinstance(target, ast.Starred):
            self.assign(target.value, value)
        elif isinstance(target, ast.Attribute):
            self.set_attribute(self.value(target.value), target.attr, value)
        elif isinstance(target, ast.Subscript):
            self._set_item(self.value(target.value), self.value(target.slice), value)

    def _unpack(self, targets: list[ast.expr], value: Value) -> None:
        starred = any(type(target) is ast.Starred for target in targets)
        for place, target in enumerate(targets):
            if starred:
                one = self.one_item(value)
                self.assign(target, Items(one) if type(target) is ast.Starred else one)
                continue
            found = [
                one[place] if type(one) in (list, tuple) and len(one) == len(targets) else self.one_item(one)
                for one in alternatives(value)
            ]
            self.assign(target, self.join_all(found))

    def set_attribute(self, of: Value, name: str, value: Value) -> None:
        for one in alternatives(of):
            if isinstance(one, (Instance, Class)):
                self.set_member(one.attributes, name, value)
            elif type(value) in _HANDED and type(one) is Ref:
                self.patched[full_name(f"{one.name}.{name}")] = value
            elif type(value) in _HANDED:
                self.loose[name] = join(self.loose[name], value) if name in self.loose else value

    def _set_item(self, of: Value, key: Value, value: Value) -> None:
        for one in alternatives(of):
            if type(one) is dict:
                known = key if type(key) in (str, int, bytes) else ANY
                one[known] = join(one[known], value) if known in one else value
            elif type(one) is list and type(key) is int and -len(one) <= key < len(one):
                one[key] = join(one[key], value)
            elif type(one) is Namespace and type(key) is str:
                self.put(self.top.names, key, value)
            elif type(one) is Members:
                self.set_attribute(one.of, path_text(key), value)
            elif type(value) in _HANDED:
                self.loose["[]"] = join(self.loose["[]"], value) if "[]" in self.loose else value

    def _delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            if not isinstance(target, ast.Name):
                self.value(target)

    # --- functions and classes ---------------------------------------------------------------------------------------

    def _define(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        func = self.function(node)
        value: Value = func
        for one in reversed(node.decorator_list):
            by = self.value(one)
            name = by.name if type(by) is Ref else one.attr if type(one) is ast.Attribute else ""
            if name in ("staticmethod", "classmethod"):
                func.kind = name.removesuffix("method")
            elif name in ("property", "functools.cached_property", "setter"):
                func.property = name != "setter"
            elif type(by) in (Func, Partial, Class) or (
                type(by) is Ref and (by.name in self.table or by.name[:1] == "?")
            ):
                value = join(value, self.apply(by, [value], {}))
        self.bind(node.name, value)

    def _class(self, node: ast.ClassDef) -> None:
        bases = [self.value(base) for base in node.bases]
        for keyword in node.keywords:
            self.value(keyword.value)
        cls = Class(node.name, bases)
        outer = self.frame
        self.frame = Frame(outer, cls)
        cls.attributes = self.frame.names
        try:
            self.block(node.body)
        finally:
            self.frame = outer
        value: Value = cls
        for one in reversed(node.decorator_list):
            by = self.value(one)
            if type(by) in (Func, Partial):
                value = join(value, self.apply(by, [value], {}))
        self.bind(node.name, value)

    def _return(self, node: ast.Return) -> None:
        if node.value is not None:
            self.frame.results.append(self.value(node.value))

    def _global(self, node: ast.Global) -> None:
        for name in node.names:
            self.frame.shared[name] = self.top

    def _nonlocal(self, node: ast.Nonlocal) -> None:
        for name in node.names:
            outer = self.frame.outer
            while outer is not None and name not in outer.names:
                outer = outer.outer
            if outer is not None:
                self.frame.shared[name] = outer

    # --- branches and loops ------------------------------------------------------------------------------------------

    def _if_statement(self, node: ast.If) -> None:
        blocks = [node.body]
        self.value(node.test)
        while len(node.orelse) == 1 and type(node.orelse[0]) is ast.If:
            node = node.orelse[0]
            self.value(node.test)
            blocks.append(node.body)
        if node.orelse:
            blocks.append(node.orelse)
        self.one_of([lambda body=body: self.block(body) for body in blocks], one_runs=bool(node.orelse))  # type: ignore[misc]

    def _for(self, node: ast.For | ast.AsyncFor) -> None:
        value = self.value(node.iter)
        if type(value) in (list, tuple) and len(value) > 0 and self.can_unroll(len(value) * len(node.body)):
            for item in list(value):
                self.assign(node.target, item)
                self.rounds += 1
                self.block(node.body)
                self.rounds -= 1
        else:
            item = self.one_item(value)

            def one_round() -> None:
                self.assign(node.target, item)
                self.block(node.body)

            self._loop(one_round)
        self.block(node.orelse)

    def _while(self, node: ast.While) -> None:
        self.value(node.test)
        endless = isinstance(node.test, ast.Constant) and bool(node.test.value)
        endless = endless and not any(isinstance(one, (ast.Break, ast.Return, ast.Raise)) for one in ast.walk(node))

        def one_round() -> None:
            self.block(node.body)
            self.value(node.test)

        self.endless += endless
        self._loop(one_round)
        self.endless -= endless
        self.block(node.orelse)

    def _loop(self, one_round: Callable[[], None]) -> None:
        """Go through a loop; once more if a round may meet what an earlier one has left."""
        missed, self.missed = self.missed, False
        changed = self.perhaps(one_round)
        if (changed or self.missed) and self.spend():
            self.rounds += 1
            self.perhaps(one_round)
            self.rounds -= 1
            self.widen(changed)
        self.missed = missed or self.missed

    def _with(self, node: ast.With | ast.AsyncWith) -> None:
        for one in node.items:
            value = self.value(one.context_expr)
            if type(value) is Instance:
                entered = self.call_method(value, "__enter__", [], {})
                value = value if entered is ANY or entered is None else entered
            elif type(value) is Items and value.yielded:
                value = value.one
            if one.optional_vars is not None:
                self.assign(one.optional_vars, value)
        self.block(node.body)

    def _try(self, node: ast.Try) -> None:
        if not node.handlers:
            self.block(node.body)
        else:
            self.perhaps(lambda: self.block(node.body))
            self.block(node.orelse)
            self.one_of([lambda one=one: self._handler(one) for one in node.handlers], one_runs=False)  # type: ignore[misc]
        self.block(node.finalbody)

    def _handler(self, node: ast.ExceptHandler) -> None:
        if node.type is not None:
            self.value(node.type)
        if node.name is not None:
            self.bind(node.name, ANY)
        self.block(node.body)

    def _match(self, node: ast.Match) -> None:
        subject = self.value(node.subject)

        def case(one: ast.match_case) -> None:
            for part in ast.walk(one.pattern):
                if isinstance(part, (ast.MatchAs, ast.MatchStar)) and part.name is not None:
                    whole = type(one.pattern) is ast.MatchAs and one.pattern.name == part.name
                    self.bind(part.name, subject if whole else ANY)
                elif isinstance(part, ast.MatchMapping) and part.rest is not None:
                    self.bind(part.rest, ANY)
            if one.guard is not None:
                self.value(one.guard)
            self.block(one.body)

        self.one_of([lambda one=one: case(one) for one in node.cases], one_runs=False)  # type: ignore[misc]

    def _raise(self, node: ast.Raise) -> None:
        for one in (node.exc, node.cause):
            if one is not None:
                self.value(one)

    def _assert(self, node: ast.Assert) -> None:
        self.value(node.test)
        if node.msg is not None:
            self.value(node.msg)

    # --- texts that are run ------------------------------------------------------------------------------------------

    def evaluate(self, value: Value, *, expression: bool = False) -> Value:
        """Go through a text that the program evaluates."""
        found: list[Value] = []
        for one in alternatives(value):
            if type(one) is CodeText:
                found.append(self.evaluate(one.text, expression=expression))
            elif type(one) is File and one.text:
                self.runs_words(["python3", one.path])
            elif type(one) is Func:
                found.append(self.invoke(one, [], {}))
            else:
                found.append(self._evaluate_text(path_text(one)))
        return self.join_all(found) if found else ANY

    def _evaluate_text(self, text: str) -> Value:
        if self._texts >= PYTHON_TEXTS.most:
            self.reach(PYTHON_TEXTS)
            return ANY
        if UNKNOWN in text or not self.spend(1 + len(text) // _CHARACTERS):
            self.opaque(UNKNOWN_TEXT)
            return ANY
        tree = self._tree(text.strip())
        if tree is None:
            return ANY
        self._texts += 1
        try:
            if len(tree.body) == 1 and type(tree.body[0]) is ast.Expr:
                return self.value(tree.body[0].value)
            self.block(tree.body)
        finally:
            self._texts -= 1
        return ANY

    def runs_fed(self, line: str, given: Value) -> None:
        """A line for a shell, with what the program is then given to read."""
        for text in texts_of(given):
            self.effects.shell.append(f"{line} <<< {quote(text)}")

    def reads_more(self, found: CodeEffects) -> None:
        """Take over what a text in another language does."""
        self.effects.reads += found.reads
        self.effects.writes += found.writes
        self.effects.shell += found.shell


def _known(tree: ast.Module, text: str) -> ast.Module:
    """The tree with unknown parts of texts marked as such."""
    if UNKNOWN in text:
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                node.value = node.value.replace(MARK, UNKNOWN)
    return tree


STATEMENTS: dict[type[ast.AST], Callable[[Any, Any], None]] = {
    ast.Assign: PythonReader._assign,
    ast.AnnAssign: PythonReader._annotation,
    ast.AugAssign: PythonReader._update,
    ast.Import: PythonReader._import,
    ast.ImportFrom: PythonReader._import_from,
    ast.FunctionDef: PythonReader._define,
    ast.AsyncFunctionDef: PythonReader._define,
    ast.ClassDef: PythonReader._class,
    ast.Return: PythonReader._return,
    ast.Global: PythonReader._global,
    ast.Nonlocal: PythonReader._nonlocal,
    ast.If: PythonReader._if_statement,
    ast.For: PythonReader._for,
    ast.AsyncFor: PythonReader._for,
    ast.While: PythonReader._while,
    ast.With: PythonReader._with,
    ast.AsyncWith: PythonReader._with,
    ast.Try: PythonReader._try,
    ast.TryStar: PythonReader._try,
    ast.Match: PythonReader._match,
    ast.Raise: PythonReader._raise,
    ast.Assert: PythonReader._assert,
    ast.Delete: PythonReader._delete,
}
