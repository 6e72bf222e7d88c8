"""The tree of a program in JavaScript or TypeScript, with places that count characters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import accumulate
from typing import Any, TypeAlias

import tree_sitter
import tree_sitter_javascript
import tree_sitter_typescript

from interlock.hook_lint.program import Span
from interlock.hook_lint.read.python import source as python_source

__all__ = ["FUNCTIONS", "ScriptSource", "SyntaxNode", "Tree", "text_of_string", "walk"]

Tree: TypeAlias = Any
"""A node. What is shared with the reader of Python takes it for one of Python's."""

FUNCTIONS = frozenset({
    "arrow_function", "function_expression", "function_declaration", "method_definition", "generator_function",
    "generator_function_declaration",
})  # fmt: skip
_DEEPEST = 1_000
_BRACKETS = {sign: 1 if sign in b"([{" else -1 for sign in b"([{}])"}
_NO_BRACKETS = bytes(sign for sign in range(256) if sign not in _BRACKETS)
_WIDE = re.compile(r"[^\x00-\x7f]")
_OPERATORS = frozenset({"operator", "kind"})
_ESCAPE = re.compile(r"\\(?:u\{([0-9a-fA-F]+)\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\r\n|[\s\S]))")
_SHORT = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": "", "\r\n": ""}


class SyntaxNode:
    """One node: its named children, those that have a name, and where it is."""

    __slots__ = ("end", "fields", "is_async", "kids", "kind", "start")

    def __init__(self, kind: str, start: int, end: int) -> None:
        self.kind = kind
        self.start = start
        self.end = end
        self.kids: list[SyntaxNode] = []
        self.fields: dict[str, SyntaxNode] = {}
        self.is_async = False

    def __getitem__(self, field: str) -> SyntaxNode | None:
        return self.fields.get(field)


def walk(node: SyntaxNode) -> Iterator[SyntaxNode]:
    """A node and everything in it."""
    work = [node]
    while work:
        one = work.pop()
        yield one
        work += reversed(one.kids)


class ScriptSource(python_source.PythonSource):
    """A text and the places in it."""

    def tree(self, *, typescript: bool) -> SyntaxNode:
        """The program; raises ValueError where it cannot be read."""
        raw = self.text.encode("utf-8", "surrogatepass")
        if _depth(raw) > _DEEPEST:  # which takes a parser long, and Python's stack is not as deep either
            raise ValueError("it is nested too deeply")
        parsed = tree_sitter.Parser(_language(typescript=typescript)).parse(raw)
        self._places = None if self.is_ascii else _places(self.text)
        if parsed.root_node.has_error:
            at = _first_error(parsed.root_node).start_byte
            line = self.line_of(at if self._places is None else self._places[at])
            raise ValueError(f"line {line}: it is not understood")
        return self._node(parsed.root_node)

    def _node(self, found: tree_sitter.Node) -> SyntaxNode:
        at = self._places
        start, end = found.start_byte, found.end_byte
        node = SyntaxNode(found.type, *((start, end) if at is None else (at[start], at[end])))
        for place, kid in enumerate(found.children):
            if kid.is_named:
                if kid.type in ("comment", "hash_bang_line", "html_comment"):
                    continue
                own = self._node(kid)
                node.kids.append(own)
                name = found.field_name_for_child(place)
                if name is not None:
                    node.fields.setdefault(name, own)
            elif kid.type == "async":
                node.is_async = True
            elif found.field_name_for_child(place) in _OPERATORS:
                node.fields["operator"] = SyntaxNode(kid.type, node.start, node.start)
        return node

    def span(self, node: Any) -> Span:
        line = self.line_of(node.start)
        return Span(node.start, node.end, line, node.start - self.starts[line - 1] + 1)

    def line_of(self, offset: int) -> int:
        low, high = 0, len(self.starts)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.starts[middle] <= offset else (low, middle)
        return low + 1

    def head(self, node: Any) -> Span:
        span = self.span(node)
        line_end = self.text.find("\n", span.start)
        return span if line_end < 0 else Span(span.start, min(span.end, line_end), span.line, span.column)

    def code(self, node: Any) -> str:
        return self.text[node.start : node.end]


@cache
def _language(*, typescript: bool) -> tree_sitter.Language:
    if typescript:
        return tree_sitter.Language(tree_sitter_typescript.language_typescript())
    return tree_sitter.Language(tree_sitter_javascript.language())


def _first_error(root: tree_sitter.Node) -> tree_sitter.Node:
    """The first part that is not understood."""
    work = [root]
    while work:
        node = work.pop()
        if node.type == "ERROR":
            return node
        work += [kid for kid in reversed(node.named_children) if kid.has_error]
    return root


def _depth(raw: bytes) -> int:
    """How many brackets are open at once. What is in texts counts too, where they hardly ever stay open."""
    return max(accumulate(map(_BRACKETS.__getitem__, raw.translate(None, _NO_BRACKETS))), default=0)


def _places(text: str) -> list[int]:
    """The character that each byte belongs to."""
    found: list[int] = []
    start = 0
    for wide in _WIDE.finditer(text):
        place = wide.start()
        found += range(start, place)
        found += [place] * len(wide[0].encode("utf-8", "surrogatepass"))
        start = place + 1
    return [*found, *range(start, len(text) + 1)]


def text_of_string(code: str) -> str:
    """What is between the quotes of a literal, without its escapes."""
    return _ESCAPE.sub(_character_of, code) if "\\" in code else code


def _character_of(found: re.Match[str]) -> str:
    digits = found[1] or found[2] or found[3]
    if digits:
        return chr(int(digits, 16)) if int(digits, 16) < 0x110000 else "�"
    return _SHORT.get(found[4], found[4])
