"""What a program of jq reads of its input, what it tests, and what it prints, on each way through it."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any, TypeAlias

from msgspec.structs import replace

from interlock.hook_lint.program import ANY_KEY
from interlock.hook_lint.read.shell.holes import Ask, Atom, Hole, has_holes
from interlock.hook_lint.read.shell.jq.calls import CALLS, JqCall
from interlock.hook_lint.read.shell.jq.grammar import Jq
from interlock.hook_lint.read.shell.jq.reader import MOST_VALUES, MOST_WAYS, JqReader
from interlock.hook_lint.read.shell.jq.values import (
    HoleValue,
    Input,
    JqScope,
    Way,
    after,
    compare,
    join_ways,
    plain_path,
    put,
    with_values,
)

__all__ = ["JqWalk"]


class JqWalk(JqReader):
    """One run, with every step."""

    def step(self, node: Jq, given: Input, scope: JqScope) -> list[Way]:
        step = _STEPS.get(node.op)
        return [Way(values=(self.unknown(given),))] if step is None else step(self, node, given, scope)

    # Paths.

    def _quiet_path(self, node: Jq, given: Input, scope: JqScope) -> list[Way]:
        """The ways of a part on which more of a path follows: it is read together with that."""
        if node.op == "field" and isinstance(node.args[1], str):
            ways = self._quiet_path(node.args[0], given, scope)
            key = node.args[1]
            return self.then(ways, lambda value: [Way(values=(self.field(value, key, node, note=False),))])
        if node.op == "try" and node.args[1] is None:
            return self._quiet_path(node.args[0], given, scope)
        if node.op == "each":
            return self._each(node, given, scope, note=False)
        return self.ways(node, given, scope)

    def _field(self, node: Jq, given: Input, scope: JqScope) -> list[Way]:
        term, key = node.args
        ways = self._quiet_path(term, given, scope)
        name = key if isinstance(key, str) else self.text(self.one(key, given, scope))
        return self.then(ways, lambda value: [Way(values=(self.field(value, name, node),))])

    def _index(self, node: Jq, given: Input, scope: JqScope) -> list[Way]:
        term, index = node.args
        ways = self._quiet_path(term, given, scope)
        keys = self.values(index, given, scope)
        return self.then(ways, lambda value: [Way(values=tuple(self.field(value, key, node) for key in keys))])

    def _slice(self, node: Jq, given: Input, scope: JqScope) -> list[Way]:
        for part in node.args[1:]:
            if part is not None:
                self.values(part, given, scope)
        start = node.args[1]
        cut = start is not None and start.op != "constant"

        def slice_of(value: Input) -> list[Way]:
            if isinstance(value, HoleValue) and value.hole.origins and start is None and not cut:
                return [Way(values=(value,))]
            return [Way(values=(self.unknown(value),))]

        return self.then(self.ways(node.args[0], given, scope), slice_of)

    def _each(self, node: Jq, given: Input, scope: JqScope, *, note: bool = True) -> list[Way]:
        def items(value: Input) -> list[Way]:
            if isinstance(value, list):
                return [Way(values=tuple(value[:MOST_VALUES]))]
            if isinstance(value, dict):
                return [Way(values=tuple(value.values())[:MOST_VALUES])]
            return [Way(values=(self.field(value, ANY_KEY, node, note=note),))]

        return self.then(self._quiet_path(node.args[0], given, scope), items)

    # Constants and what is made.

    def _constant(self, node: Jq, given: Input, scope: JqScope) -> list[Way]:
        return [Way(values=(node.args[0],))]

    def _input(self, node: Jq, given: Input, scope: JqScope) -> list[Way]:
        return [Way(values=(given,))]

    def _string(self, node: Jq, given: Input, scope: JqScope) -> list[Way]:
        parts, form = node.args
        ways = [Way(values=("",))]
        for part in parts:
            if isinstance(part, str):
                inner = [Way(values=(part,))]
            else:
                values = self.ways(part, given, scope)
                inner = [with_values(way, *(self._in_format(value, form) for value in way.values)) for way in values]
            ways = self._each_with(ways, inner, lambda text, behind: f"{text}{behind}")
        return ways

    def _each_with(self, ways: list[Way], others: list[Way], make: Callable[[Input, Input], Input]) -> list[Way]:
        """What is made of each value of some ways with each of others."""

        def behind(one: Input) -> list[Way]:
            return self.then(others, lambda other: [Way(values=(make(one, other),))])

        return self.then(ways, behind)

    def _in_format(self, value: Input, form: str) -> str:
        """A value as a format such as `@sh` writes it."""
        if form in ("", "@text"):
            return self.text(value)
        if form == "@json":
            return self.json(value)
        if form in ("@tsv", "@csv", "@sh"):
            sign = {"@tsv": "\t", "@csv": ",", "@sh": " "}[form]
            items = value if isinstance(value, list) else [value]
            texts = ["" if item is None else self.text(item) for item in items]
            if form == "@sh":
                texts = [text if has_holes(text) else "'" + text.replace("'", "'\\''") + "'" for text in texts]
            return sign.join(texts)
        text = self.text(value)
        if form == "@base64" and not has_holes(text):
            return base64.b64encode(text.encode()).decode()
        return self.holes.derive(text, is_plain=form in ("@base64", "@uri", "@base64d"))

    def _format(self, node: Jq, given: Input, scope: JqScope) -> list[Way]:
        return [Way(values=(self._in_format(given, node.args[0]),))]

    def _list(self, node: Jq, given: Input, scope: JqScope) -> list[Way]:
        if node.args[0] is None:
            return [Way(values=([],))]
        return [with_values(way, list(way.values)) for way in self.ways(node.args[0], given, scope)]

    def _object(self, node: Jq, given: Input, scope: JqScope) -> list[Way]:
        ways: list[Way] = [Way(values=({},))]
        for key, value in node.args[0]:
            name = key if isinstance(key, str) else self.text(self.one(key, given, scope))
            inner = [with_values(way, *({name: one} for one in way.values)) for way in self.ways(value, given, scope)]
            ways = self._each_with(ways, inner, lambda made, member: {**made, **member})
            if len(ways) > MOST_WAYS:
                break
        return ways

    def _variable(self, node: Jq, given: Input, scope: JqScope) -> list[Way]:
        name = node.args[0]
        if name == "ENV":
            return [Way(values=(HoleValue(Hole(names=("*",))),))]
        return [Way(values=(scope.variables.get(name, HoleValue()),))]

    # Joining.

    def _pipe(self, node: Jq, given: Input, scope: JqScope) -> list[Way]:
        left, right = node.args
        return self.then(self.ways(left, given, scope), lambda value: self.ways(right, value, scope))

    def _comma(self, node: Jq, given: Input, scope: JqScope) -> list[Way]:
        right = self.ways(node.args[1], given, scope)
        return [
            way if way.code is not None else join_ways(way, other)
            for way in self.ways(node.args[0], given, scope)
            for other in right
        ]

    def _as(self, node: Jq, given: Input, scope: JqScope) -> list[Way]:
        source, names, body = node.args

        def bind(value: Input) -> list[Way]:
            some = dict(scope.variables)
            if names[0] == "":
                some.update(dict.fromkeys(names[1:], self.unknown(value)))
            else:
                some[names[0]] = value
            return self.ways(body, given, JqScope(some, scope.functions))

        return self.then(self.ways(source, given, scope), bind)

    def _def(self, node: Jq, given: Input, scope: JqScope) -> list[Way]:
        name, parameters, body, rest = node.args
        functions = dict(scope.functions)
        functions[name, len(parameters)] = (parameters, body, scope)
        return self.ways(rest, given, JqScope(scope.variables, functions))

    def _alternative(self, node: Jq, given: Input, scope: JqScope) -> list[Way]:
        left = self.ways(node.args[0], given, scope)
        right = self.ways(node.args[1], given, scope)
        values = [value for way in left for value in way.values]
        if any(not isinstance(value, HoleValue) and value not in (None, False) for value in values):
            return left
        other = [value for way in right for value in way.values]
        if not any(isinstance(value, HoleValue) for value in values):
            return right
        paths = [path for value in (*values, *other) if isinstance(value, HoleValue) for path in value.hole.origins]
        if len(paths) > 1:
            self.notes.link(tuple(dict.fromkeys(paths)))
        if len(left) > 1 or len(right) > 1 or len(values) != 1:
            return [Way(values=(self.unknown(*values, *other),))]
        first = values[0]
        if not other or (not isinstance(other[0], HoleValue) and other[0] in ("", None, False)):
            return [Way(values=(first,))]
        return [Way(values=(self.either_of(first, other[0]),))]

    def either_of(self, first: HoleValue, second: Input) -> Input:
        if isinstance(second, HoleValue):
            origins = tuple(dict.fromkeys((*first.hole.origins, *second.hole.origins)))
            sure = bool(first.hole.origins) and bool(second.hole.origins)
            paths = tuple(dict.fromkeys((*first.hole.paths, *second.hole.paths)))
            change = first.hole.change if first.hole.change == second.hole.change else "other"
            return HoleValue(Hole(paths=paths, origins=origins if sure else (), change=change))
        return first if first.hole.origins else self.unknown(first, second)

    def _assign(self, node: Jq, given: Input, scope: JqScope) -> list[Way]:
        sign, target, value = node.args
        made = self.one(value, given, scope)
        path = plain_path(target)
        if sign == "=" and path is not None and isinstance(given, dict):
            return [Way(values=(put(given, path, made),))]
        if path is None:
            self.values(target, given, scope)
        return [Way(values=(self.unknown(given, made),))]

    def _sum(self, node: Jq, given: Input, scope: JqScope) -> list[Way]:
        sign, left, right = node.args
        others = self.ways(right, given, scope)
        return self._each_with(self.ways(left, given, scope), others, lambda one, other: self._sum_of(sign, one, other))

    def _sum_of(self, sign: str, one: Input, other: Input) -> Input:
        if sign == "+":
            if one is None or other is None:
                return other if one is None else one
            if isinstance(one, str) and isinstance(other, str):
                return one + other
            if isinstance(one, list) and isinstance(other, list):
                return [*one, *other]
            if isinstance(one, dict) and isinstance(other, dict):
                return {**one, **other}
            if isinstance(one, dict) and isinstance(other, HoleValue):
                return {**one, ANY_KEY: other}
            if isinstance(one, HoleValue) and isinstance(other, dict):
                return {ANY_KEY: one, **other}
            if isinstance(one, str) or isinstance(other, str):
                return self.text(one) + self.text(other)
        if sign == "*" and isinstance(one, dict | HoleValue) and isinstance(other, dict):
            return {**(one if isinstance(one, dict) else {ANY_KEY: one}), **other}
        return self.unknown(one, other, is_plain=sign != "+")

    def _minus(self, node: Jq, given: Input, scope: JqScope) -> list[Way]:
        value = self.one(node.args[0], given, scope)
        return [Way(values=(-value if isinstance(value, int | float) else self.unknown(value),))]

    # Conditions.

    def _compare(self, node: Jq, given: Input, scope: JqScope) -> list[Way]:
        sign, left, right = node.args
        if left.op == "call" and left.args[0] == "type" and isinstance(given, HoleValue) and given.hole.origins:
            kind = self.one(right, given, scope)
            if kind in ("string", "null"):  # a value of the event is taken to be what it should be
                return [Way(values=((kind == "string") == (sign == "=="),))]
        others = self.ways(right, given, scope)
        return self._each_with(
            self.ways(left, given, scope), others, lambda one, other: self._comparison_of(node, sign, one, other)
        )

    def _comparison_of(self, node: Jq, sign: str, one: Input, other: Input) -> Input:
        if all(_is_known(side) for side in (one, other)):
            return compare(sign, one, other)
        value, ref = (one, other) if isinstance(other, HoleValue) and not isinstance(one, HoleValue) else (other, one)
        hole = ref.hole if isinstance(ref, HoleValue) else self.holes.sole(ref) if isinstance(ref, str) else None
        if hole is not None and sign in ("==", "!=") and not isinstance(value, HoleValue):
            if value in (None, ""):
                atom = Atom("presence" if hole.paths else "world", self.place(node), sign == "!=")
                return self.flag(self.ask(node, [atom], one, other))
            if isinstance(value, str) and not has_holes(value):
                return self.same(node, sign == "==", hole, (value,))
            if isinstance(value, bool) and hole.ask is not None:
                return HoleValue(replace(hole, ask=hole.ask if value == (sign == "==") else hole.ask.negation()))
        atom = Atom("match" if self.paths(one, other) else "world", self.place(node), sign != "!=")
        return self.flag(self.ask(node, [atom], one, other))

    def _logic(self, node: Jq, given: Input, scope: JqScope) -> list[Way]:
        one = self.truth(self.one(node.args[0], given, scope), node.args[0])
        other = self.truth(self.one(node.args[1], given, scope), node.args[1])
        known = node.op == "or"  # what decides it alone
        if one is known or other is known:
            return [Way(values=(known,))]
        asks = [part for part in (one, other) if isinstance(part, Ask)]
        if not asks:
            return [Way(values=(not known,))]
        if len(asks) == 1:
            return [Way(values=(self.flag(asks[0]),))]
        return [Way(values=(self.flag(self.all_of(node, asks)),))]

    def _if(self, node: Jq, given: Input, scope: JqScope) -> list[Way]:
        test, body, other = node.args
        found: list[Way] = []
        for way in self.ways(test, given, scope):
            if way.code is not None:
                found.append(way)
                continue
            truth = self.truth(way.values[0] if way.values else None, test)
            if not way.values:
                found.append(way)
                continue
            for holds in (True, False):
                if isinstance(truth, bool) and truth != holds:
                    continue
                conditions = way.conditions if isinstance(truth, bool) else (*way.conditions, (truth, holds))
                part = body if holds else other
                behind = [Way(values=(given,))] if part is None else self.ways(part, given, scope)
                found += [after(conditions, one) for one in behind]
        return found

    def _try(self, node: Jq, given: Input, scope: JqScope) -> list[Way]:
        ways = self.ways(node.args[0], given, scope)
        if node.args[1] is not None and any(way.code == 5 for way in ways):
            caught = self.ways(node.args[1], self.unknown(), scope)
            ways = [
                one for way in ways for one in ([way] if way.code != 5 else [after(way.conditions, c) for c in caught])
            ]
        return [way if way.code != 5 else Way(way.conditions) for way in ways]

    def _fold(self, node: Jq, given: Input, scope: JqScope) -> list[Way]:
        source, names, parts = node.args
        values = self.values(source, given, scope)
        each = self.unknown(*values)
        some = {**scope.variables, **dict.fromkeys((name for name in names if name), each)}
        start = self.values(parts[0], given, scope)
        inner = JqScope(some, scope.functions)
        made = [one for part in parts[1:] for value in start[:1] for one in self.values(part, value, inner)]
        return [Way(values=(self.unknown(*values, *start, *made),))]

    # Calls.

    def _call(self, node: Jq, given: Input, scope: JqScope) -> list[Way]:
        name, arguments = node.args
        own = scope.functions.get((name, len(arguments)))
        if own is not None:
            return self._own(own, arguments, given, scope)
        call = CALLS.get(name)
        if call is not None:
            found = call(JqCall(self, node, arguments, given, scope))
            if found is not None:
                return found
        values = [value for argument in arguments for value in self.values(argument, given, scope)]
        return [Way(values=(self.unknown(given, *values),))]

    def _own(
        self, own: tuple[tuple[str, ...], Jq, Any], arguments: tuple[Jq, ...], given: Input, scope: JqScope
    ) -> list[Way]:
        parameters, body, outer = own
        variables = dict(outer.variables)
        functions = dict(outer.functions)
        for name, argument in zip(parameters, arguments, strict=True):
            if name.startswith("$"):
                variables[name[1:]] = self.one(argument, given, scope)
            functions[name.lstrip("$"), 0] = ((), argument, scope)
        return self.ways(body, given, JqScope(variables, functions))


_Step: TypeAlias = Callable[[JqWalk, Jq, Any, JqScope], list[Way]]

_STEPS: dict[str, _Step] = {
    "input": JqWalk._input, "field": JqWalk._field, "index": JqWalk._index, "slice": JqWalk._slice,
    "each": JqWalk._each, "constant": JqWalk._constant, "string": JqWalk._string,
    "format": JqWalk._format, "list": JqWalk._list, "object": JqWalk._object,
    "variable": JqWalk._variable, "pipe": JqWalk._pipe, "comma": JqWalk._comma, "as": JqWalk._as,
    "def": JqWalk._def, "alternative": JqWalk._alternative, "assign": JqWalk._assign,
    "sum": JqWalk._sum, "minus": JqWalk._minus, "compare": JqWalk._compare, "and": JqWalk._logic,
    "or": JqWalk._logic, "if": JqWalk._if, "try": JqWalk._try, "reduce": JqWalk._fold,
    "foreach": JqWalk._fold, "call": JqWalk._call,
}  # fmt: skip


def _is_known(value: Input) -> bool:
    """Whether a value is plain and wholly known."""
    return not isinstance(value, HoleValue | dict | list) and not (isinstance(value, str) and has_holes(value))
