"""The text of a program, and where its nodes are in it."""

from __future__ import annotations

import ast
import re
from typing import Any

from interlock.hook_lint.program import Span

__all__ = ["PythonSource"]

_LINE_ENDS = re.compile(r"\r\n|\r|\n")
_BOM = "\ufeff"


class PythonSource:
    """A text and the places in it. Nodes count columns in bytes, spans in characters."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.start = len(text) - len(text.removeprefix(_BOM))
        self.starts = [self.start, *(found.end() for found in _LINE_ENDS.finditer(text))]
        self.is_ascii = text.isascii()

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
        start = self.offset(node.lineno, node.col_offset)
        end = self.offset(node.end_lineno, node.end_col_offset)
        return Span(start, end, node.lineno, start - self.starts[node.lineno - 1] + 1)

    def head(self, node: ast.AST) -> Span:
        """The first line of a function, from its beginning; all of a lambda."""
        span = self.span(node)
        line_end = self.text.find("\n", span.start)
        if isinstance(node, ast.Lambda) or line_end < 0:
            return span
        return Span(span.start, min(span.end, line_end), span.line, span.column)

    def code(self, node: Any) -> str:
        """The source of a node."""
        start = self.offset(node.lineno, node.col_offset)
        return self.text[start : self.offset(node.end_lineno, node.end_col_offset)]
