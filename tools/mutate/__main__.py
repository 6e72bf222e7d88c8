"""`make mutate`: a bounded, seeded mutation run."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tools.mutate.report import as_json, as_text, diff_of, kill_rate, place_of
from tools.mutate.rooms import ROOMS
from tools.mutate.run import Laboratory, NotGreenError, Tried
from tools.mutate.sample import choose

_CHECKOUT = Path(__file__).resolve().parent.parent.parent
_EXAMPLES = """
examples:
  make mutate
      60 mutants of all rooms, always the same ones
  make mutate SEED=7 COUNT=20 ONLY=receipts
      20 other mutants of one room
  python -m tools.mutate --only verdict --only fold --together
      then apply all survivors at once: tests that notice none of them alone may notice them together
  python -m tools.mutate --only gate --count 5 --list
      only print the mutants
  python -m tools.mutate --minutes 20 --fail-under 90 --json > mutants.json
      stop after 20 minutes, exit 1 if less than 90 % were noticed

Each mutant is a small change: a flipped comparison, a dropped condition, statement or element, another default. It is
made in a copy of this checkout, and the tests of its room run until one fails. tools/mutate/rooms.py says which tests.
A survivor is a change that no test noticed. Look at each: some change nothing that anybody could see, the others need
a test. Exit 2 if the tests fail without any mutant.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    given = _parser().parse_args(arguments)
    rooms = {name: ROOMS[name] for name in given.only} if given.only else dict(ROOMS)
    chosen = choose(_CHECKOUT, rooms, given.count, given.seed)
    if given.list:
        for one in chosen:
            print(diff_of(one.mutant, _CHECKOUT))
        return 0
    until = time.monotonic() + given.minutes * 60
    with tempfile.TemporaryDirectory(prefix="interlock-mutate-", ignore_cleanup_errors=True) as folder:
        options = [f"--hypothesis-seed={given.seed}"]
        laboratory = Laboratory(_CHECKOUT, rooms, Path(folder), given.processes, options)
        try:
            laboratory.check_green(list(dict.fromkeys(one.room for one in chosen)))
        except NotGreenError as error:
            sys.stderr.write(f"error: {error}\n")
            return 2
        tried = laboratory.try_all(chosen, until, _show_progress)
        survivors = [one.chosen for one in tried if one.outcome == "survived"]
        together = laboratory.try_together(survivors) if given.together and survivors else None
    print(as_json(tried, _CHECKOUT, together, given.seed) if given.json else as_text(tried, _CHECKOUT, together))
    return 1 if kill_rate(tried) * 100 < given.fail_under else 0


def _show_progress(one: Tried) -> None:
    noticed = f"  {one.noticed_by}" if one.noticed_by else ""
    sys.stderr.write(f"{one.outcome:9}{one.seconds:6.1f}s  {place_of(one)}{noticed}\n")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tools.mutate",
        description="Change the code a little, many times, and see whether the tests notice.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--seed", type=int, default=1, help="which mutants are chosen (default: 1)")
    parser.add_argument("--count", type=int, default=60, help="how many mutants, shared among the rooms (default: 60)")
    parser.add_argument("--only", action="append", choices=list(ROOMS), help="only this room; may be repeated")
    parser.add_argument("--minutes", type=float, default=120, help="begin no mutant after this time (default: 120)")
    parser.add_argument("--processes", type=int, default=2, help="how many test runs at once (default: 2)")
    parser.add_argument("--together", action="store_true", help="at the end, apply all survivors at once")
    parser.add_argument("--fail-under", type=float, default=0, help="exit 1 if fewer percent were noticed")
    parser.add_argument("--list", action="store_true", help="print the mutants as diffs and run nothing")
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")
    return parser


if __name__ == "__main__":
    sys.exit(main())
