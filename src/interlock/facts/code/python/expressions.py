"""Expressions: what is known of their values, and what happens while they are worked out."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import reduce
from typing import Any

from interlock.facts.code.python.actions import over_paths, variable
from interlock.facts.code.python.calling import Calling
from interlock.facts.code.python.constants import arithmetic, format_percent, subscript
from interlock.facts.code.python.modules import BUILTINS, full_name
from interlock.facts.code.python.parse import MARK
from interlock.facts.code.python.state import MISSING, Frame
from interlock.facts.code.python.values import (
    ANY,
    HIDDEN,
    Choice,
    Func,
    Items,
    Members,
    Namespace,
    PathText,
    Ref,
    Value,
    combine,
    join,
    path_text,
)
from interlock.facts.limits import PYTHON_ITEMS, ROUNDS
from interlock.facts.shell import UNKNOWN

__all__ = ["WAYS", "Expressions"]


class Expressions(Calling):
    """Works out expressions."""

    def value(self, node: ast.AST) -> Value:
        """What is known of an expression's value."""
        kind = type(node)
        if kind is ast.Constant:
            return node.value  # type: ignore[attr-defined]
        if kind is ast.Name:
            name = node.id  # type: ignore[attr-defined]
            names = self.frame.names
            return names[name] if name in names else self.name(name)
        way = WAYS.get(kind)
        return ANY if way is None else way(self, node)

    def name(self, name: str) -> Value:
        """What a name stands for."""
        names = self.frame.names
        if name in names:
            return names[name]
        found = self.look_up(name)
        if found is not MISSING:
            return found
        if self.patched and name in self.patched:
            return self.patched[name]
        for module in self.stars:
            full = full_name(f"{module}.{name}")
            if full in self.table:
                return Ref(full)
        if name in BUILTINS:
            return ANY if name[:2] == "__" and name != "__import__" else Ref(full_name(name))
        if name == "__builtins__":
            return Ref("builtins")
        self.missed = True
        if self.stars and MARK not in name:
            return Ref(f"{self.stars[-1]}.{name}")
        return ANY if MARK in name else Ref(f"?{name}")

    # --- calls -------------------------------------------------------------------------------------------------------

    def _call(self, node: ast.Call) -> Value:
        function = node.func
        method = type(function) is ast.Attribute
        target = self.value(function.value if method else function)  # type: ignore[attr-defined]
        args: list[Value] = []
        named: dict[str, Value] = {}
        more = False
        for arg in node.args:
            if type(arg) is ast.Constant:
                args.append(arg.value)
            elif type(arg) is ast.Starred:
                listed = self.value(arg.value)
                known = type(listed) in (list, tuple)
                args += listed if known else [self.one_item(listed)]
                more = more or not known
            else:
                args.append(self.value(arg))
        for keyword in node.keywords:
            value = self.value(keyword.value)
            if keyword.arg is not None:
                named[keyword.arg] = value
            elif type(value) is dict:
                named.update({key: one for key, one in value.items() if type(key) is str})
            else:
                more = True
        if method:
            return self.call_method(target, function.attr, args, named, open=more)  # type: ignore[attr-defined]
        if target is ANY and type(function) is ast.Name and MARK in function.id:
            self.opaque("calls what only the shell knows")
        return self.apply(target, args, named, open=more)

    def _attribute(self, node: ast.Attribute) -> Value:
        return self.attribute(self.value(node.value), node.attr)

    def _lambda(self, node: ast.Lambda) -> Value:
        return self.function(node)

    def function(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> Func:
        """A function of the text, with what its parameters are without arguments."""
        func = Func(node, self.frame, self.frame.owner)
        if not isinstance(node, ast.Lambda):
            rest = [one for one in (node.args.vararg, node.args.kwarg) if one is not None]
            for one in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs, *rest):
                self.annotation(one.annotation)
            self.annotation(node.returns)
        func.defaults = [self.value(one) for one in node.args.defaults]
        func.named_defaults = [ANY if one is None else self.value(one) for one in node.args.kw_defaults]
        before = self.functions.get(node)
        if before is not None:
            func.called, func.again = before.called, before.again
        self.functions[node] = func
        return func

    def annotation(self, node: ast.expr | None) -> None:
        """An annotation is worked out as well; most of them only name a type."""
        if node is None or type(node) in _TYPES:
            return
        if any(isinstance(one, ast.Call) for one in ast.walk(node)):
            self.value(node)

    # --- texts and numbers -------------------------------------------------------------------------------------------

    def _joined_str(self, node: ast.JoinedStr) -> Value:
        parts: list[Value] = []
        for part in node.values:
            if type(part) is ast.Constant:
                parts.append(part.value)
                continue
            if not isinstance(part, ast.FormattedValue):
                continue
            value = self.value(part.value)
            if part.format_spec is not None:
                self.value(part.format_spec)
                value = value if type(value) in (str, Choice, PathText) else UNKNOWN
            if part.conversion == ord("r") and type(value) is str:
                value = repr(value) if UNKNOWN not in value else UNKNOWN
            parts.append(value)
        return combine(parts, self.too_many)

    def _binary(self, node: ast.BinOp) -> Value:
        # A sum of many is nested as deeply as it has parts.
        kind, rights = type(node.op), [node.right]
        left: ast.AST = node.left
        while type(left) is ast.BinOp and type(left.op) is kind:
            rights.append(left.right)
            left = left.left
        value = self.value(left)
        if kind is ast.Add and len(rights) > 1:
            values = [value, *(self.value(right) for right in reversed(rights))]
            if any(type(one) is str for one in values) and all(type(one) in _ADDED or one is ANY for one in values):
                return combine(values, self.too_many)
            for one in values[1:]:
                value = self.operate(kind, value, one)
            return value
        for right in reversed(rights):
            value = self.operate(kind, value, self.value(right))
        return value

    def operate(self, kind: type[ast.operator], left: Value, right: Value) -> Value:
        """What an operator makes of two values."""
        of, other = type(left), type(right)
        if kind is ast.Add:
            return self._add(left, right)
        if kind is ast.Div and (of in _PATHS or other in _PATHS):
            return self._below(left, right)
        if kind is ast.Mod and of is str:
            return format_percent(left, right, self.too_many)
        if of is Choice or other is Choice:
            return ANY
        if kind is ast.BitOr and of is dict and other is dict:
            return {**left, **right}
        return arithmetic(kind, left, right, self.too_long)

    def _add(self, left: Value, right: Value) -> Value:
        of, other = type(left), type(right)
        if of is list or other is list:
            if of is list and other is list:
                if len(left) + len(right) > PYTHON_ITEMS.most:
                    self.reach(PYTHON_ITEMS)
                    return Items(ANY)
                return left + right
            return [*(left if of is list else [ANY]), *(right if other is list else [self.one_item(right)])]
        if of in _TEXTS or other in _TEXTS:
            if of is Choice and not any(type(one) in (str, PathText) for one in left.of) and other is not str:
                return ANY
            return combine([left, right], self.too_many)
        return arithmetic(ast.Add, left, right, self.too_long)

    def _below(self, left: Value, right: Value) -> Value:
        if type(left) is Choice and not any(type(one) is PathText for one in left.of) and type(right) is not str:
            return ANY
        if type(left) in (int, float) or type(right) in (int, float):
            return ANY
        return over_paths(self.joined_path([left, right]), PathText)

    def joined_path(self, parts: list[Value]) -> Value:
        """The paths that parts make, as `os.path.join` puts them together."""
        found: list[str] = [""]
        for part in parts:
            ways = [path_text(one) for one in part.of] if type(part) is Choice else [path_text(part)]
            if len(found) * len(ways) > ROUNDS.most:
                self.too_many()
                ways = [UNKNOWN]
            found = [
                way if way[:1] == "/" or not before else before + ("" if before[-1:] == "/" else "/") + way
                for before in found for way in ways
            ]  # fmt: skip
        found = list(dict.fromkeys(found))
        return found[0] if len(found) == 1 else Choice(tuple(found))

    def _unary(self, node: ast.UnaryOp) -> Value:
        value = self.value(node.operand)
        if type(value) is int and type(node.op) is ast.USub:
            return -value
        if type(value) is int and type(node.op) is ast.Invert:
            return ~value
        return ANY

    def _boolean(self, node: ast.BoolOp) -> Value:
        found = self.value(node.values[0])
        if type(node.op) is ast.Or and type(found) in _KEYS and not found and len(node.values) > 1:
            found = self.value(node.values[1])  # of something empty, the other
            return reduce(lambda one, other: join(one, self.value(other), self.too_many), node.values[2:], found)
        for one in node.values[1:]:
            found = join(found, self.value(one), self.too_many)
        return found

    def _if(self, node: ast.IfExp) -> Value:
        self.value(node.test)
        return join(self.value(node.body), self.value(node.orelse), self.too_many)

    def _compare(self, node: ast.Compare) -> Value:
        self.value(node.left)
        for one in node.comparators:
            if type(one) is not ast.Constant:
                self.value(one)
        return ANY

    # --- lists and their items ---------------------------------------------------------------------------------------

    def _list(self, node: ast.List | ast.Tuple | ast.Set) -> Value:
        found: list[Value] = []
        for one in node.elts:
            if type(one) is ast.Starred:
                listed = self.value(one.value)
                found += listed if type(listed) is list else [self.one_item(listed)]
            else:
                found.append(self.value(one))
        return found

    def _dict(self, node: ast.Dict) -> Value:
        found: dict[Any, Value] = {}
        for key, one in zip(node.keys, node.values, strict=True):
            value = self.value(one)
            if key is None:
                found.update(value if type(value) is dict else {})
                continue
            name = self.value(key)
            if type(name) not in _KEYS:
                name = ANY
            found[name] = value if name not in found or name is not ANY else join(found[name], value)
        return found

    def _subscript(self, node: ast.Subscript) -> Value:
        return self.item(self.value(node.value), self.value(node.slice))

    def _slice(self, node: ast.Slice) -> Value:
        bounds = [None if one is None else self.value(one) for one in (node.lower, node.upper, node.step)]
        return slice(*bounds) if all(one is None or type(one) is int for one in bounds) else ANY

    def item(self, value: Value, key: Value) -> Value:
        """What stands in brackets behind a value."""
        kind = type(value)
        if kind is Choice:
            return self.join_all([self.item(one, key) for one in value.of])
        if type(key) is Choice and kind is not Ref:
            return self.join_all([self.item(value, one) for one in key.of])
        if kind is Ref:
            return self._item_of_module(value, key)
        if kind is Members:
            if type(key) is not str or UNKNOWN in key:
                return HIDDEN if type(value.of) is Ref else ANY
            return self.attribute(value.of, key)
        if kind is Namespace:
            return self.name(key) if type(key) is str and UNKNOWN not in key else HIDDEN
        if kind is list and type(key) is not int and type(key) is not slice:
            return self.one_item(value)
        if kind is dict and (type(key) not in _KEYS or key not in value):
            return self.one_item(list(value.values()))
        if kind is Items:
            return value if type(key) is slice else value.one
        found = subscript(value, key)
        return self.loose.get("[]", ANY) if found is ANY and self.loose else found

    def _item_of_module(self, value: Ref, key: Value) -> Value:
        if value.name == "sys.modules":
            known = type(key) is str and UNKNOWN not in key
            return Ref(full_name(key)) if known else HIDDEN
        if value.name == "builtins":
            known = type(key) is str and UNKNOWN not in key
            return Ref(full_name(f"builtins.{key}")) if known else HIDDEN
        if value.name in ("os.environ", "os.environb"):
            return variable(key)
        if value.name[:1] == "?":
            return value
        if "()" in value.name:
            return Ref(value.name)
        return ANY

    def _each(self, value: Value) -> list[Value]:
        """The items of a list one by one, or what all of them are."""
        listed = type(value) is list or type(value) is tuple or (type(value) is str and UNKNOWN not in value)
        if listed and len(value) <= PYTHON_ITEMS.most and self.can_unroll(len(value)):
            return list(value)
        return [self.one_item(value)]

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> Value:
        found: list[Value] = []
        exact = self._rounds(node.generators, lambda: found.append(self.value(node.elt)))
        return found if exact else Items(self.join_all(found))

    def _dict_comprehension(self, node: ast.DictComp) -> Value:
        found: dict[Any, Value] = {}

        def add() -> None:
            key, value = self.value(node.key), self.value(node.value)
            found[key if type(key) in _KEYS else ANY] = value

        self._rounds(node.generators, add)
        return found

    def _rounds(self, generators: list[ast.comprehension], each: Callable[[], object]) -> bool:
        """Go through the rounds of a comprehension; whether these are exactly those that it makes."""
        outer = self.frame
        self.frame = Frame(outer)
        self.frame.of = outer.of
        try:
            return self._round(generators, 0, each)
        finally:
            self.frame = outer

    def _round(self, generators: list[ast.comprehension], at: int, each: Callable[[], object]) -> bool:
        if at == len(generators):
            each()
            return True
        one = generators[at]
        value = self.value(one.iter)
        items = self._each(value)
        exact = len(items) != 1 or type(value) in (list, tuple)
        for item in items:
            self.assign(one.target, item)
            for test in one.ifs:
                self.value(test)
            exact = self._round(generators, at + 1, each) and exact and not one.ifs
        return exact

    # --- the rest ----------------------------------------------------------------------------------------------------

    def _walrus(self, node: ast.NamedExpr) -> Value:
        value = self.value(node.value)
        self.bind(node.target.id, value)
        return value

    def _inner(self, node: ast.Await | ast.Starred) -> Value:
        return self.value(node.value)

    def _yield(self, node: ast.Yield | ast.YieldFrom) -> Value:
        value = ANY if node.value is None else self.value(node.value)
        self.frame.yields.append(self.one_item(value) if type(node) is ast.YieldFrom else value)
        return ANY


_TYPES = frozenset({ast.Name, ast.Attribute, ast.Constant})
_TEXTS = frozenset({str, PathText, Choice})
_ADDED = frozenset({str, Choice, PathText, int, float})
_PATHS = frozenset({PathText, str, Choice})
_KEYS = frozenset({str, int, bytes, bool, float, type(None)})
WAYS: dict[type[ast.AST], Callable[[Any, Any], Value]] = {
    ast.Call: Expressions._call,
    ast.Attribute: Expressions._attribute,
    ast.Lambda: Expressions._lambda,
    ast.JoinedStr: Expressions._joined_str,
    ast.BinOp: Expressions._binary,
    ast.UnaryOp: Expressions._unary,
    ast.BoolOp: Expressions._boolean,
    ast.IfExp: Expressions._if,
    ast.Compare: Expressions._compare,
    ast.List: Expressions._list,
    ast.Tuple: Expressions._list,
    ast.Set: Expressions._list,
    ast.Dict: Expressions._dict,
    ast.Subscript: Expressions._subscript,
    ast.Slice: Expressions._slice,
    ast.ListComp: Expressions._comprehension,
    ast.SetComp: Expressions._comprehension,
    ast.GeneratorExp: Expressions._comprehension,
    ast.DictComp: Expressions._dict_comprehension,
    ast.NamedExpr: Expressions._walrus,
    ast.Await: Expressions._inner,
    ast.Starred: Expressions._inner,
    ast.Yield: Expressions._yield,
    ast.YieldFrom: Expressions._yield,
}
