"""The tree of a JavaScript text. Chains and runs of operators are flat, so that no length of text nests the tree."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

__all__ = [
    "ArrayNode",
    "Assign",
    "Await",
    "Binary",
    "Block",
    "CallLink",
    "ChainNode",
    "ClassNode",
    "Conditional",
    "Declare",
    "ForEach",
    "FunctionNode",
    "If",
    "ImportEntry",
    "ImportNode",
    "IndexLink",
    "JsNode",
    "Link",
    "LoopNode",
    "MemberLink",
    "Name",
    "New",
    "Number",
    "Object",
    "Prop",
    "Raise",
    "Regex",
    "Return",
    "SequenceNode",
    "Spread",
    "String",
    "Switch",
    "Template",
    "Try",
    "Unary",
    "WordNode",
]  # fmt: skip


class JsNode(Struct):
    """LibraryPart of a tree."""


class String(JsNode):
    """A constant text."""

    text: str


class Number(JsNode):
    value: float


class WordNode(JsNode):
    """`true`, `false`, `null`, `undefined`, `this`, `super` and the like."""

    name: str


class Name(JsNode):
    name: str


class Regex(JsNode):
    """A regular expression."""

    source: str


class Template(JsNode):
    """A text with values in it: one text more than values."""

    strings: list[str]
    parts: list[JsNode]


class ArrayNode(JsNode):
    items: list[JsNode]


class Prop(Struct):
    """A property of an object or a member of a class. `key` is None for a spread."""

    key: JsNode | None
    value: JsNode
    accessor: bool = False  # it is run when the property is looked at
    static: bool = False


class Object(JsNode):
    props: list[Prop]


class FunctionNode(JsNode):
    name: str
    params: list[JsNode]
    body: list[JsNode]
    value: JsNode | None = None  # of an arrow without braces
    arrow: bool = False
    generator: bool = False


class ClassNode(JsNode):
    name: str
    base: JsNode | None
    members: list[Prop]


class MemberLink(Struct):
    name: str


class IndexLink(Struct):
    key: JsNode


class CallLink(Struct):
    """A call; with a template it is a tagged one."""

    args: list[JsNode]
    template: Template | None = None


Link: TypeAlias = MemberLink | IndexLink | CallLink


class ChainNode(JsNode):
    """`a.b(c)[d]`: what it begins with, and each step from there."""

    base: JsNode
    links: list[Link]


class New(JsNode):
    callee: JsNode
    args: list[JsNode]


class Unary(JsNode):
    sign: str
    value: JsNode


class Await(JsNode):
    """What waits for a value or hands one out: it is that value."""

    value: JsNode


class Spread(JsNode):
    value: JsNode


class Binary(JsNode):
    """A run of operators of one strength, from left to right."""

    first: JsNode
    rest: list[tuple[str, JsNode]]


class Conditional(JsNode):
    test: JsNode
    yes: JsNode
    no: JsNode


class Assign(JsNode):
    """Also a pattern with a value for what is missing."""

    sign: str
    target: JsNode
    value: JsNode


class SequenceNode(JsNode):
    items: list[JsNode]


class Block(JsNode):
    body: list[JsNode]


class Declare(JsNode):
    """Names that are declared, each with the pattern and the value."""

    kind: str
    pairs: list[tuple[JsNode, JsNode | None]]


class If(JsNode):
    branches: list[tuple[JsNode, JsNode]]
    otherwise: JsNode | None


class LoopNode(JsNode):
    start: JsNode | None
    test: JsNode | None
    step: JsNode | None
    body: JsNode
    first: bool = False  # the body is run before the test


class ForEach(JsNode):
    keys: bool  # `in` instead of `of`
    kind: str
    target: JsNode
    over: JsNode
    body: JsNode


class Return(JsNode):
    value: JsNode | None


class Raise(JsNode):
    """`throw`, `break` and `continue`: what follows is not run."""

    value: JsNode | None


class Try(JsNode):
    body: Block
    caught: JsNode | None
    handler: Block | None
    last: Block | None


class Switch(JsNode):
    value: JsNode
    cases: list[tuple[JsNode | None, list[JsNode]]]


class ImportEntry(Struct):
    """One name of an import."""

    name: str  # `*`: all of it; `default`
    called: str


class ImportNode(JsNode):
    module: str
    names: list[ImportEntry]
