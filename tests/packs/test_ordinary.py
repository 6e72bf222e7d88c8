"""Ordinary lines: what agents type all day passes `guarded` without a question.

One line of ordinary.txt is one call; `\\n` in it is the end of a line. A line that should be asked about belongs into
the cases of a rule, and not here.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.packs.shipped import decision

_TEXT = (Path(__file__).parent / "ordinary.txt").read_text(encoding="utf-8")
LINES = [line.replace("\\n", "\n").replace("\\t", "\t") for line in _TEXT.splitlines() if line]
SIZE = 50  # lines to a test: one each would take longer to set up than to judge


@pytest.mark.parametrize("start", range(0, len(LINES), SIZE))
def test_an_ordinary_line_passes_without_a_question(start: int):
    stopped = [
        line for line in LINES[start : start + SIZE] if decision("guarded", {"Bash": line}) not in ("none", "allow")
    ]
    assert stopped == []


def test_there_are_many_of_them_and_none_twice():
    assert len(LINES) > 500
    assert len(set(LINES)) == len(LINES)
