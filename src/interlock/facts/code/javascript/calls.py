"""Calls in JavaScript: functions of the text, methods of values, and what others are given to call."""

from __future__ import annotations

from interlock.facts.code.javascript import tree
from interlock.facts.code.javascript.patterns import bind
from interlock.facts.code.javascript.pure import LIST_CALLS, list_method, text_method, whole
from interlock.facts.code.javascript.state import TextState
from interlock.facts.code.javascript.values import (
    ANY,
    UNDEFINED,
    Closure,
    Either,
    Foreign,
    JsScope,
    LibraryPart,
    List,
    Method,
    Num,
    Obj,
    Settle,
    TextValue,
    Value,
    each,
    either,
    listed,
    origin,
    text_of,
    truth,
)
from interlock.facts.limits import JS_CALLS, JS_LEVELS, JS_STEPS, ROUNDS
from interlock.facts.shell import UNKNOWN

__all__ = ["Calls"]

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
# Methods of lists and texts: who calls one of these on a value of another module does not call into that module.
_OF_DATA = LIST_CALLS | frozenset({
    "join", "slice", "includes", "indexOf", "concat", "keys", "values", "entries", "toString", "split", "trim", "at",
    "startsWith", "endsWith", "replace", "match", "test", "hasOwnProperty", "toLowerCase", "toUpperCase", "padEnd",
    "padStart", "flat", "toFixed", "toISOString", "charAt", "substring",
})  # fmt: skip
_PROMISES = frozenset({"then", "catch", "finally"})


class Calls(TextState):
    """The part of the reader that follows calls."""

    def call(self, callee: Value, args: list[Value]) -> Value:
        """What a call gives, and what it does."""
        if isinstance(callee, Closure):
            return self._call_function(callee, args)
        if isinstance(callee, LibraryPart):
            return self.library.call(callee.name, args)
        if isinstance(callee, Either):
            return either(*(self.call(one, args) for one in callee.values))
        if isinstance(callee, Settle):
            callee.values += args[:1]
            return UNDEFINED
        if isinstance(callee, Method):
            return self.call_method(callee.of, callee.name, args)
        if isinstance(callee, Foreign):
            self.library.call_foreign(callee, args)
            return callee
        if isinstance(callee, Obj):
            if callee.kind == "bound" and isinstance(callee.props["given"], List):
                return self.call(callee.props["bound"], [*callee.props["given"].items, *args])
            if callee.kind == "class":
                return self.make(callee, args)  # `super(…)`
        self.hand_on(args, ANY, at_once=True)
        return TextValue(UNKNOWN, origin(callee))

    def hand_on(self, args: list[Value], given: Value, *, at_once: bool = False) -> None:
        for arg in args:
            for one in each(arg):
                if isinstance(one, Closure):
                    count = max(1, len(one.node.params))
                    if not at_once:
                        self._put_off(one, [given] * count)
                        continue
                    self.level += 1
                    self._call_function(one, [given] * count)
                    self.level -= 1
                elif isinstance(one, LibraryPart):
                    if self.library.acts(one.name):
                        self.library.call(one.name, [given])
                elif isinstance(one, Obj) and not one.kind:
                    methods: list[Value] = [value for value in one.props.values() if isinstance(value, Closure)]
                    self.hand_on(methods, given, at_once=at_once)

    def _put_off(self, func: Closure, args: list[Value]) -> None:
        """Look at a call when the text has run; not for ever, as a function may put itself off each time."""
        self.put_off[id(func.node)] += 1
        if self.put_off[id(func.node)] <= JS_CALLS.most:
            self.later.append((func, args))
        elif any(arg != ANY for arg in args) and id(func.node) not in self.blind:
            self.effects.reach(JS_CALLS)
            self.blind.add(id(func.node))
            self.later.append((func, None))

    def _call_function(self, func: Closure, args: list[Value]) -> Value:
        if self.active.count(id(func.node)) > 1:
            return ANY
        if self.steps > JS_STEPS.most:
            if args:
                self.effects.reach(JS_STEPS)
            if id(func.node) in self.blind:
                return ANY
            self.blind.add(id(func.node))  # each is looked at once more, with nothing known
            self.later.append((func, None))
            return ANY
        if self.depth > JS_LEVELS.most:
            self._put_off(func, args)
            return ANY
        return self.enter(func, args)

    def enter(self, func: Closure, args: list[Value] | None) -> Value:
        """Look at a function with what it is given, which may not be known."""
        node = func.node
        self.looked_at.add(id(node))
        unknown = args is None
        args = [*func.bound, *(args or ())]
        inner = JsScope({"arguments": List(list(args), open=True)}, func.scope, self.level, func.this)
        if node.arrow:
            del inner.names["arguments"]
        elif func.this is None:
            inner.this = LibraryPart("globalThis")
        for place, param in enumerate(node.params):
            if isinstance(param, tree.Spread):
                given: Value = List(args[place:], open=unknown)
                param = param.value
            else:
                given = args[place] if place < len(args) else ANY if unknown else UNDEFINED
            bind(param, given, inner.names.__setitem__, self, inner)
        self.active.append(id(node))
        self.results.append([])
        if node.value is not None:
            self.results[-1].append(self.value(node.value, inner))
        else:
            self.block(node.body, inner)
        self.active.pop()
        results = self.results.pop()
        if node.generator:
            return List([*results], open=True)
        return either(*results) if results else UNDEFINED

    def make(self, callee: Value, args: list[Value]) -> Value:
        """What `new` gives."""
        if isinstance(callee, Obj):
            if callee.kind == "class":
                made = Obj(dict(callee.props), callee.base)
                start = callee.props.get("constructor")
                if isinstance(start, Closure):
                    self.call(Closure(start.node, start.scope, made), args)
                elif callee.base is not None and isinstance(callee.base, LibraryPart):
                    self.library.call(callee.base.name, args, new=True)
                for key, one in made.props.items():
                    if isinstance(one, Closure):
                        made.props[key] = Closure(one.node, one.scope, made)
                return made
            return ANY
        if isinstance(callee, Closure):
            made = Obj(open=True)
            self.call(Closure(callee.node, callee.scope, made), args)
            return made
        if isinstance(callee, LibraryPart):
            return self.library.call(callee.name, args, new=True)
        return self.call(callee, args)

    def member(self, of: Value, key: str) -> Value:
        """A property of a value."""
        if isinstance(of, Either):
            return either(*(self.member(one, key) for one in of.values))
        if key == "constructor" and not isinstance(of, Foreign) and not (isinstance(of, Obj) and key in of.props):
            return LibraryPart("Function" if isinstance(of, (Closure, LibraryPart, Method, Settle)) else "Object")
        if isinstance(of, LibraryPart):
            return self.library.member(of.name, key, self.top)
        if isinstance(of, Obj):
            if key in of.props:
                return of.props[key]
            if UNKNOWN in key:
                return either(ANY, *of.props.values()) if of.props else ANY
            if of.base is not None:
                return self.member(of.base, key)
            return Method(of, key) if of.kind else ANY if of.open else UNDEFINED
        if isinstance(of, List):
            if key == "length":
                return ANY if of.open else Num(len(of.items))
            if key.isdigit():
                return of.items[int(key)] if int(key) < len(of.items) else ANY if of.open else UNDEFINED
            return either(ANY, *of.items) if UNKNOWN in key and of.items else Method(of, key)
        if isinstance(of, Foreign):
            return of
        if isinstance(of, TextValue):
            if key == "length" and UNKNOWN not in of.text:
                return Num(len(of.text))
            if key.isdigit() and UNKNOWN not in of.text:
                return TextValue(of.text[int(key)], of.origin) if int(key) < len(of.text) else UNDEFINED
            return TextValue(UNKNOWN, of.origin) if of.text == UNKNOWN else Method(of, key)
        if isinstance(of, (Closure, Method)):
            return Method(of, key)
        return ANY

    def call_method(self, of: Value, name: str, args: list[Value]) -> Value:
        """`of.name(args)`."""
        if isinstance(of, Either):
            return either(*(self.call_method(one, name, args) for one in of.values))
        if (
            isinstance(of, (Closure, LibraryPart, Method, Settle))
            and name in ("call", "apply", "bind")
            and of != LibraryPart("Reflect")
        ):
            return self._called_so(of, name, args)
        if isinstance(of, Obj) and name in of.props:
            return self.call(of.props[name], args)
        if name in _PROMISES and args:
            given: list[Value] = [of] if name == "then" else [ANY]
            results = [self.call(arg, given if place == 0 else [ANY]) for place, arg in enumerate(args)]
            return results[0] if name == "then" else either(of, *results) if name == "catch" else of
        if isinstance(of, LibraryPart):
            return self.call(self.member(of, name), args)
        if self.library.method(of, name, args):
            return ANY
        if isinstance(of, List):
            if name.isdigit() or UNKNOWN in name:
                return self.call(self.member(of, name), args)
            if name in LIST_CALLS:
                return self._over(of, name, args)
            found = list_method(of, name, args)
            return ANY if found is None else found
        if isinstance(of, TextValue):
            self.hand_on(args, TextValue(UNKNOWN, of.origin), at_once=name in LIST_CALLS)
            return text_method(of, name, args)
        if isinstance(of, Num) and name == "toString":
            return TextValue(text_of(of)) if not args else _in_base(of, whole(args[0]))
        if isinstance(of, Obj):
            if of.kind:
                return self.library.object_method(of, name, args)
            if of.base is not None:
                return self.call_method(of.base, name, args)
        if isinstance(of, Foreign):
            if not of.why and name in _OF_DATA:
                self.hand_on(args, of, at_once=True)
                return of
            return self.call(of, args)
        self.hand_on(args, ANY, at_once=True)
        return ANY

    def _called_so(self, of: Value, name: str, args: list[Value]) -> Value:
        """`f.call(this, …)`, `f.apply(this, […])` and `f.bind(this, …)`."""
        rest = args[1:]
        if name == "apply":
            rest = list(rest[0].items) if rest and isinstance(rest[0], List) else [ANY] if rest else []
        if name != "bind":
            return self.call(of, rest)
        if isinstance(of, Closure):
            return Closure(of.node, of.scope, args[0] if args else None, [*of.bound, *rest])
        return of if not rest else Obj({"bound": of, "given": List(rest)}, kind="bound")

    def _over(self, of: List, name: str, args: list[Value]) -> Value:
        """A method of a list that calls a function with each item."""
        if not args:
            return of
        items = of.items[: ROUNDS.most]
        if len(of.items) > ROUNDS.most or self.steps > JS_STEPS.most:
            self.effects.reach(ROUNDS if len(of.items) > ROUNDS.most else JS_STEPS)
            items = [either(ANY, *of.items[: ROUNDS.most])]
        if name in ("reduce", "reduceRight"):
            items = items if name == "reduce" else items[::-1]
            found = args[1] if len(args) > 1 else items[0] if items else ANY
            for item in items[0 if len(args) > 1 else 1 :]:
                found = self.call(args[0], [found, item, ANY])
            return found
        if name in ("sort", "toSorted"):
            self.call(args[0], [ANY, ANY])
            return List(list(of.items), of.open)
        results = [self.call(args[0], [item, Num(place), of]) for place, item in enumerate(items)]
        if of.open or (not items and of.items):
            results.append(self.call(args[0], [ANY, ANY, of]))
        if name == "map":
            return List(results, of.open)
        if name == "flatMap":
            inner = [two for one in results for two in (one.items if isinstance(one, List) else [one])]
            return listed(inner, more=of.open)
        if name == "filter":
            kept = [item for item, result in zip(items, results, strict=False) if truth(result) is not False]
            return List(kept, of.open)
        if name in ("find", "findLast") and items:
            return either(ANY, *items)
        return UNDEFINED if name == "forEach" else ANY


def _in_base(number: Num, base: int | None) -> Value:
    value = whole(number)
    if value is None or value < 0 or base is None or not 1 < base <= len(_DIGITS):
        return ANY
    digits = ""
    while value or not digits:
        digits = _DIGITS[value % base] + digits
        value //= base
    return TextValue(digits)
