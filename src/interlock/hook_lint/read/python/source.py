"""The text of a program, and where its nodes are in it."""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from itertools import count
from typing import Any

from interlock.hook_lint.program import Span

__all__ = ["PythonSource"]

_LINE_ENDS = re.compile(r"\r\n|\r|\n")
_BOM = "\ufeff"
_FIRST_LINE = 1_000_000  # of the first file that is taken in: further down than any file goes


class PythonSource:
    """A text and the places in it. Nodes count columns in bytes, spans in characters.

    Files that it imports are taken in: their nodes count lines from where no text of its own is, and their place is
    `site`, where the file itself uses them.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.start = len(text) - len(text.removeprefix(_BOM))
        self.starts = [self.start, *(found.end() for found in _LINE_ENDS.finditer(text))]
        self.is_ascii = text.isascii()
        self.others: dict[int, PythonSource] = {}
        self.site = Span(0, 0, 1, 1)
        self.borrowed: dict[Span, None] = {}  # the places that have stood for others

    def take_in(self, text: str) -> ast.Module:
        """The tree of a file that is imported."""
        place, other, tree = _module_of(text)
        self.others[place] = other
        return tree

    def is_own(self, node: Any) -> bool:
        return not self.others or bool(node.lineno < _FIRST_LINE)

    def parse(self) -> ast.Module:
        return ast.parse(self.text[self.start :])

    def offset(self, line: int, column: int) -> int:
        start = self.starts[line - 1]
        if self.is_ascii:
            return start + column
        end = self.starts[line] if line < len(self.starts) else len(self.text)
        whole = self.text[start:end]
        return start + (column if whole.isascii() else len(whole.encode()[:column].decode(errors="ignore")))

    def span(self, node: Any) -> Span:
        if not self.is_own(node):
            self.borrowed[self.site] = None
            return self.site
        start = self.offset(node.lineno, node.col_offset)
        end = self.offset(node.end_lineno, node.end_col_offset)
        return Span(start, end, node.lineno, start - self.starts[node.lineno - 1] + 1)

    def head(self, node: ast.AST) -> Span:
        """The first line of a function, from its beginning; all of a lambda."""
        span = self.span(node)
        if span is self.site:
            return span
        line_end = self.text.find("\n", span.start)
        if isinstance(node, ast.Lambda) or line_end < 0:
            return span
        return Span(span.start, min(span.end, line_end), span.line, span.column)

    def code(self, node: Any) -> str:
        """The source of a node."""
        place, line = divmod(node.lineno, _FIRST_LINE)
        source = self.others[place] if place else self
        start = source.offset(line, node.col_offset)
        return source.text[start : source.offset(node.end_lineno % _FIRST_LINE, node.end_col_offset)]


_places = count(1)


@lru_cache(maxsize=128)
def _module_of(text: str) -> tuple[int, PythonSource, ast.Module]:
    """A file that is imported, read once for all hooks that do: its number, its text and its tree."""
    place, source = next(_places), PythonSource(text)
    tree = source.parse()
    ast.increment_lineno(tree, _FIRST_LINE * place)
    return place, source, tree
