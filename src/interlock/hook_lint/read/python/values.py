"""What an expression of a hook gives, as far as it can be known without running it."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from interlock.hook_lint.program import Span

__all__ = [
    "MOST_PARTS",
    "NONE",
    "NOTHING",
    "AskedOf",
    "Box",
    "DictBox",
    "EventPart",
    "Fit",
    "Json",
    "Klass",
    "Known",
    "Lib",
    "ListBox",
    "Matcher",
    "MethodOf",
    "Module",
    "NamedInput",
    "ObjectBox",
    "ObjectRef",
    "OneOf",
    "OwnFunction",
    "Path",
    "PyFault",
    "PyText",
    "PyValue",
    "Raw",
    "RegexValue",
    "Root",
    "Run",
    "Seq",
    "Some",
    "alternatives",
    "is_too_large",
    "one_of",
    "paths_of",
    "roots_of",
]  # fmt: skip

Path: TypeAlias = tuple[str, ...]
RefId: TypeAlias = tuple[int, int]  # the node that makes an object, and the frame in which it does
_MOST_VALUES = 256


class PyValue(Struct, frozen=True):
    """What an expression gives."""


class Known(PyValue, frozen=True, eq=False):
    """A constant, and where it is written. `returned`: it came out of a function by the statement `node`."""

    value: Any
    node: ast.AST | None = None
    returned: bool = False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Known) and type(self.value) is type(other.value) and self.value == other.value

    def __hash__(self) -> int:
        return hash(self.value)


class EventPart(PyValue, frozen=True):
    """A value of the event. `beside`: what it is if that one is missing. `case`: what was made of its letters."""

    path: Path = ()
    beside: tuple[Path, ...] = ()
    case: Literal["", "lower", "upper"] = ""


class Raw(PyValue, frozen=True):
    """The event before it is parsed: the text on standard input, or a line of it."""


class NamedInput(PyValue, frozen=True):
    """What a variable of the environment or an argument holds."""

    kind: str
    name: str


class Run(PyValue, frozen=True):
    """A program that was started, by the node that starts it."""

    key: int


class Fit(PyValue, frozen=True):
    """A pattern or a comparison: what it is asked about fits it if the answer is yes."""

    span: Span


Root: TypeAlias = Path | NamedInput | Run | Fit
"""What an unknown value has been made from."""


class Some(PyValue, frozen=True):
    """An unknown value. Two with the same key are the same one. `items`: what it gives to a loop.

    `words_of`: it is the words of this text, which makes the same text when they are joined.
    """

    roots: frozenset[Root] = frozenset()
    key: int = 0
    items: PyValue | None = None
    tag: str = ""
    words_of: PyValue | None = None


class OneOf(PyValue, frozen=True):
    """One of several values: what a loop over constants sees."""

    values: tuple[PyValue, ...]


class PyText(PyValue, frozen=True):
    """A text with parts that are not known."""

    parts: tuple[str | PyValue, ...]


class Json(PyValue, frozen=True, eq=False):
    """A text that is the JSON of this value, in which UNKNOWN is what is not known."""

    value: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Json) and self.value == other.value

    def __hash__(self) -> int:
        return hash(Json)


class Seq(PyValue, frozen=True):
    """A tuple."""

    values: tuple[PyValue, ...]


class ObjectRef(PyValue, frozen=True):
    """An object that can be changed; it lies in the state's heap."""

    id: RefId


class OwnFunction(PyValue, frozen=True):
    """A function of the file, the frame it sees, the object it is bound to, and the arguments it has already."""

    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    frame: int
    owner: PyValue | None = None
    args: tuple[PyValue, ...] = ()
    keywords: tuple[tuple[str, PyValue], ...] = ()
    is_wrapped: bool = False  # by a decorator that is not in the file

    @property
    def is_async(self) -> bool:
        return isinstance(self.node, ast.AsyncFunctionDef)


class Klass(PyValue, frozen=True):
    """A class of the file; its attributes lie in a frame."""

    node: ast.ClassDef
    frame: int
    bases: tuple[PyValue, ...] = ()


class Lib(PyValue, frozen=True):
    """A module, a function or an object of a library, by its full name."""

    name: str


class Module(PyValue, frozen=True):
    """A file of the project that was imported; what is in it lies in a frame."""

    name: str
    frame: int


class MethodOf(PyValue, frozen=True):
    """A method of a value that is not an object of the file."""

    owner: PyValue
    name: str
    node: ast.Attribute


class RegexValue(PyValue, frozen=True):
    """A compiled regular expression, or one of several. `is_exact`: it has no flags by which case could not matter."""

    texts: PyValue
    is_exact: bool = False


class PyFault(PyValue, frozen=True):
    """An exception. `names`: its class and that class's bases."""

    names: tuple[str, ...]
    args: tuple[PyValue, ...] = ()
    is_own: bool = False  # its class is in the file


class AskedOf(PyValue, frozen=True):
    """A question about a value that only the run answers.

    With `options` it is whether the subject is among them, otherwise whether the subject is true. `sense`: which answer
    makes this true. `is_hit`: that it holds means that the hook has found what it looks for.
    """

    subject: PyValue
    options: frozenset[Any] | None = None
    sense: bool = True
    is_hit: bool = True
    roots: frozenset[Root] = frozenset()


class Matcher(PyValue, frozen=True):
    """A `HookMatcher` of the Agent SDK."""

    node: ast.Call
    matcher: PyValue
    hooks: PyValue
    timeout: PyValue
    on_failure: PyValue


NONE = Known(None)
NOTHING = Some()


class Box(Struct, frozen=True):
    """An object in the heap; to change it, another is put in its place. `is_open`: it may hold more than is known."""


class ListBox(Box, frozen=True):
    items: tuple[PyValue, ...] = ()
    is_open: bool = False
    roots: frozenset[Root] = frozenset()  # what decides whether there is anything in it


class DictBox(Box, frozen=True):
    items: Mapping[Any, PyValue] = {}
    is_open: bool = False
    base: EventPart | None = None  # of what it is a copy
    places: Mapping[Any, ast.AST] = {}  # where its keys are written

    def keys(self) -> tuple[PyValue, ...]:
        return tuple(Known(key, self.places.get(key)) for key in self.items)


class ObjectBox(Box, frozen=True):
    klass: Klass | None = None
    items: Mapping[str, PyValue] = {}
    base: EventPart | None = None  # it was made from the whole of this


MOST_PARTS = 1 << 12


def is_too_large(value: PyValue) -> bool:
    """Whether a value has more parts than a person writes: one that is doubled again and again soon has."""
    if type(value) in _WITHOUT_PARTS:
        return False
    count, work = 0, [value]
    while work:
        count += 1
        if count > MOST_PARTS:
            return True
        match work.pop():
            case Seq(values=parts) | OneOf(values=parts) | PyFault(args=parts) | Klass(bases=parts):
                work += parts
            case OwnFunction(owner=owner, args=parts, keywords=keywords):
                work += [*parts, *(one for _, one in keywords), *([owner] if owner is not None else [])]
            case PyText(parts=pieces):
                work += [one for one in pieces if not isinstance(one, str)]
            case EventPart(beside=paths):
                count += len(paths)
            case (
                MethodOf(owner=inner)
                | AskedOf(subject=inner)
                | RegexValue(texts=inner)
                | Some(items=PyValue() as inner)
            ):
                work.append(inner)
    return count > MOST_PARTS


_WITHOUT_PARTS = frozenset({Known, Raw, NamedInput, Run, Fit, Json, ObjectRef, Lib, Module})


def alternatives(value: PyValue) -> tuple[PyValue, ...]:
    return value.values if isinstance(value, OneOf) else (value,)


def one_of(values: list[PyValue] | tuple[PyValue, ...]) -> PyValue:
    """These values as one; unknown if there are too many of them, or none."""
    found: dict[PyValue, None] = {}
    for value in values:
        if isinstance(value, OneOf):
            found.update(dict.fromkeys(value.values))
        else:
            found[value] = None
    if not found or len(found) > _MOST_VALUES:
        return NOTHING
    return next(iter(found)) if len(found) == 1 else OneOf(tuple(found))


_NO_ROOTS: frozenset[Root] = frozenset()


def roots_of(value: PyValue | None) -> frozenset[Root]:
    """What a value has been made from."""
    match value:
        case EventPart(path=path, beside=beside):
            return frozenset((path, *beside))
        case Some(roots=roots) | AskedOf(roots=roots):
            return roots
        case NamedInput() | Run() | Fit():
            return frozenset((value,))
        case Raw():
            return frozenset(((),))
        case OneOf(values=values) | Seq(values=values) | PyFault(args=values):
            return _NO_ROOTS.union(*map(roots_of, values))
        case PyText(parts=parts):
            return _NO_ROOTS.union(*(roots_of(part) for part in parts if not isinstance(part, str)))
        case MethodOf(owner=owner):
            return roots_of(owner)
    return _NO_ROOTS


def paths_of(roots: frozenset[Root]) -> tuple[Path, ...]:
    return tuple(sorted(root for root in roots if isinstance(root, tuple)))
