"""The tree of a JavaScript text. Chains and runs of operators are flat, so that no length of text nests the tree."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

__all__ = [
    "Array", "Assign", "Await", "Binary", "Block", "Call", "Chain", "Class", "Conditional", "Declare", "Entry",
    "ForEach", "Function", "If", "Import", "Index", "Link", "Loop", "Member", "Name", "New", "Node", "Number",
    "Object", "Prop", "Raise", "Regex", "Return", "Sequence", "Spread", "String", "Switch", "Template", "Try", "Unary",
    "Word",
]  # fmt: skip


class Node(Struct):
    """Part of a tree."""


class String(Node):
    """A constant text."""

    text: str


class Number(Node):
    value: float


class Word(Node):
    """`true`, `false`, `null`, `undefined`, `this`, `super` and the like."""

    name: str


class Name(Node):
    name: str


class Regex(Node):
    """A regular expression."""

    source: str


class Template(Node):
    """A text with values in it: one text more than values."""

    strings: list[str]
    parts: list[Node]


class Array(Node):
    items: list[Node]


class Prop(Struct):
    """A property of an object or a member of a class. `key` is None for a spread."""

    key: Node | None
    value: Node
    accessor: bool = False  # it is run when the property is looked at
    static: bool = False


class Object(Node):
    props: list[Prop]


class Function(Node):
    name: str
    params: list[Node]
    body: list[Node]
    value: Node | None = None  # of an arrow without braces
    arrow: bool = False
    generator: bool = False


class Class(Node):
    name: str
    base: Node | None
    members: list[Prop]


class Member(Struct):
    name: str


class Index(Struct):
    key: Node


class Call(Struct):
    """A call; with a template it is a tagged one."""

    args: list[Node]
    template: Template | None = None


Link: TypeAlias = Member | Index | Call


class Chain(Node):
    """`a.b(c)[d]`: what it begins with, and each step from there."""

    base: Node
    links: list[Link]


class New(Node):
    callee: Node
    args: list[Node]


class Unary(Node):
    sign: str
    value: Node


class Await(Node):
    """What waits for a value or hands one out: it is that value."""

    value: Node


class Spread(Node):
    value: Node


class Binary(Node):
    """A run of operators of one strength, from left to right."""

    first: Node
    rest: list[tuple[str, Node]]


class Conditional(Node):
    test: Node
    yes: Node
    no: Node


class Assign(Node):
    """Also a pattern with a value for what is missing."""

    sign: str
    target: Node
    value: Node


class Sequence(Node):
    items: list[Node]


class Block(Node):
    body: list[Node]


class Declare(Node):
    """Names that are declared, each with the pattern and the value."""

    kind: str
    pairs: list[tuple[Node, Node | None]]


class If(Node):
    branches: list[tuple[Node, Node]]
    otherwise: Node | None


class Loop(Node):
    start: Node | None
    test: Node | None
    step: Node | None
    body: Node
    first: bool = False  # the body is run before the test


class ForEach(Node):
    keys: bool  # `in` instead of `of`
    kind: str
    target: Node
    over: Node
    body: Node


class Return(Node):
    value: Node | None


class Raise(Node):
    """`throw`, `break` and `continue`: what follows is not run."""

    value: Node | None


class Try(Node):
    body: Block
    caught: Node | None
    handler: Block | None
    last: Block | None


class Switch(Node):
    value: Node
    cases: list[tuple[Node | None, list[Node]]]


class Entry(Struct):
    """One name of an import."""

    name: str  # `*`: all of it; `default`
    called: str


class Import(Node):
    module: str
    names: list[Entry]
