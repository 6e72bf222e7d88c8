"""`make fuzz`: hold the shell reader against bash, for as many lines as one likes."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from itertools import islice

from tools.fuzz.box import Box, why_not
from tools.fuzz.judge import judge, read
from tools.fuzz.lines import entries
from tools.fuzz.session import Hole, Session, lines_of

_EXAMPLES = """
examples:
  make fuzz
      2,000 lines, always the same ones
  make fuzz SEED=7 LINES=50000
      other lines, and more of them
  python -m tools.fuzz --seed 7 --lines 5000 --json > holes.json
      each hole as one object on a line
  python -m tools.fuzz --line 'bash <<< "ls a"'
      hold one line, and say what bash started and what was read
  python -m tools.fuzz --kept
      only the lines of tools/fuzz/holes.txt and usual.txt

A line is run by bash in a box of its own, where every program is a stub that notes its words, and it is read as a call
of an agent is. A hole is a program that bash started and that is not among the commands read, though nothing says that
the line cannot be read; `words` is a program that got other words than were read. Exit 1 if there was a hole.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    given = _parser().parse_args(arguments)
    reason = why_not()
    if reason:
        sys.stderr.write(f"error: {reason}\n")
        return 2
    with Box() as box:
        session = Session(box)
        if given.line is not None:
            return _show_line(box, given.line, dash=given.dash)
        lines = ((line, False) for file in ("holes.txt", "usual.txt") for line in entries(file).values())
        made = lines if given.kept else islice(lines_of(given.seed), given.lines)
        shown: set[str] = set()
        holes = 0
        for at, (line, dash) in enumerate(made):
            found = session.hold(line, dash=dash)
            holes += bool(found)
            if found and len(shown) < given.most:
                _show(session.shorten(found[0]) if not given.whole else found[0], shown, as_json=given.json)
            if at % 1000 == 999:
                sys.stderr.write(f"{holes} holes in {session.tally.as_text()}\n")
        sys.stderr.write(f"seed {given.seed}: {holes} holes in {session.tally.as_text()}\n")
    return 1 if holes else 0


def _show(hole: Hole, shown: set[str], *, as_json: bool) -> None:
    if hole.line in shown:
        return
    shown.add(hole.line)
    if as_json:
        print(json.dumps(hole._asdict(), ensure_ascii=False), flush=True)
    else:
        print(f"%% {hole.kind} {hole.program}{' (sh is dash)' if hole.dash else ''}\n{hole.line}", flush=True)


def _show_line(box: Box, line: str, *, dash: bool) -> int:
    ran, reading = box.run(line, dash=dash), read(line)
    for started in ran.started:
        print("started:", *map(repr, started.words))
    for command in reading.commands:
        print("read:   ", *map(repr, (command.program, *command.args)))
    print("why there may be more:", "; ".join((*reading.why, *reading.files)) or "-")
    found = judge(reading, ran)
    print("missed: ", *(one.name for one in (*found.missed, *found.changed)))
    sys.stderr.write(ran.errors)
    return 1 if found.missed or found.changed else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tools.fuzz",
        description="Hold the shell reader against bash.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--seed", type=int, default=1, help="which lines are made (default: 1)")
    parser.add_argument("--lines", type=int, default=2000, help="how many (default: 2000)")
    parser.add_argument("--most", type=int, default=200, help="how many holes are shown (default: 200)")
    parser.add_argument("--whole", action="store_true", help="do not shorten the lines that are shown")
    parser.add_argument("--kept", action="store_true", help="only the lines that are kept")
    parser.add_argument("--line", help="hold one line")
    parser.add_argument("--dash", action="store_true", help="with --line: `sh` is dash")
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")
    return parser


if __name__ == "__main__":
    sys.exit(main())
