"""Places in a file of entries, and findings about them."""

from __future__ import annotations

from interlock.errors import Source
from interlock.files.jsonedit import JsonNode
from interlock.hook_lint.finding import Fix, LintFinding, Severity
from interlock.hook_lint.wiring import HookWire, SettingsSubject

__all__ = ["about", "about_wire", "part_of", "source_of_key"]


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
    node = part_of(wire, key) or wire.node
    if node is None:
        return None
    return about(code, wire.file, node, message, help, severity=severity, fix=fix)


def part_of(wire: HookWire, key: str) -> JsonNode | None:
    """The value of one field of an entry."""
    found = wire.node.value.get(key) if wire.node is not None and isinstance(wire.node.value, dict) else None
    return found if isinstance(found, JsonNode) else None


def source_of_key(subject: SettingsSubject, node: JsonNode) -> Source:
    """Where the key of a member begins."""
    start = node.first
    line = subject.text.count("\n", 0, start) + 1
    return Source(subject.file, line, start - subject.text.rfind("\n", 0, start))
