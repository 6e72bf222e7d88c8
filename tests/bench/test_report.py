"""Rows are judged by their quartiles, and two checkouts by the ratio of neighbouring runs."""

from __future__ import annotations

from bench.drive import Measured
from bench.report import as_json, lines, verdict_of
from bench.rows import Row, Spread


def _line(row: Row, now: list[float], base: list[float] | None = None) -> list[str]:
    found = Measured("part", {"row": row}, {"row": now}, {} if base is None else {"row": base})
    return lines(found, compared=base is not None)[0].split("  ")


def test_a_row_shows_the_median_and_the_quartiles_of_its_runs():
    assert str(Spread.of([5, 1, 4, 2, 3])) == "3.00 [2.00–4.00]"


def test_a_row_that_ran_once_has_no_spread():
    assert str(Spread.of([1234.5])) == "1234 [1234–1234]"


def test_a_row_is_short_only_if_its_lower_quartile_is_over_the_target():
    row = Row("name", 3)
    assert verdict_of(row, Spread.of([3.0, 3.0, 9.0, 9.0, 9.0])) == "ok"
    assert verdict_of(row, Spread.of([3.0, 3.1, 9.0, 9.0, 9.0])) == "SHORT"


def test_a_row_without_a_target_is_not_judged():
    assert verdict_of(Row("name"), Spread.of([1e9])) == "-"


def test_a_line_gives_name_figure_target_and_verdict():
    words = [word.strip() for word in _line(Row("a name", 8, "ms"), [7.0, 8.0, 9.0]) if word.strip()]
    assert words == ["a name", "8.00 [7.50–8.50] ms", "≤ 8 ms", "ok"]


def test_a_compared_line_gives_both_sides_and_their_ratio():
    words = [word.strip() for word in _line(Row("a name", 8), [4.0, 4.0, 4.0], [2.0, 2.0, 2.0]) if word.strip()]
    assert words == [
        "a name", "base 2.00 [2.00–2.00]", "now 4.00 [4.00–4.00]", "ratio 2.00 [2.00–2.00]", "SLOWER", "≤ 8", "ok",
    ]  # fmt: skip


def test_a_row_is_slower_only_if_the_lower_quartile_of_its_ratio_is_over_the_noise():
    base = [1.0] * 5
    assert "SLOWER" in " ".join(_line(Row("n"), [1.0, 1.11, 1.2, 1.2, 1.2], base))
    assert "SLOWER" not in " ".join(_line(Row("n"), [1.0, 1.1, 1.2, 1.2, 1.2], base))


def test_neighbouring_runs_are_compared_and_not_the_medians():
    """A machine that becomes slow half-way slows both sides of a run."""
    assert "ratio 1.00 [1.00–1.00]" in " ".join(_line(Row("n"), [1.0, 9.0, 9.0], [1.0, 9.0, 9.0]))


def test_a_thing_that_interlock_has_no_part_in_is_never_slower():
    assert "SLOWER" not in " ".join(_line(Row("n", reference=True), [9.0, 9.0], [1.0, 1.0]))


def test_a_row_that_the_base_does_not_have_prints_a_dash():
    found = Measured("part", {"row": Row("n", 3)}, {"row": [1.0, 1.0]}, {})
    words = [word.strip() for word in lines(found, compared=True)[0].split("  ") if word.strip()]
    assert words == ["n", "base -", "now 1.00 [1.00–1.00]", "ratio -", "-", "≤ 3", "ok"]


def test_a_difference_that_was_lost_in_the_noise_has_no_ratio():
    assert "ratio -" in " ".join(_line(Row("n"), [1.0, 1.0], [-0.1, 1.0]))


def test_the_json_holds_every_run():
    found = Measured("part", {"row": Row("  n", 3, "ms")}, {"row": [4.0, 5.0]}, {"row": [1.0, 1.0]})
    assert as_json(found) == [
        {
            "part": "part", "row": "row", "name": "n", "unit": "ms", "target": 3, "now": [4.0, 5.0],
            "base": [1.0, 1.0], "verdict": "SHORT", "slower": True,
        }
    ]  # fmt: skip
