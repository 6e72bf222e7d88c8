"""The checks of hooks in the documentation, from the checks themselves: `python -m tools.lint_page` writes them."""

from __future__ import annotations

import re
from pathlib import Path

from interlock.hook_lint.check import SECTIONS, LintCheck
from interlock.hook_lint.checks import CHECKS, GROUPS

__all__ = ["PAGE", "with_checks"]

PAGE = Path(__file__).parent.parent / "docs" / "lint.md"
_PLACE = re.compile(r"(<!-- \[\[\[(\w+)\]\]\] [^\n]*-->\n).*?(<!-- \[\[\[end\]\]\] -->)", re.DOTALL)


def with_checks(text: str) -> str:
    """The page with what is made from the checks."""
    made = {"list": _list(), "checks": _checks()}
    return _PLACE.sub(lambda found: found[1] + made[found[2]] + found[3], text)


def _list() -> str:
    rows = ["| code | name | what it finds |", "|---|---|---|"]
    rows += [f"| [{check.code}](#{_anchor(check)}) | `{check.name}` | {check.title} |" for check in CHECKS]
    return "\n".join(rows) + "\n"


def _checks() -> str:
    parts = []
    for start, about in GROUPS.items():
        listed = [check for check in CHECKS if check.code.startswith(start)]
        if listed:
            parts.append(f"## {start}: {about}\n")
            parts += [_one(check) for check in listed]
    return "\n".join(parts)


def _one(check: LintCheck) -> str:
    fixes = " `--fix` corrects it." if check.fixes else ""
    sections = [f"**{name}.** {check.sections[name]}" for name in SECTIONS[:2]]
    examples = [f"{name}:\n\n{check.sections[name]}" for name in SECTIONS[2:]]
    text = "\n\n".join([f"### {_heading(check)}", f"{check.title}.{fixes}", *sections, *examples]) + "\n"
    return text.replace("```python", "```py")  # they show mistakes, and examples of the documentation are run


def _heading(check: LintCheck) -> str:
    return f"{check.code} {check.name}"


def _anchor(check: LintCheck) -> str:
    return _heading(check).lower().replace(" ", "-")


if __name__ == "__main__":
    PAGE.write_text(with_checks(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
