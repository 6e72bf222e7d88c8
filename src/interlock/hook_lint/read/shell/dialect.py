"""Which shell a program is for, and what in it only bash and its like understand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePath
from typing import Any

from interlock.facts.shell.tree import (
    Arithmetic,
    Array,
    Assignment,
    Background,
    Branches,
    Chain,
    Function,
    Group,
    Heredoc,
    Loop,
    Opening,
    Pipeline,
    ProcessSubstitution,
    Sequence,
    Simple,
    Substitution,
    Test,
    Variable,
)
from interlock.hook_lint.program import ShellForm
from interlock.hook_lint.read.shell.notes import LineTable

__all__ = ["forms_beyond_posix", "shell_of"]

_COMMANDS = frozenset({
    "source", "declare", "typeset", "mapfile", "readarray", "let", "shopt", "pushd", "popd", "enable", "disown",
    "compgen", "complete", "caller", "coproc",
})  # fmt: skip
_OPERATORS = {
    "/": "${name/…}", "//": "${name//…}", "/#": "${name/#…}", "/%": "${name/%…}", "^": "${name^}", "^^": "${name^^}",
    ",": "${name,}", ",,": "${name,,}", ":": "${name:…}", "@": "${name@…}",
}  # fmt: skip
_OPENINGS = {"<<<": "<<<", "&>": "&>", "&>>": "&>>"}
_READ_OPTION = re.compile(r"-[a-zA-Z]*[adinNtus]")
_MAY_BE_BEYOND = re.compile(
    r"\[\[|\(\(|<<<|<\(|>\(|&>|\|&|\$'|=\(|\+=|\]=|\$\{[^}]*[/^,:@!\[]|\bfunction\b|==|pipefail|\bERR\b|\{\d+\.\."
    r"|\b(?:" + "|".join(sorted(_COMMANDS)) + r"|read|select)\b"
)
_QUOTES = re.compile(r"""\\.|\$'|'[^']*'|"(?:\\.|[^"\\])*\"""", re.DOTALL)
_FUNCTION = re.compile(r"function\b")


def _has_escapes(text: str) -> bool:
    """Whether a `$'…'` is in a command outside of other quotes."""
    return any(found[0] == "$'" for found in _QUOTES.finditer(text))


def shell_of(text: str) -> str:
    """The shell that the first line names; empty if it names none."""
    first = text.partition("\n")[0]
    if not first.startswith("#!"):
        return ""
    words = [PurePath(word).name for word in first[2:].split() if not word.startswith("-")]
    return next((word for word in words if word != "env"), "")


def forms_beyond_posix(text: str, body: Sequence, lines: LineTable) -> tuple[ShellForm, ...]:
    """What a plain POSIX shell, such as dash, does not understand; each form once, where it is first."""
    if not _MAY_BE_BEYOND.search(text):
        return ()
    found: dict[str, tuple[int, int]] = {}
    for name, start, end in _Finder(text).within(body, (0, 0)):
        found.setdefault(name, (start, end))
    return tuple(ShellForm(name=name, span=lines.span(start, end)) for name, (start, end) in found.items())


class _Finder:
    """Looks for forms in a parsed program. `at` is the nearest place that is known."""

    def __init__(self, text: str) -> None:
        self.text = text

    def within(self, node: Any, at: tuple[int, int]) -> Iterator[tuple[str, int, int]]:
        match node:
            case str() | None:
                return
            case list() | tuple():
                for one in node:
                    yield from self.within(one, at)
            case Sequence():
                yield from self.within(node.nodes, at)
            case Chain():
                yield from self.within([link for _, link in node.links], at)
            case Pipeline():
                yield from self.within(node.stages, at)
            case Background():
                yield from self.within(node.body, at)
            case Substitution():
                yield from self.within(node.body, at)
            case Group():
                yield from self.within(node.openings, (node.start, node.end))
                yield from self.within(node.body, (node.start, node.end))
            case Function():
                if _FUNCTION.match(self.text, node.start):
                    yield "function", node.start, node.start + len("function")
                yield from self.within(node.body, (node.start, node.end))
            case Test():
                yield node.kind, node.start, node.end
            case Loop():
                here = (node.start, node.end)
                if self.text.startswith("select", node.start):
                    yield "select", *here
                yield from self.within([node.head, node.words or [], node.body], here)
            case Branches():
                yield from self.within([node.heads, node.words, node.bodies], (node.start, node.end))
            case Simple():
                yield from self._simple(node)
            case Opening():
                if node.op in _OPENINGS:
                    yield _OPENINGS[node.op], *at
                yield from self.within(node.target, at)
            case Heredoc():
                yield from self.within(node.parts, at)
            case ProcessSubstitution():
                yield "<(…)" if node.feeds else ">(…)", *at
                yield from self.within(node.body, at)
            case Arithmetic():
                yield from self.within(node.parts, at)
            case Variable():
                yield from self._variable(node, at)

    def _simple(self, node: Simple) -> Iterator[tuple[str, int, int]]:
        at = (node.start, node.end)
        for one in node.assignments:
            yield from self._assignment(one, at)
        yield from self.within(node.openings, at)
        words = node.words
        name = words[0] if words and isinstance(words[0], str) else ""
        if name in _COMMANDS:
            yield name, *at
        elif name == "[" and any(word == "==" for word in words):
            yield "[ … == … ]", *at
        elif name == "read" and any(isinstance(word, str) and _READ_OPTION.match(word) for word in words[1:]):
            yield "read " + next(w for w in words[1:] if isinstance(w, str) and _READ_OPTION.match(w)), *at
        elif name == "set" and "pipefail" in words:
            yield "set -o pipefail", *at
        elif name == "trap" and words[-1:] == ["ERR"]:
            yield "trap … ERR", *at
        if "$'" in node.text and _has_escapes(node.text):
            yield "$'…'", *at
        yield from self.within(words, at)

    def _assignment(self, one: Assignment, at: tuple[int, int]) -> Iterator[tuple[str, int, int]]:
        if one.adds:
            yield "+=", *at
        if isinstance(one.value, Array) or one.index is not None:
            yield "name=(…)" if isinstance(one.value, Array) else "name[…]", *at
        yield from self.within(one.value.words if isinstance(one.value, Array) else one.value, at)

    def _variable(self, node: Variable, at: tuple[int, int]) -> Iterator[tuple[str, int, int]]:
        if node.index:
            yield "name[…]", *at
        elif node.prefix == "!" and not node.op:
            yield "${!name}", *at
        elif node.op in _OPERATORS:
            yield _OPERATORS[node.op], *at
        yield from self.within(node.arg or [], at)
