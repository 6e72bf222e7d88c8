"""One thing that a check found, where it found it, and how it can be fixed."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from interlock.errors import Source
from interlock.files.jsonedit import JsonNode
from interlock.hook_lint.program import HookProgram, Span
from interlock.hook_lint.wiring import HookWire

__all__ = ["Fix", "FixEdit", "LintFinding", "Severity", "about", "about_wire", "at"]

Severity: TypeAlias = Literal["error", "warning"]


class FixEdit(Struct, frozen=True):
    """A part of a file and what it becomes: `text[start:end]`."""

    start: int
    end: int
    text: str


class Fix(Struct, frozen=True):
    """A change that is safe: it does what the author meant, and nothing else."""

    what: str  # in the imperative
    file: str
    edits: tuple[FixEdit, ...] = ()
    executable: bool = False  # the file becomes executable


class LintFinding(Struct, frozen=True, kw_only=True):
    """What is wrong, where, and what to do. `length` is how much of the line the caret underlines."""

    code: str
    source: Source
    message: str
    help: str = ""
    severity: Severity = "error"
    length: int = 1
    fix: Fix | None = None


def at(
    code: str,
    program: HookProgram,
    span: Span,
    message: str,
    help: str = "",
    *,
    severity: Severity = "error",
    fix: Fix | None = None,
) -> LintFinding:
    """A finding about a part of a program. The caret underlines what of the part is on its first line."""
    line_end = program.text.find("\n", span.start)
    end = span.end if line_end < 0 else min(span.end, line_end)
    return LintFinding(
        code=code,
        source=Source(program.file, span.line, span.column),
        message=message,
        help=help,
        severity=severity,
        length=max(1, end - span.start),
        fix=fix,
    )


def about(
    code: str,
    file: str,
    node: JsonNode,
    message: str,
    help: str = "",
    *,
    severity: Severity = "error",
    fix: Fix | None = None,
) -> LintFinding:
    """A finding about a value in a file of entries."""
    length = node.end - node.start if not isinstance(node.value, dict | list) else 1
    return LintFinding(
        code=code, source=node.source(file), message=message, help=help, severity=severity, length=length, fix=fix
    )


def about_wire(
    code: str,
    wire: HookWire,
    key: str,
    message: str,
    help: str = "",
    *,
    severity: Severity = "error",
    fix: Fix | None = None,
) -> LintFinding | None:
    """A finding about one field of an entry, or about the entry if it has no such field. None for the SDK's entries."""
    node = wire.part(key) or wire.node
    if node is None:
        return None
    return about(code, wire.file, node, message, help, severity=severity, fix=fix)
