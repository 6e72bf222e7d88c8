"""Parts are measured in child processes, whose runs are interleaved, and whose faults are told."""

from __future__ import annotations

import sys
from pathlib import Path
from textwrap import dedent

import pytest

from bench.checkouts import Checkout
from bench.drive import Measured, NotMeasured, measure

# What a bench of the same protocol needs to have: a module that answers lines.
CHILD = """
import json, sys
from pathlib import Path
here = Path(__file__).resolve().parent.parent
log = here.parent / "log"
def say(**what): print(json.dumps(what), flush=True)
{before}
say(protocol=1, rows={{"row": {{"name": "a row", "target": 3, "unit": "x", "reference": False}}}},
    once={once}, package=str({package}))
for line in sys.stdin:
    with log.open("a") as file: file.write(here.name + "\\n")
    {run}
"""


def _checkout(
    folder: Path, *, before: str = "", run: str = "say(values={'row': 1.0})", once: bool = False, package: str = ""
) -> Checkout:
    (folder / "src" / "interlock").mkdir(parents=True)
    (folder / "bench").mkdir()
    (folder / "bench" / "__init__.py").touch()
    where = package or "here / 'src' / 'interlock'"
    text = CHILD.format(before=before, run=run, once=once, package=where)
    (folder / "bench" / "child.py").write_text(dedent(text), encoding="utf-8")
    return Checkout(folder, Path(sys.executable), ((folder, ()),))


def test_the_runs_of_two_checkouts_alternate_and_change_places(tmp_path):
    found = measure("part", 3, _checkout(tmp_path / "now"), _checkout(tmp_path / "base"))
    assert (tmp_path / "log").read_text().split() == ["base", "now", "now", "base", "base", "now"]
    assert (found.now, found.base) == ({"row": [1.0] * 3}, {"row": [1.0] * 3})


def test_a_part_that_says_so_runs_once(tmp_path):
    assert measure("part", 5, _checkout(tmp_path / "now", once=True)).now == {"row": [1.0]}


def test_a_base_that_cannot_be_measured_leaves_this_checkout_measured(tmp_path):
    base = _checkout(tmp_path / "base", before="say(failed='ImportError: no such name'); sys.exit()")
    found = measure("part", 2, _checkout(tmp_path / "now"), base)
    assert (found.now, found.base) == ({"row": [1.0, 1.0]}, {})
    assert found.faults == ["part cannot be measured on the base: ImportError: no such name"]


def test_a_base_that_fails_on_the_way_has_no_values_at_all(tmp_path):
    run = "say(values={'row': 1.0}) if len(log.read_text().split()) < 3 else sys.exit(7)"
    found = measure("part", 3, _checkout(tmp_path / "now"), _checkout(tmp_path / "base", run=run))
    assert (found.now, found.base) == ({"row": [1.0] * 3}, {})
    assert found.faults == ["part cannot be measured on the base: its process ended with 7"]


def test_where_the_bases_own_bench_fails_this_one_is_tried(tmp_path):
    ours, broken = _checkout(tmp_path / "now"), _checkout(tmp_path / "base", before="sys.exit(1)")
    other = _checkout(tmp_path / "other", package="here.parent / 'base' / 'src' / 'interlock'")
    base = Checkout(broken.root, broken.python, (*broken.benches, *other.benches))
    assert measure("part", 1, ours, base).base == {"row": [1.0]}


def test_a_skipped_part_is_no_fault_and_a_failed_one_is(tmp_path):
    skipping = _checkout(tmp_path / "a", before="say(skipped='no client here'); sys.exit()")
    failing = _checkout(tmp_path / "b", run="say(failed='ValueError: x')")
    with pytest.raises(NotMeasured, match="skipped: no client here") as skipped:
        measure("part", 1, skipping)
    with pytest.raises(NotMeasured, match="ValueError: x") as failed:
        measure("part", 1, failing)
    assert (skipped.value.is_fault, failed.value.is_fault) == (False, True)


def test_measuring_another_package_than_the_checkouts_own_is_refused(tmp_path):
    with pytest.raises(NotMeasured, match="would be measured, not"):
        measure("part", 1, _checkout(tmp_path / "now", package="here"))


def test_rows_keep_what_the_child_says_of_them(tmp_path):
    found: Measured = measure("part", 1, _checkout(tmp_path / "now"))
    assert [(key, row.name, row.target) for key, row in found.rows.items()] == [("row", "a row", 3)]
