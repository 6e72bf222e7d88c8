"""The parts of a shell line: words and what they are made of, commands and what they stand in."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

__all__ = [
    "Arithmetic", "Array", "Assignment", "Background", "Branches", "Chain", "Function", "Group", "Heredoc", "Loop",
    "Node", "Opening", "Part", "Pipeline", "ProcessSubstitution", "Quoted", "Sequence", "Simple", "Substitution",
    "Test",
    "Variable", "Word",
]  # fmt: skip


class Quoted(Struct):
    """Characters in which nothing is special any more."""

    text: str


class Variable(Struct):
    """`$name`, `${name[index] op arg}`."""

    name: str
    quoted: bool
    op: str = ""
    arg: list[Part] | None = None
    index: str = ""
    subscript: list[Part] | None = None  # what the index is made of, if that is not plain text
    prefix: str = ""  # "#" for the length, "!" for the variable that is named in it


class Substitution(Struct):
    """`$(…)` or backticks."""

    body: Sequence
    quoted: bool


class ProcessSubstitution(Struct):
    """`<(…)`, or `>(…)`."""

    body: Sequence
    feeds: bool  # `<(…)`: the command reads it


class Arithmetic(Struct):
    """`$((…))`, or anything else that has no known value: its parts may run commands."""

    parts: list[Part]


# A part that is a plain string is unquoted text; a word that is one is nothing but plain text.
Part: TypeAlias = str | Quoted | Variable | Substitution | ProcessSubstitution | Arithmetic
Word: TypeAlias = str | list[Part]


class Array(Struct):
    """The `(…)` of an assignment."""

    words: list[Word]


class Assignment(Struct):
    """`name=value`, `name+=value`, `name[index]=value`."""

    name: str
    value: Word | Array
    adds: bool = False
    index: Word | None = None


class Heredoc(Struct):
    """What is fed to a command from the lines below, or from a here-string."""

    parts: Word


class Opening(Struct):
    """A redirection: to a file, or from a text."""

    op: str
    target: Word | Heredoc
    descriptor: str = ""  # as written in front of it: `2`, `{name}`


class Simple(Struct):
    """A program and its arguments, or assignments alone."""

    words: list[Word]
    assignments: list[Assignment]
    openings: list[Opening]
    text: str
    start: int
    end: int


class Pipeline(Struct):
    """Commands that feed each other."""

    stages: list[Node]


class Chain(Struct):
    """Commands joined by `&&` and `||`; the first has neither."""

    links: list[tuple[str, Node]]


class Background(Struct):
    """A command that nothing waits for."""

    body: Node
    talks: bool = False  # `coproc`: it reads what the line writes to it


class Sequence(Struct):
    """Commands one after another."""

    nodes: list[Node]
    lines: tuple[int, ...] = ()  # of a whole text: which of them begin a line


class Group(Struct):
    """`(…)` and `{ …; }`, or any other compound command that opens files."""

    body: Node
    openings: list[Opening]
    apart: bool  # in a shell of its own
    text: str
    start: int
    end: int


class Loop(Struct):
    """`for`, `select`, `while`, `until`."""

    head: Sequence | None
    body: Sequence
    variable: str = ""
    words: list[Word] | None = None
    start: int = 0
    end: int = 0


class Branches(Struct):
    """`if` and `case`: what is looked at, and what may be run; `whole` if one of the bodies surely is."""

    heads: list[Sequence]
    words: list[Word]
    bodies: list[Sequence]
    whole: bool
    falls: bool = False  # one body may be run behind another: `;&`
    arms: list[int] = []  # of `case`: how many of the words, behind the first, are the patterns of each body
    start: int = 0
    end: int = 0


class Function(Struct):
    """A function, which runs when its name is called."""

    name: str
    body: Node
    text: str
    start: int
    end: int


class Test(Struct):
    """`[[ … ]]` and `(( … ))`: they run nothing, but their words may."""

    kind: Literal["[[", "(("]
    words: list[Word]
    start: int = 0
    end: int = 0


Node: TypeAlias = Simple | Pipeline | Chain | Background | Sequence | Group | Loop | Branches | Function | Test
