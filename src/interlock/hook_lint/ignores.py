"""Comments by which a person accepts a finding: `# interlock: ignore[IL201] the reason`.

They hold for their own line and for the next one. Settings files have no comments; codes can be left out by option.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from interlock.hook_lint.finding import LintFinding

__all__ = ["without_ignored"]

_COMMENT = re.compile(r"(?:#|//|/\*)\s*interlock:\s*ignore\[([\w, ]+)\]")


def without_ignored(findings: Iterable[LintFinding], line_of: Callable[[str, int], str]) -> list[LintFinding]:
    """The findings that no comment excuses. `line_of` gives a line of a file, empty if the file does not have it."""
    return [one for one in findings if one.code not in _codes_at(one, line_of)]


def _codes_at(finding: LintFinding, line_of: Callable[[str, int], str]) -> set[str]:
    place = finding.source
    lines = (line_of(place.file, number) for number in (place.line - 1, place.line) if number > 0)
    found = (match for line in lines for match in _COMMENT.finditer(line))
    return {code.strip() for match in found for code in match[1].split(",")}
