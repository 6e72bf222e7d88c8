"""What a program of jq reads of its input, what it tests, and what it prints, on each way through it."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, TypeAlias

from msgspec import UNSET
from msgspec.structs import replace

from interlock.hook_lint.program import ANY_KEY, UNKNOWN, Path, Span
from interlock.hook_lint.read.shell.holes import PLAIN_FIELDS, Ask, Atom, Hole, Holes, has_holes
from interlock.hook_lint.read.shell.jq.calls import CALLS, Called
from interlock.hook_lint.read.shell.jq.grammar import Jq
from interlock.hook_lint.read.shell.jq.values import (
    Input,
    Ref,
    Scope,
    Way,
    after,
    compare,
    flat,
    has_unknown,
    joined,
    plain_path,
    put,
    value_of,
    with_values,
)
from interlock.hook_lint.read.shell.record import Record

__all__ = ["Evaluation"]

MOST_WAYS = 12
MOST_VALUES = 64
MOST_STEPS = 4_000
MOST_LEVELS = 60


class Evaluation:
    """One run of one program."""

    def __init__(
        self,
        text: str,
        holes: Holes,
        record: Record,
        span: Callable[[int, int], Span],
        *,
        rest: Input = None,
    ) -> None:
        self.source = text
        self.holes = holes
        self.record = record
        self.span = span
        self.rest = rest  # what `input` gives
        self.steps = 0
        self.level = 0

    def run(self, program: Jq, given: Input, variables: Mapping[str, Input]) -> list[Way]:
        return self.ways(program, given, Scope(variables))

    def ways(self, node: Jq, given: Input, scope: Scope) -> list[Way]:
        self.steps += 1
        step: _Step | None = _STEPS.get(node.op)
        if self.steps > MOST_STEPS or self.level > MOST_LEVELS or step is None:
            return [Way(values=(self.unknown(given),))]
        self.level += 1
        ways = step(self, node, given, scope)
        self.level -= 1
        return ways if len(ways) <= MOST_WAYS else [self._any_of(ways)]

    def _any_of(self, ways: list[Way]) -> Way:
        """One way in the place of too many: what it gives is not known."""
        values = [value for way in ways for value in way.values]
        return Way(values=(self.unknown(*values),))

    def values(self, node: Jq, given: Input, scope: Scope) -> list[Input]:
        """What a part gives, on whichever way."""
        found = [value for way in self.ways(node, given, scope) for value in way.values]
        return found[:MOST_VALUES]

    def one(self, node: Jq, given: Input, scope: Scope) -> Input:
        """The value of a part, if it has one alone."""
        found = self.values(node, given, scope)
        if len(found) == 1:
            return found[0]
        return self.unknown(*found) if found else None

    def _then(self, ways: Iterable[Way], next_: Callable[[Input], list[Way]]) -> list[Way]:
        """Go on with each value that some ways give."""
        found: list[Way] = []
        for way in ways:
            done = [Way(way.conditions, (), way.code, way.said)]
            if way.code is None:
                for value in way.values:
                    behind = next_(value)
                    done = [joined(one, other) for one in done for other in (behind if one.code is None else [Way()])]
                    if len(done) > MOST_WAYS:
                        done = [self._any_of(done)]
            found += done
        return found

    # What is known of values.

    def unknown(self, *values: Input, **more: Any) -> Ref:
        """A value that is made of others in a way that is not followed."""
        names = [name for one in flat(values) if isinstance(one, Ref) for name in one.hole.names]
        names += self.holes.names(*self._texts(values))
        hole = Hole(paths=self.paths(*values), names=tuple(dict.fromkeys(names)), change="other", **more)
        return Ref(hole)

    def _texts(self, values: Iterable[Input]) -> list[str]:
        return [one for one in flat(values) if isinstance(one, str)]

    def paths(self, *values: Input) -> tuple[Path, ...]:
        """The values of the event that these are made of."""
        found: dict[Path, None] = {}
        for one in flat(values):
            if isinstance(one, Ref):
                found.update(dict.fromkeys(one.hole.paths))
            elif isinstance(one, str):
                found.update(dict.fromkeys(self.holes.paths(one)))
        return tuple(found)

    def text(self, value: Input) -> str:
        """A value as a text, as `tostring` has it."""
        if isinstance(value, str):
            return value
        if isinstance(value, Ref):
            return self.holes.mark(value.hole)
        return self.json(value)

    def json(self, value: Input) -> str:
        """A value as JSON."""
        plain = self.plain(value)
        if isinstance(value, Ref):
            return self.holes.mark(replace(value.hole, is_json=True))
        if not has_unknown(value, self.holes):
            return json.dumps(plain, ensure_ascii=False, separators=(",", ":"))
        names = self.holes.names(*self._texts([value]))
        return self.holes.mark(Hole(paths=self.paths(value), names=names, is_json=True, document=plain))

    def plain(self, value: Input) -> Any:
        """A value as a check sees it."""
        if isinstance(value, Ref):
            return UNKNOWN if value.hole.document is UNSET else value.hole.document
        if isinstance(value, str):
            return self.holes.value_of(value)
        if isinstance(value, dict):
            return {ANY_KEY if has_holes(key) else key: self.plain(one) for key, one in value.items()}
        if isinstance(value, list):
            return [self.plain(one) for one in value]
        return value

    def value_of(self, text: str) -> Input:
        """The value that a JSON text is."""
        hole = self.holes.sole(text.strip())
        if hole is not None:
            return value_of(hole.document) if hole.document is not UNSET else Ref(hole)
        try:
            return json.loads(text) if not has_holes(text) else self.unknown(text)
        except (ValueError, RecursionError):
            return self.unknown(text)

    # Paths.

    def field(self, value: Input, key: Input, place: Jq, *, record: bool = True) -> Input:
        """What is at a key of a value."""
        if isinstance(value, dict):
            if isinstance(key, str) and not has_holes(key):
                return value.get(key, self.unknown(*value.values()) if ANY_KEY in value else None)
            return self.unknown(*value.values())
        if isinstance(value, list):
            if isinstance(key, int) and -len(value) <= key < len(value):
                return value[key]
            return self.unknown(*value) if not isinstance(key, int) else None
        if not isinstance(value, Ref):
            return None
        hole = value.hole
        if hole.origins and (hole.change == "" or hole.is_json):
            name = key if isinstance(key, str) and not has_holes(key) else ANY_KEY
            paths = tuple((*origin, name) for origin in hole.origins)
            if record:
                for path in paths:
                    self.record.read(path, self.place(place), tuple(one for one in paths if one != path))
            plain = all(path in PLAIN_FIELDS for path in paths)
            return Ref(Hole(paths=paths, origins=paths, names=hole.names, is_plain=plain))
        return self.unknown(value)

    def place(self, node: Jq) -> Span:
        return self.span(node.start, node.end)

    def _quiet_path(self, node: Jq, given: Input, scope: Scope) -> list[Way]:
        """The ways of a part on which more of a path follows: it is read together with that."""
        if node.op == "field" and isinstance(node.args[1], str):
            ways = self._quiet_path(node.args[0], given, scope)
            key = node.args[1]
            return self._then(ways, lambda value: [Way(values=(self.field(value, key, node, record=False),))])
        if node.op == "try" and node.args[1] is None:
            return self._quiet_path(node.args[0], given, scope)
        if node.op == "each":
            return self._each(node, given, scope, record=False)
        return self.ways(node, given, scope)

    def _field(self, node: Jq, given: Input, scope: Scope) -> list[Way]:
        term, key = node.args
        ways = self._quiet_path(term, given, scope)
        name = key if isinstance(key, str) else self.text(self.one(key, given, scope))
        return self._then(ways, lambda value: [Way(values=(self.field(value, name, node),))])

    def _index(self, node: Jq, given: Input, scope: Scope) -> list[Way]:
        term, index = node.args
        ways = self._quiet_path(term, given, scope)
        keys = self.values(index, given, scope)
        return self._then(ways, lambda value: [Way(values=tuple(self.field(value, key, node) for key in keys))])

    def _slice(self, node: Jq, given: Input, scope: Scope) -> list[Way]:
        for part in node.args[1:]:
            if part is not None:
                self.values(part, given, scope)
        start = node.args[1]
        cut = start is not None and start.op != "constant"

        def sliced(value: Input) -> list[Way]:
            if isinstance(value, Ref) and value.hole.origins and start is None and not cut:
                return [Way(values=(value,))]
            return [Way(values=(self.unknown(value),))]

        return self._then(self.ways(node.args[0], given, scope), sliced)

    def _each(self, node: Jq, given: Input, scope: Scope, *, record: bool = True) -> list[Way]:
        def items(value: Input) -> list[Way]:
            if isinstance(value, list):
                return [Way(values=tuple(value[:MOST_VALUES]))]
            if isinstance(value, dict):
                return [Way(values=tuple(value.values())[:MOST_VALUES])]
            return [Way(values=(self.field(value, ANY_KEY, node, record=record),))]

        return self._then(self._quiet_path(node.args[0], given, scope), items)

    # Constants and what is made.

    def _constant(self, node: Jq, given: Input, scope: Scope) -> list[Way]:
        return [Way(values=(node.args[0],))]

    def _input(self, node: Jq, given: Input, scope: Scope) -> list[Way]:
        return [Way(values=(given,))]

    def _string(self, node: Jq, given: Input, scope: Scope) -> list[Way]:
        parts, form = node.args
        ways = [Way(values=("",))]
        for part in parts:
            if isinstance(part, str):
                inner = [Way(values=(part,))]
            else:
                values = self.ways(part, given, scope)
                inner = [with_values(way, *(self._formed(value, form) for value in way.values)) for way in values]
            ways = self._each_with(ways, inner, lambda text, behind: f"{text}{behind}")
        return ways

    def _each_with(self, ways: list[Way], others: list[Way], make: Callable[[Input, Input], Input]) -> list[Way]:
        """What is made of each value of some ways with each of others."""

        def behind(one: Input) -> list[Way]:
            return self._then(others, lambda other: [Way(values=(make(one, other),))])

        return self._then(ways, behind)

    def _formed(self, value: Input, form: str) -> str:
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
        return self.holes.derived(text, is_plain=form in ("@base64", "@uri", "@base64d"))

    def _format(self, node: Jq, given: Input, scope: Scope) -> list[Way]:
        return [Way(values=(self._formed(given, node.args[0]),))]

    def _list(self, node: Jq, given: Input, scope: Scope) -> list[Way]:
        if node.args[0] is None:
            return [Way(values=([],))]
        return [with_values(way, list(way.values)) for way in self.ways(node.args[0], given, scope)]

    def _object(self, node: Jq, given: Input, scope: Scope) -> list[Way]:
        ways: list[Way] = [Way(values=({},))]
        for key, value in node.args[0]:
            name = key if isinstance(key, str) else self.text(self.one(key, given, scope))
            inner = [with_values(way, *({name: one} for one in way.values)) for way in self.ways(value, given, scope)]
            ways = self._each_with(ways, inner, lambda made, member: {**made, **member})
            if len(ways) > MOST_WAYS:
                break
        return ways

    def _variable(self, node: Jq, given: Input, scope: Scope) -> list[Way]:
        name = node.args[0]
        if name == "ENV":
            return [Way(values=(Ref(Hole(names=("*",))),))]
        return [Way(values=(scope.variables.get(name, Ref()),))]

    # Joining.

    def _pipe(self, node: Jq, given: Input, scope: Scope) -> list[Way]:
        left, right = node.args
        return self._then(self.ways(left, given, scope), lambda value: self.ways(right, value, scope))

    def _comma(self, node: Jq, given: Input, scope: Scope) -> list[Way]:
        right = self.ways(node.args[1], given, scope)
        return [
            way if way.code is not None else joined(way, other)
            for way in self.ways(node.args[0], given, scope)
            for other in right
        ]

    def _as(self, node: Jq, given: Input, scope: Scope) -> list[Way]:
        source, names, body = node.args

        def bound(value: Input) -> list[Way]:
            some = dict(scope.variables)
            if names[0] == "":
                some.update(dict.fromkeys(names[1:], self.unknown(value)))
            else:
                some[names[0]] = value
            return self.ways(body, given, Scope(some, scope.functions))

        return self._then(self.ways(source, given, scope), bound)

    def _def(self, node: Jq, given: Input, scope: Scope) -> list[Way]:
        name, parameters, body, rest = node.args
        functions = dict(scope.functions)
        functions[name, len(parameters)] = (parameters, body, scope)
        return self.ways(rest, given, Scope(scope.variables, functions))

    def _alternative(self, node: Jq, given: Input, scope: Scope) -> list[Way]:
        left = self.ways(node.args[0], given, scope)
        right = self.ways(node.args[1], given, scope)
        values = [value for way in left for value in way.values]
        if any(not isinstance(value, Ref) and value not in (None, False) for value in values):
            return left
        other = [value for way in right for value in way.values]
        if not any(isinstance(value, Ref) for value in values):
            return right
        paths = [path for value in (*values, *other) if isinstance(value, Ref) for path in value.hole.origins]
        if len(paths) > 1:
            self.record.stand_beside(tuple(dict.fromkeys(paths)))
        if len(left) > 1 or len(right) > 1 or len(values) != 1:
            return [Way(values=(self.unknown(*values, *other),))]
        first = values[0]
        if not other or (not isinstance(other[0], Ref) and other[0] in ("", None, False)):
            return [Way(values=(first,))]
        return [Way(values=(self.either_of(first, other[0]),))]

    def either_of(self, first: Ref, second: Input) -> Input:
        if isinstance(second, Ref):
            origins = tuple(dict.fromkeys((*first.hole.origins, *second.hole.origins)))
            sure = bool(first.hole.origins) and bool(second.hole.origins)
            paths = tuple(dict.fromkeys((*first.hole.paths, *second.hole.paths)))
            change = first.hole.change if first.hole.change == second.hole.change else "other"
            return Ref(Hole(paths=paths, origins=origins if sure else (), change=change))
        return first if first.hole.origins else self.unknown(first, second)

    def _assign(self, node: Jq, given: Input, scope: Scope) -> list[Way]:
        sign, target, value = node.args
        made = self.one(value, given, scope)
        path = plain_path(target)
        if sign == "=" and path is not None and isinstance(given, dict):
            return [Way(values=(put(given, path, made),))]
        if path is None:
            self.values(target, given, scope)
        return [Way(values=(self.unknown(given, made),))]

    def _sum(self, node: Jq, given: Input, scope: Scope) -> list[Way]:
        sign, left, right = node.args
        others = self.ways(right, given, scope)
        return self._each_with(self.ways(left, given, scope), others, lambda one, other: self._added(sign, one, other))

    def _added(self, sign: str, one: Input, other: Input) -> Input:
        if sign == "+":
            if one is None or other is None:
                return other if one is None else one
            if isinstance(one, str) and isinstance(other, str):
                return one + other
            if isinstance(one, list) and isinstance(other, list):
                return [*one, *other]
            if isinstance(one, dict) and isinstance(other, dict):
                return {**one, **other}
            if isinstance(one, dict) and isinstance(other, Ref):
                return {**one, ANY_KEY: other}
            if isinstance(one, Ref) and isinstance(other, dict):
                return {ANY_KEY: one, **other}
            if isinstance(one, str) or isinstance(other, str):
                return self.text(one) + self.text(other)
        if sign == "*" and isinstance(one, dict | Ref) and isinstance(other, dict):
            return {**(one if isinstance(one, dict) else {ANY_KEY: one}), **other}
        return self.unknown(one, other, is_plain=sign != "+")

    def _minus(self, node: Jq, given: Input, scope: Scope) -> list[Way]:
        value = self.one(node.args[0], given, scope)
        return [Way(values=(-value if isinstance(value, int | float) else self.unknown(value),))]

    # Conditions.

    def _compare(self, node: Jq, given: Input, scope: Scope) -> list[Way]:
        sign, left, right = node.args
        if left.op == "call" and left.args[0] == "type" and isinstance(given, Ref) and given.hole.origins:
            kind = self.one(right, given, scope)
            if kind in ("string", "null"):  # a value of the event is taken to be what it should be
                return [Way(values=((kind == "string") == (sign == "=="),))]
        others = self.ways(right, given, scope)
        return self._each_with(
            self.ways(left, given, scope), others, lambda one, other: self._compared(node, sign, one, other)
        )

    def _compared(self, node: Jq, sign: str, one: Input, other: Input) -> Input:
        if all(_is_known(side) for side in (one, other)):
            return compare(sign, one, other)
        value, ref = (one, other) if isinstance(other, Ref) and not isinstance(one, Ref) else (other, one)
        hole = ref.hole if isinstance(ref, Ref) else self.holes.sole(ref) if isinstance(ref, str) else None
        if hole is not None and sign in ("==", "!=") and not isinstance(value, Ref):
            if value in (None, ""):
                atom = Atom("presence" if hole.paths else "world", self.place(node), sign == "!=")
                return self.flag(self.ask(node, [atom], one, other))
            if isinstance(value, str) and not has_holes(value):
                return self.same(node, sign == "==", hole, (value,))
            if isinstance(value, bool) and hole.ask is not None:
                return Ref(replace(hole, ask=hole.ask if value == (sign == "==") else hole.ask.flipped()))
        atom = Atom("match" if self.paths(one, other) else "world", self.place(node), sign != "!=")
        return self.flag(self.ask(node, [atom], one, other))

    def same(self, node: Jq, sign: bool, hole: Hole, values: tuple[str, ...]) -> Ref:
        """A value of the event that is compared with texts."""
        span = self.place(node)
        for origin in hole.origins:
            if hole.change == "" and origin:
                self.record.compare(origin, values, span)
        path = hole.origins[0] if len(hole.origins) == 1 else None
        atom = Atom("match" if hole.paths else "world", span, sign, path, values[0] if len(values) == 1 else None)
        return self.flag(self.ask(node, [atom], Ref(hole), *values))

    def flag(self, ask: Ask) -> Ref:
        """A value that is true if a condition holds."""
        return Ref(Hole(paths=ask.paths, ask=ask, change="other", is_plain=True))

    def ask(self, node: Jq, atoms: Iterable[Atom], *values: Input) -> Ask:
        """The condition that a part is, about these values."""
        text = self.text_of(node)
        key = "\0".join((text, *(self.text(value) for value in values)))
        return Ask(text=text, key=key, span=self.place(node), atoms=tuple(atoms), paths=self.paths(*values))

    def text_of(self, node: Jq) -> str:
        """A part as it is written."""
        return " ".join(self.source[node.start : node.end].split())

    def truth(self, value: Input, node: Jq) -> bool | Ask:
        """Whether a value counts as true."""
        if isinstance(value, Ref):
            if value.hole.ask is not None:
                return value.hole.ask
            kind: Literal["presence", "world"] = "presence" if value.hole.paths else "world"
            path = value.hole.origins[0] if len(value.hole.origins) == 1 else None
            return self.ask(node, [Atom(kind, self.place(node), path=path)], value)
        return value is not None and value is not False

    def _logic(self, node: Jq, given: Input, scope: Scope) -> list[Way]:
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

    def all_of(self, node: Jq, asks: list[Ask]) -> Ask:
        """The condition that several make."""
        atoms = dict.fromkeys(replace(atom, equal=None) for ask in asks for atom in ask.atoms)
        return self.ask(node, atoms, *(Ref(Hole(paths=ask.paths, ask=ask)) for ask in asks))

    def _if(self, node: Jq, given: Input, scope: Scope) -> list[Way]:
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

    def _try(self, node: Jq, given: Input, scope: Scope) -> list[Way]:
        ways = self.ways(node.args[0], given, scope)
        if node.args[1] is not None and any(way.code == 5 for way in ways):
            caught = self.ways(node.args[1], self.unknown(), scope)
            ways = [
                one for way in ways for one in ([way] if way.code != 5 else [after(way.conditions, c) for c in caught])
            ]
        return [way if way.code != 5 else Way(way.conditions) for way in ways]

    def _fold(self, node: Jq, given: Input, scope: Scope) -> list[Way]:
        source, names, parts = node.args
        values = self.values(source, given, scope)
        each = self.unknown(*values)
        some = {**scope.variables, **dict.fromkeys((name for name in names if name), each)}
        start = self.values(parts[0], given, scope)
        inner = Scope(some, scope.functions)
        made = [one for part in parts[1:] for value in start[:1] for one in self.values(part, value, inner)]
        return [Way(values=(self.unknown(*values, *start, *made),))]

    # Calls.

    def _call(self, node: Jq, given: Input, scope: Scope) -> list[Way]:
        name, arguments = node.args
        own = scope.functions.get((name, len(arguments)))
        if own is not None:
            return self._own(own, arguments, given, scope)
        call = CALLS.get(name)
        if call is not None:
            found = call(Called(self, node, arguments, given, scope))
            if found is not None:
                return found
        values = [value for argument in arguments for value in self.values(argument, given, scope)]
        return [Way(values=(self.unknown(given, *values),))]

    def _own(
        self, own: tuple[tuple[str, ...], Jq, Any], arguments: tuple[Jq, ...], given: Input, scope: Scope
    ) -> list[Way]:
        parameters, body, outer = own
        variables = dict(outer.variables)
        functions = dict(outer.functions)
        for name, argument in zip(parameters, arguments, strict=True):
            if name.startswith("$"):
                variables[name[1:]] = self.one(argument, given, scope)
            functions[name.lstrip("$"), 0] = ((), argument, scope)
        return self.ways(body, given, Scope(variables, functions))


_Step: TypeAlias = Callable[[Evaluation, Jq, Any, Scope], list[Way]]

_STEPS: dict[str, _Step] = {
    "input": Evaluation._input, "field": Evaluation._field, "index": Evaluation._index, "slice": Evaluation._slice,
    "each": Evaluation._each, "constant": Evaluation._constant, "string": Evaluation._string,
    "format": Evaluation._format, "list": Evaluation._list, "object": Evaluation._object,
    "variable": Evaluation._variable, "pipe": Evaluation._pipe, "comma": Evaluation._comma, "as": Evaluation._as,
    "def": Evaluation._def, "alternative": Evaluation._alternative, "assign": Evaluation._assign,
    "sum": Evaluation._sum, "minus": Evaluation._minus, "compare": Evaluation._compare, "and": Evaluation._logic,
    "or": Evaluation._logic, "if": Evaluation._if, "try": Evaluation._try, "reduce": Evaluation._fold,
    "foreach": Evaluation._fold, "call": Evaluation._call,
}  # fmt: skip


def _is_known(value: Input) -> bool:
    """Whether a value is plain and wholly known."""
    return not isinstance(value, Ref | dict | list) and not (isinstance(value, str) and has_holes(value))
