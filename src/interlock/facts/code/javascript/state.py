"""What is known while a JavaScript text is followed, and what names in it stand for."""

from __future__ import annotations

from collections import Counter, deque

from interlock.facts.code.javascript import tree
from interlock.facts.code.javascript.library import Library
from interlock.facts.code.javascript.modules import globals_of
from interlock.facts.code.javascript.patterns import bind
from interlock.facts.code.javascript.values import (
    ANY,
    Closure,
    Foreign,
    JsScope,
    LibraryPart,
    List,
    Num,
    Obj,
    TextValue,
    Value,
    WordValue,
    each,
    either,
    text_of,
)
from interlock.facts.effects import CodeEffects
from interlock.facts.limits import JS_ITEMS
from interlock.facts.shell import UNKNOWN

__all__ = ["TextState"]


class TextState:
    """One text, and what has been found of it."""

    def __init__(self, effects: CodeEffects) -> None:
        self.effects = effects
        self.library = Library(effects, self)
        self.top = JsScope({}, None, this=LibraryPart("globalThis"))
        self.level = 0  # in how many branches that may not be taken
        self.steps = 0
        self.depth = 0
        self.known: list[Closure] = []
        self.looked_at: set[int] = set()
        self.blind: set[int] = set()  # looked at with nothing known
        self.active: list[int] = []
        self.results: list[list[Value]] = [[]]
        self.later: deque[tuple[Closure, list[Value] | None]] = deque()
        self.put_off: Counter[int] = Counter()

    def value(self, node: tree.JsNode, scope: JsScope) -> Value:
        """What an expression gives."""
        raise NotImplementedError

    def statement(self, node: tree.JsNode, scope: JsScope) -> str:
        """Run a statement; how it ends."""
        raise NotImplementedError

    def block(self, body: list[tree.JsNode], scope: JsScope) -> str:
        """Run statements in a scope; how they end."""
        raise NotImplementedError

    def call(self, callee: Value, args: list[Value]) -> Value:
        """What a call gives, and what it does."""
        raise NotImplementedError

    def call_method(self, of: Value, name: str, args: list[Value]) -> Value:
        """`of.name(args)`."""
        raise NotImplementedError

    def member(self, of: Value, key: str) -> Value:
        """A property of a value."""
        raise NotImplementedError

    def hand_on(self, args: list[Value], given: Value, *, at_once: bool = False) -> None:
        """Look at functions that somebody else is given, and may call with anything: now, or when the text has run."""
        raise NotImplementedError

    def make(self, callee: Value, args: list[Value]) -> Value:
        """What `new` gives."""
        raise NotImplementedError

    def assign(self, name: str, value: Value, scope: JsScope) -> None:
        """Give a name a value. In a branch that may not be taken, it may keep the one it had."""
        found = scope.find(name) or self.top
        if self.level > found.level and name in found.names:
            value = either(found.names[name], value)
        found.names[name] = value

    def assign_to(self, target: tree.JsNode, value: Value, scope: JsScope) -> None:
        """Give what a pattern or a place names a value."""
        if isinstance(target, tree.Name):
            self.assign(target.name, value, scope)
        elif isinstance(target, tree.ChainNode) and not isinstance(target.links[-1], tree.CallLink):
            of = self.value(tree.ChainNode(target.base, target.links[:-1]), scope)
            last = target.links[-1]
            key = last.name if isinstance(last, tree.MemberLink) else text_of(self.value(last.key, scope))
            for one in each(of):
                self.set_member(one, key, value)
        else:
            bind(target, value, lambda name, one: self.assign(name, one, scope), self, scope)

    def set_member(self, of: Value, key: str, value: Value) -> None:
        if isinstance(of, Obj):
            if UNKNOWN in key:
                of.open = True
                of.base = value if of.base is None and not isinstance(value, (TextValue, Num, WordValue)) else of.base
            else:
                old = of.props.get(key)
                of.props[key] = value if old is None or not self.level else either(old, value)
        elif isinstance(of, List):
            if key.isdigit() and int(key) < len(of.items):
                of.items[int(key)] = value
            elif key == "length" or len(of.items) >= JS_ITEMS.most:
                of.open = True
            else:
                of.items.append(value)
        elif isinstance(of, LibraryPart):
            if of.name in ("globalThis", "global", "window", "self"):
                self.assign(key, value, self.top)
            else:
                self.library.set(f"{of.name}.{key}", value)
        elif isinstance(of, Closure) and key == "prototype":
            return

    def look_up(self, name: str, scope: JsScope) -> Value:
        found = scope.find(name)
        if found is not None:
            return found.names[name]
        known = globals_of(name)
        if known is None:
            return ANY if name == UNKNOWN else Foreign(name)
        return known
