"""What bash itself starts is what was read: every program, with the very words it gets, or the line is opaque.

`make fuzz` holds more lines against bash, for as long as one likes.
"""

from itertools import islice

import pytest
from hypothesis import HealthCheck, given, settings

from interlock.facts.shell import read_shell
from tests.facts.shell.lines import LINES, SETTING
from tools.fuzz.box import Box, why_not
from tools.fuzz.judge import judge, read
from tools.fuzz.lines import entries
from tools.fuzz.session import Session, lines_of

REASON = why_not()
pytestmark = pytest.mark.skipif(bool(REASON), reason=REASON or "there is a box")
SEEDS = (1, 2, 3, 4)
LINES_OF_A_SEED = 120
# What is opaque hides nothing, but a reader that calls everything so would be of no use.
MOST_OPAQUE = 0.45
MOST_REFUSED = 0.3


@pytest.fixture(scope="module")
def box():
    with Box() as made:
        yield made


@pytest.mark.parametrize("seed", SEEDS)
def test_every_program_of_generated_lines_was_read(box, seed):
    session = Session(box)
    holes = [hole for line, dash in islice(lines_of(seed), LINES_OF_A_SEED) for hole in session.hold(line, dash=dash)]
    assert [session.shorten(hole) for hole in holes] == []
    tally = session.tally
    assert tally.opaque < MOST_OPAQUE * tally.lines
    assert tally.refused < MOST_REFUSED * tally.lines
    assert tally.programs > tally.lines


@pytest.mark.parametrize("title", entries("holes.txt"))
def test_every_program_of_a_line_that_was_a_hole_was_read(box, title):
    line = entries("holes.txt")[title]
    session = Session(box)
    assert session.look(line, dash=False) + session.look(line, dash=True) == []


@pytest.mark.parametrize("title", entries("usual.txt"))
def test_usual_lines_are_read_to_the_end(box, title):
    line = entries("usual.txt")[title]
    assert Session(box).look(line, dash=False) == []
    assert read(line).why == ()


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(LINES)
def test_lines_of_every_construct_are_read_and_not_opaque(box, line):
    ran = box.run(SETTING + line)
    if not ran.refused and not ran.late:
        reading = read(SETTING + line)
        assert judge(reading._replace(why=(), files=()), ran) == ((), ())
        shell = read_shell(SETTING + line)
        assert shell.reasons == () or "the program is not known" in shell.reasons[0]
