"""What a JavaScript value may be: constants, lists, objects, functions of the text, and parts of libraries."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct, field

from interlock.facts.code.javascript import tree
from interlock.facts.limits import JS_CHOICES, JS_ITEMS, JS_PARTS, VALUE
from interlock.facts.shell import UNKNOWN

__all__ = [
    "ANY",
    "ENVIRONMENT",
    "FALSE",
    "FILE",
    "NETWORK",
    "NULL",
    "TRUE",
    "UNDEFINED",
    "WHOLE_ENVIRONMENT",
    "Closure",
    "Either",
    "Foreign",
    "JsScope",
    "LibraryPart",
    "List",
    "Method",
    "Num",
    "Obj",
    "Settle",
    "TextValue",
    "Value",
    "WordValue",
    "each",
    "either",
    "joined",
    "listed",
    "origin",
    "text_of",
    "truth",
]  # fmt: skip

# Where a text comes from.
NETWORK, FILE, ENVIRONMENT, WHOLE_ENVIRONMENT = (1 << bit for bit in (0, 1, 2, 3))


class TextValue(Struct):
    """A text, with `\\0` for what is not known of it. An unknown value of any kind is `ANY`."""

    text: str
    origin: int = 0


class Num(Struct):
    value: float


class WordValue(Struct):
    """`true`, `false`, `null` or `undefined`."""

    name: str


class List(Struct):
    items: list[Value]
    open: bool = False  # there may be more


class Obj(Struct, dict=True):
    """An object. What is not among its properties is looked for in `base`."""

    props: dict[str, Value] = field(default_factory=dict)
    base: Value | None = None
    open: bool = False  # there may be more
    kind: str = ""  # what made it, if that is part of a library


class Closure(Struct):
    """A function of the text."""

    node: tree.FunctionNode
    scope: JsScope
    this: Value | None = None
    bound: list[Value] = []
    made_by: tree.ClassNode | None = None


class LibraryPart(Struct):
    """LibraryPart of a library, by its full name: `fs.rmSync`."""

    name: str


class Method(Struct):
    """A method of a value, not called yet."""

    of: Value
    name: str


class Settle(Struct):
    """What a promise is given its value with."""

    values: list[Value]


class Foreign(Struct):
    """Something of a module that is not read, or under a name that the text does not declare."""

    why: str  # empty: a module


class Either(Struct):
    values: list[Value]


Value: TypeAlias = TextValue | Num | WordValue | List | Obj | Closure | LibraryPart | Method | Settle | Foreign | Either


class JsScope(Struct):
    """Names and what they stand for. `level`: in how many branches that may not be taken it was opened."""

    names: dict[str, Value]
    parent: JsScope | None
    level: int = 0
    this: Value | None = None

    def find(self, name: str) -> JsScope | None:
        scope: JsScope | None = self
        while scope is not None and name not in scope.names:
            scope = scope.parent
        return scope


ANY = TextValue(UNKNOWN)
UNDEFINED, NULL, TRUE, FALSE = WordValue("undefined"), WordValue("null"), WordValue("true"), WordValue("false")


def either(*values: Value) -> Value:
    """One of some values; too many, or such that nothing is gained by telling them apart, are unknown."""
    found: list[Value] = []
    for value in values:
        for one in value.values if isinstance(value, Either) else (value,):
            if not any(one is other or (type(one) in _PLAIN and one == other) for other in found):
                found.append(one)
    if len(found) == 1:
        return found[0]
    if len(found) > JS_CHOICES.most:
        callable_ = [one for one in found if not isinstance(one, _PLAIN)]
        marks = 0
        for one in found:
            marks |= origin(one)
        found = [*callable_[: JS_CHOICES.most - 1], TextValue(UNKNOWN, marks)]
        if len(callable_) >= JS_CHOICES.most:
            found.append(Foreign("one of many values"))
    return Either(found) if len(found) > 1 else found[0]


_PLAIN = (TextValue, Num, WordValue)


def each(value: Value) -> list[Value]:
    return value.values if isinstance(value, Either) else [value]


def listed(items: list[Value], *, more: bool = False) -> List:
    """A list; of a long one, not all is known."""
    return List(items[: JS_ITEMS.most], more or len(items) > JS_ITEMS.most)


def number_text(number: float) -> str:
    """A number as JavaScript writes it."""
    return str(int(number)) if number == number and abs(number) < 1e21 and number == int(number) else repr(number)


def text_of(value: Value, *, nested: bool = True) -> str:
    """A value as a text; a list in a list is not known."""
    if isinstance(value, TextValue):
        return value.text
    if isinstance(value, Num):
        return number_text(value.value) if abs(value.value) != float("inf") else "Infinity"
    if isinstance(value, WordValue):
        return value.name
    if isinstance(value, List) and nested:
        items = value.items[: JS_ITEMS.most]
        text = ",".join(
            "" if isinstance(one, WordValue) and one.name in _EMPTY else text_of(one, nested=False) for one in items
        )
        return text + (UNKNOWN if value.open or len(value.items) > JS_ITEMS.most else "")
    if isinstance(value, Obj) and "toString" not in value.props and "href" in value.props:
        return text_of(value.props["href"])
    return UNKNOWN


_EMPTY = ("undefined", "null")


def origin(value: Value, depth: int = 2) -> int:
    """Where a value, or anything in it, comes from."""
    if isinstance(value, TextValue):
        return value.origin
    if depth == 0:
        return 0
    inner: list[Value] = []
    if isinstance(value, List):
        inner = value.items[: JS_PARTS.most]
    elif isinstance(value, Either):
        inner = value.values
    elif isinstance(value, Obj):
        inner = list(value.props.values())[: JS_PARTS.most]
        if value.base is not None:
            inner.append(value.base)
    elif isinstance(value, LibraryPart) and value.name == "process.env":
        return WHOLE_ENVIRONMENT
    found = 0
    for one in inner:
        found |= origin(one, depth - 1)
    return found


def joined(left: Value, right: Value) -> Value:
    """Two values one behind the other, as texts."""
    text = text_of(left) + text_of(right)
    return TextValue(text if len(text) <= VALUE.most else UNKNOWN, origin(left) | origin(right))


def truth(value: Value) -> bool | None:
    """Whether a value counts as true; None if that is not known."""
    if isinstance(value, WordValue):
        return value.name == "true"
    if isinstance(value, Num):
        return bool(value.value) and value.value == value.value
    if isinstance(value, TextValue):
        return None if value.text == UNKNOWN else bool(value.text)
    if isinstance(value, (List, Closure, LibraryPart, Method, Settle)) or (isinstance(value, Obj) and not value.kind):
        return True
    return None
