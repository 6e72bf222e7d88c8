"""What `interlock lint` prints for a person: a finding with its line, and the explanation of a check."""

from __future__ import annotations

from collections.abc import Iterator

import click

from interlock.cli.common import visible
from interlock.cli.layout import terminal_width, text_width, visible_lines, wrap_lines
from interlock.hook_lint.check import SECTIONS, LintCheck
from interlock.hook_lint.finding import LintFinding

__all__ = ["explanation_text", "finding_text"]

_MARK = "  | "
_WIDE = 116  # of a line that is shown where no terminal is
_LEAST = 40
_COLOURS = {"error": "red", "warning": "yellow"}


def finding_text(finding: LintFinding, place: str, line: str) -> str:
    """`file:line:column CODE message`, the line with the mistake underlined, and what to do.

    `place` is the name of the file, and `line` the text of its line; it may be empty.
    """
    code = click.style(finding.code, fg=_COLOURS[finding.severity], bold=True)
    lines = [f"{place}:{finding.source.line}:{finding.source.column} {code} {visible(finding.message)}"]
    if line:
        lines += _marked_line(line, finding.source.column - 1, finding.length)
    if finding.help:
        fixes = click.style("  [--fix]", fg="green") if finding.fix is not None else ""
        lines.append(f"  = {visible(finding.help)}{fixes}")
    return "\n".join(lines)


def _marked_line(line: str, start: int, length: int) -> Iterator[str]:
    """A line and the marks below it. If it does not fit, the part around the mistake, with `…` where it is cut."""
    room = max((terminal_width() or _WIDE + len(_MARK)) - len(_MARK), _LEAST)
    line = "".join(char if char.isprintable() or char == "\t" else "�" for char in line.rstrip())
    first = 0
    if len(line) > room:
        # The mistake is in the middle, unless the line begins or ends before that; a long one begins at the left.
        first = min(max(0, start - max(0, room - length) // 2), len(line) - room)
    shown = line[first : first + room]
    before, after = first > 0, first + room < len(line)
    shown = ("…" if before else "") + shown[before : len(shown) - after] + ("…" if after else "")
    blank = "".join("\t" if char == "\t" else " " for char in shown[: start - first])
    marks = "^" * max(1, min(length, len(shown) - after - len(blank)))
    yield _MARK + shown
    yield _MARK + blank + click.style(marks, fg=_COLOURS["error"])


def explanation_text(check: LintCheck) -> str:
    """What a check finds, why that is a mistake, an example and the fix, set for the width of the terminal."""
    head = click.style(f"{check.code} {check.name}", bold=True)
    fixes = " `interlock lint --fix` corrects it." if check.fixes else ""
    parts = [head, *_lines_of(f"{check.title}.{fixes}")]
    for name in SECTIONS:
        parts += ["", click.style(name, bold=True), *_lines_of(check.sections[name])]
    return "\n".join(parts)


def _lines_of(text: str) -> Iterator[str]:
    """Paragraphs and lists wrapped; blocks of code indented, without their fences."""
    is_code = False
    gathered: list[str] = []

    def paragraph() -> Iterator[str]:
        if gathered:
            indent = "  " if gathered[0].startswith("- ") else ""
            first, *rest = wrap_lines(" ".join(gathered), text_width() - len(indent))
            yield from (first, *(indent + line for line in rest))
            gathered.clear()

    for line in visible_lines(text):
        if line.startswith("```"):
            yield from paragraph()
            is_code = not is_code
        elif is_code:
            yield f"    {line}".rstrip()
        elif not line.strip():
            yield from paragraph()
            yield ""
        else:
            if line.startswith("- "):
                yield from paragraph()
            gathered.append(line.strip())
    yield from paragraph()
