"""`make bench`: measure, and print a line for each row."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
from pathlib import Path
from typing import Any

from bench.checkouts import another, this_one
from bench.child import PARTS
from bench.drive import NotMeasured, measure
from bench.measure import progress
from bench.report import as_json, lines


def main() -> int:
    """Returns 1 if a part could not be measured by a fault; a row that is SHORT is no failure of the bench."""
    options = _options()
    _warn_if_busy()
    rows: list[dict[str, Any]] = []
    is_faulty = False
    with contextlib.ExitStack() as stack:
        base = stack.enter_context(another(options.base)) if options.base else None
        for part in options.parts or PARTS:
            try:
                found = measure(part, options.runs, this_one(), base)
            except NotMeasured as why:
                print(f"{part}: {why}", flush=True)
                is_faulty |= why.is_fault
                continue
            print("\n".join([*lines(found, compared=base is not None), *found.faults]), flush=True)
            rows += as_json(found)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return int(is_faulty)


def _warn_if_busy() -> None:
    """Rows that wait for processes or the disk are not worth much on a machine that does other things."""
    load, cores = os.getloadavg()[0], os.cpu_count() or 1
    if load > cores / 2:
        progress(f"this machine is busy (load {load:.1f} on {cores} cores): figures will be unsteady")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench", description="Measure how fast Interlock is, as ratios in one run.")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"measure these alone: {', '.join(PARTS)}")
    parser.add_argument("--runs", type=_positive, default=5, metavar="N", help="run every row N times (default: 5)")
    parser.add_argument("--base", metavar="COMMIT", help="compare with this commit, measured in the same run")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the value of every run to FILE")
    options = parser.parse_args()
    for part in options.parts:
        if part not in PARTS:
            parser.error(f"there is no part called `{part}`; there are {', '.join(PARTS)}")
    return options


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("at least one run is needed")
    return number


if __name__ == "__main__":
    raise SystemExit(main())
