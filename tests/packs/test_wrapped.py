"""However a denied command is wrapped and spelled, it never passes."""

from __future__ import annotations

from hypothesis import event, given, settings
from hypothesis import strategies as st

from interlock.verdict import STRICTNESS
from tests.packs.shipped import decision
from tests.packs.test_ready import ORDINARY, RISKY
from tests.packs.wrapping import AROUND, AS_TEXT, IN_FRONT, SPELLINGS, is_simple, lines_that

MOST_LAYERS = 4
# The same lines in every run: what chance finds elsewhere is mended and gets a line of its own.


@st.composite
def wrapped(draw: st.DrawFn) -> str:
    """A line in random layers: spelled differently, behind other words, in texts, among other commands."""
    line = draw(st.sampled_from(lines_that("deny")))
    if is_simple(line) and draw(st.booleans()):
        line = SPELLINGS[draw(st.sampled_from(sorted(SPELLINGS)))](line)
    for _ in range(draw(st.integers(1, MOST_LAYERS))):
        tables = [AS_TEXT, AROUND, *([IN_FRONT] if is_simple(line) else [])]
        table = draw(st.sampled_from(tables))
        line = table[draw(st.sampled_from(sorted(table)))](line)
    return line


@settings(deadline=None, derandomize=True)
@given(wrapped())
def test_a_denied_line_never_passes_however_it_is_written(line: str):
    found = decision("guarded", line)
    event(found)
    assert found in ("deny", "ask")


def test_one_layer_around_a_denied_line_leaves_it_denied():
    """Every line with every wrapper that is no more than another way to write it."""
    lines = lines_that("deny")
    simple = [line for line in lines if is_simple(line)]
    assert len(lines) > 100
    assert len(simple) > 50
    loosened = []
    for at, line in enumerate(lines):
        tables = (AS_TEXT, AROUND, IN_FRONT, SPELLINGS) if line in simple else (AS_TEXT, AROUND)
        ways = [(name, way) for table in tables for name, way in table.items()]
        # A part of them for each line: together they are many.
        for name, way in ways[at % 8 :: 8]:
            if decision("guarded", way(line)) != "deny":
                loosened.append((name, line))
    assert loosened == []


@settings(deadline=None, derandomize=True)
@given(st.sampled_from([*lines_that("deny"), *lines_that("ask")]), st.sampled_from([*ORDINARY, *RISKY]), st.booleans())
def test_a_command_before_or_behind_a_line_never_loosens(line: str, other: str, before: bool):
    both = f"{other}\n{line}" if before else f"{line}\n{other}"
    assert STRICTNESS[_word(decision("guarded", both))] >= STRICTNESS[_word(decision("guarded", line))]


def _word(found: str):
    return None if found == "none" else found
