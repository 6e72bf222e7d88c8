"""Lines by theme: those with `+` must stop in `guarded`, and those with `-`, which look almost the same, must pass.

A line in `themes/*.txt` is a command; `⏎` in it is a line break. Nothing of it is run.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from interlock.cli.common import named_policies
from interlock.testing.score import Row, judge_rows

THEMES = sorted((Path(__file__).parent / "themes").glob("*.txt"))
PASSES = ("none", "allow")


def lines_of(theme: Path) -> list[tuple[str, str]]:
    """The marks and commands of a theme."""
    lines = theme.read_text(encoding="utf-8").splitlines()
    return [(line[0], line[2:].replace("⏎", "\n")) for line in lines if line[:2] in ("+ ", "- ")]


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.stem)
def test_every_line_of_a_theme_stops_or_passes_as_it_says(theme: Path):
    marked = lines_of(theme)
    rows = [Row(str(number), command) for number, (_, command) in enumerate(marked)]
    judged = judge_rows(rows, named_policies("guarded", None) or [])
    wrong = [
        f"{mark} {result.command} ({result.decision}, {', '.join(result.rules)})"
        for (mark, _), result in zip(marked, judged, strict=True)
        if (result.decision in PASSES) == (mark == "+")
    ]
    assert wrong == []


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.stem)
def test_every_theme_has_near_misses(theme: Path):
    marks = [mark for mark, _ in lines_of(theme)]
    assert marks.count("+") > 10
    assert marks.count("-") > 5
