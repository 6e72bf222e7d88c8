"""What is known of a value while a Python text is read.

Constants, lists, tuples and dicts stand for themselves; a text may hold `UNKNOWN` where a part of it is not known. The
rest are the classes here.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from interlock.facts.limits import ROUNDS, VALUE
from interlock.facts.shell import UNKNOWN

__all__ = [
    "ANY",
    "HIDDEN",
    "Choice",
    "Class",
    "CodeText",
    "File",
    "Func",
    "Instance",
    "Items",
    "Members",
    "Namespace",
    "Partial",
    "PathText",
    "PythonCall",
    "Ref",
    "StartedProgram",
    "Value",
    "alternatives",
    "combine",
    "elements",
    "join",
    "path_text",
    "paths_of",
    "texts_of",
]  # fmt: skip

Value: TypeAlias = Any


class _Any:
    """Data of which nothing is known. Calling it runs only what was handed to it, and that is looked at there."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "ANY"


ANY = _Any()


class Ref:
    """A module, or something of one, by its full name: `os.path`, `os.system`. `requests.Session()` is a result."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


HIDDEN = Ref("?")  # something that may act, under a name that nobody can read


class PathText:
    """A path of pathlib."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


class Choice:
    """One of several values, depending on how the program runs."""

    __slots__ = ("of",)

    def __init__(self, of: tuple[Value, ...]) -> None:
        self.of = of


class Items:
    """Some number of values, each of them `one`: what a loop over it gives. `yielded` by a function of the text."""

    __slots__ = ("one", "yielded")

    def __init__(self, one: Value, *, yielded: bool = False) -> None:
        self.one = one
        self.yielded = yielded


class File:
    """An open file, or (`text`) what was read from it."""

    __slots__ = ("path", "text")

    def __init__(self, path: Value, *, text: bool = False) -> None:
        self.path = path
        self.text = text


class StartedProgram:
    """A program that was started, and the lines for a shell that start it."""

    __slots__ = ("lines",)

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines


class CodeText:
    """What `compile` makes of a text."""

    __slots__ = ("text",)

    def __init__(self, text: Value) -> None:
        self.text = text


class Namespace:
    """`globals()` and its kin: the names of the program itself."""

    __slots__ = ()


class Members:
    """`vars(x)`, `x.__dict__`: what something has, by name."""

    __slots__ = ("of",)

    def __init__(self, of: Value) -> None:
        self.of = of


class Partial:
    """Something to call with arguments that are put before those it is given; `how` if it does not simply call it."""

    __slots__ = ("args", "how", "named", "of")

    def __init__(self, of: Value, args: list[Value], named: dict[str, Value], how: str = "") -> None:
        self.of = of
        self.args = args
        self.named = named
        self.how = how


class Class:
    """A class of the text. All that are made of it share what is known of their attributes."""

    __slots__ = ("attributes", "bases", "instance", "name")

    def __init__(self, name: str, bases: list[Value]) -> None:
        self.name = name
        self.bases = bases
        self.attributes: dict[str, Value] = {}
        self.instance = Instance(self)


class Instance:
    """What is made of a class of the text."""

    __slots__ = ("attributes", "of")

    def __init__(self, of: Class) -> None:
        self.of = of
        self.attributes: dict[str, Value] = {}


class Func:
    """A function or lambda of the text, where its names are looked up, and what it is a method of."""

    __slots__ = (
        "active",
        "again",
        "called",
        "defaults",
        "kind",
        "named_defaults",
        "node",
        "outer",
        "owner",
        "property",
    )

    def __init__(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, outer: Any, owner: Class | None
    ) -> None:
        self.node = node
        self.outer = outer
        self.owner = owner
        self.called = False
        self.active = 0
        self.again = False  # it must be gone through with anything
        self.kind = ""  # static, class
        self.property = False
        self.defaults: list[Value] = []
        self.named_defaults: list[Value] = []


class PythonCall:
    """A call: the full name of what is called, and its arguments."""

    __slots__ = ("args", "name", "named", "of", "open")

    def __init__(
        self, name: str, args: list[Value], named: dict[str, Value], of: Value = None, *, open: bool = False
    ) -> None:
        self.name = name
        self.args = args
        self.named = named
        self.of = of  # what a method is called on
        self.open = open  # there may be more arguments than these

    def get(self, place: int, name: str = "", otherwise: Value = None) -> Value:
        """An argument by its place or its name; one that may be given without being seen is not known."""
        if 0 <= place < len(self.args):
            return self.args[place]
        if name and name in self.named:
            return self.named[name]
        return ANY if self.open and otherwise is None else otherwise


def alternatives(value: Value) -> tuple[Value, ...]:
    """The values that it may be."""
    return value.of if type(value) is Choice else (value,)


def join(first: Value, second: Value, lost: Callable[[], object] | None = None) -> Value:
    """Either of two values."""
    if first is second:
        return first
    kind = type(first)
    if kind is type(second) and kind in _PLAIN and first == second:
        return first
    found: dict[Any, Value] = {}
    for value in (*alternatives(first), *alternatives(second)):
        kind = type(value)
        key = (
            (kind, value)
            if kind in _PLAIN
            else (kind, value.text)
            if kind is PathText
            else (kind, value.name)
            if kind is Ref
            else id(value)
        )
        found.setdefault(key, value)
    if len(found) == 1:
        return next(iter(found.values()))
    if len(found) > ROUNDS.most:
        if lost is not None:
            lost()
        return HIDDEN if any(type(value) in (Ref, Partial) for value in found.values()) else ANY
    return Choice(tuple(found.values()))


_PLAIN = frozenset({str, bytes, int, float, bool, type(None)})


def text_of(value: Value) -> str:
    """What `str(…)` makes of it."""
    kind = type(value)
    if kind is str:
        return str(value)
    if kind is PathText:
        return str(value.text)
    if kind is int or kind is float or kind is bool or value is None:
        return str(value)
    if kind is bytes:
        return repr(value)
    return UNKNOWN


def path_text(value: Value) -> str:
    """The name of a file that it is."""
    kind = type(value)
    if kind is str:
        return str(value)
    if kind is PathText:
        return str(value.text)
    if kind is bytes:
        return str(value, "utf-8", "replace")
    return UNKNOWN


def paths_of(value: Value) -> list[str]:
    """The paths that it may be. A number is an open file, which was named where it was opened."""
    kind = type(value)
    if kind is Choice:
        return list(dict.fromkeys(path for one in value.of for path in paths_of(one)))
    if kind is int or value is None or kind is bool:
        return []
    if kind is File:
        return []
    return [path_text(value)]


def texts_of(value: Value) -> list[str]:
    """The texts that it may be."""
    if type(value) is Choice:
        return list(dict.fromkeys(path_text(one) for one in value.of))
    return [path_text(value)]


def elements(value: Value) -> Value:
    """What a loop over it gives."""
    kind = type(value)
    if kind is list or kind is tuple:
        found: Value = value[0] if value else ANY
        for one in value[1:]:
            found = join(found, one)
            if found is ANY and one is not ANY:
                return None  # too many: who asks says so
        return ANY if found is None else found
    if kind is dict:
        return elements(list(value))
    if kind is Items:
        return value.one
    if kind is Choice:
        found = None
        for one in value.of:
            each = elements(one)
            if each is None:
                return None
            found = each if found is None else join(found, each)
        return found
    if kind is str and value and len(value) <= ROUNDS.most and UNKNOWN not in value:
        return Choice(tuple(dict.fromkeys(value))) if len(set(value)) > 1 else value[0]
    if kind is Ref:
        return Ref(_ITEMS[value.name]) if value.name in _ITEMS else HIDDEN if value is HIDDEN else ANY
    return ANY


_ITEMS = {"psutil.process_iter()": "psutil.Process()"}


def combine(parts: Iterable[Value], lost: Callable[[], object], text: Callable[[Value], str] = text_of) -> Value:
    """The texts that the parts make, one behind the other."""
    found = [""]
    for part in parts:
        if type(part) is Choice:
            ways = [text(one) for one in part.of]
            if len(found) * len(ways) > ROUNDS.most:
                lost()
                ways = [UNKNOWN]
            found = [before + way for before in found for way in ways]
        else:
            way = text(part)
            found = [before + way for before in found] if len(found) > 1 else [found[0] + way]
        if len(found) * len(found[0]) > VALUE.most:
            lost()
            found = [UNKNOWN]
    found = list(dict.fromkeys(found))
    return found[0] if len(found) == 1 else Choice(tuple(found))
