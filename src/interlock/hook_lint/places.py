"""Move what was read of a program to where it is written: as a text inside a file of JSON or YAML."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import fields, replace

from interlock.files.jsonedit import JsonNode
from interlock.hook_lint.program import HookProgram, Span

__all__ = ["inside", "span_inside", "span_of"]

# One character of a text as JSON writes it; YAML's double quotes agree where they have it.
_ESCAPED = re.compile(r"\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u.{4}|\\.|.", re.DOTALL)
_DOUBLED = re.compile(r"''|.", re.DOTALL)


def inside(program: HookProgram, text: str, node: JsonNode) -> HookProgram:
    """The program as a part of a larger text: the value at `node`."""
    moved: HookProgram = _move(program, text, node, _starts(text, node))
    return replace(moved, text=text, line=program.text)


def span_of(text: str, start: int, end: int) -> Span:
    """A part of a text, with its line and column."""
    return Span(start, end, text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start))


def span_inside(span: Span, text: str, node: JsonNode) -> Span:
    """A part of the value at `node`, where it is written."""
    return _span(span, text, node, _starts(text, node))


def _move(value: Any, text: str, node: JsonNode, starts: Sequence[int]) -> Any:
    if isinstance(value, Span):
        return _span(value, text, node, starts)
    if isinstance(value, tuple):
        return tuple(_move(part, text, node, starts) for part in value)
    if isinstance(value, Struct):
        return replace(value, **{one.name: _move(getattr(value, one.name), text, node, starts)
                                 for one in fields(value)})  # fmt: skip
    return value


def _span(span: Span, text: str, node: JsonNode, starts: Sequence[int]) -> Span:
    if not 0 <= span.start <= span.end < len(starts):
        return Span(node.start, node.end, node.line, node.column)
    start = starts[span.start]
    line = node.line + text.count("\n", node.start, start)
    column = start - text.rfind("\n", 0, start) if line > node.line else node.column + start - node.start
    return Span(start, max(start, starts[span.end]), line, column)


def _starts(text: str, node: JsonNode) -> Sequence[int]:
    """Where each character of a value is written, and where it ends; nothing if that cannot be told."""
    written, value = text[node.start : node.end], str(node.value)
    if written[:1] == '"':
        return _pieces(_ESCAPED, text, node, value)
    if written[:1] == "'":
        return _pieces(_DOUBLED, text, node, value)
    if written[:1] == "|":
        return _lines(text, node, value)
    return range(node.start, node.end + 1) if written == value else ()


def _pieces(pattern: re.Pattern[str], text: str, node: JsonNode, value: str) -> Sequence[int]:
    """The characters between quotes; a text that YAML has folded has other ones."""
    starts = [found.start() for found in pattern.finditer(text, node.start + 1, node.end - 1)]
    same = len(starts) == len(value) and "\n" not in text[node.start : node.end]
    return [*starts, node.end - 1] if same else ()


def _lines(text: str, node: JsonNode, value: str) -> Sequence[int]:
    """The characters of a block of lines, which are all indented alike."""
    starts: list[int] = []
    at = text.find("\n", node.start) + 1
    for line in value.splitlines(keepends=True):
        plain = line.rstrip("\n")
        begins = text.find(plain, at) if plain else at
        if begins < 0 or text[at:begins].strip():
            return ()
        starts += range(begins, begins + len(line))
        at = text.find("\n", begins + len(plain)) + 1 or len(text)
    return [*starts, starts[-1] + 1] if starts else ()
