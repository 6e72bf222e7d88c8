"""Compare two checkouts of Interlock: what each answers to every row of the corpora and to every golden event.

A rebuild that is meant to change nothing must not change a verdict, a reason, a fact or a byte of a reply.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

HERE = Path(__file__).resolve().parent.parent
_CHILD = Path(__file__).resolve().with_name("checkout_answers.py")
_ABSENT = "(absent)"
_EXAMPLES = """
examples:
  python tools/compare.py ../interlock-before
      the golden events only
  python tools/compare.py ../interlock-before --corpora ~/corpora
      the golden events, and every row of every *.jsonl in ~/corpora
  python tools/compare.py ../interlock-before --corpora ~/corpora --json > differences.json
      the differences for a program to read
  python tools/compare.py ../interlock-before --corpora ~/corpora --without reasons
      after sentences were edited: only verdicts, rules and facts
  python tools/compare.py ../interlock-before --this ../interlock-after
      two other checkouts, with the golden events of the second

A row is a JSON object with a `command`. It is judged as the first call of a session in an imaginary project, under the
packs `guarded` and `strict`. Golden events are those of the second checkout. Exit 1 if anything differs, 2 if a
checkout could not be asked.
"""


class Difference(NamedTuple):
    """One part of one answer that is not the same in both checkouts."""

    key: str  # the row or the golden event
    part: str  # where in the answer, with dots
    before: Any
    after: Any


def _give_up(message: str) -> NoReturn:
    sys.stderr.write(f"error: {message}\n")
    raise SystemExit(2)


def differences(before: Any, after: Any, key: str = "", part: str = "") -> Iterator[Difference]:
    """Every part in which two answers differ, as deep as both are objects."""
    if isinstance(before, dict) and isinstance(after, dict):
        for name in sorted(before.keys() | after.keys()):
            inner = f"{part}.{name}" if part else name
            yield from differences(before.get(name, _ABSENT), after.get(name, _ABSENT), key, inner)
    elif before != after:
        yield Difference(key, part, before, after)


def compare_files(before: Path, after: Path) -> tuple[int, list[Difference]]:
    """How many answers two children wrote, and where they differ. Both were asked the same things in the same order."""
    found: list[Difference] = []
    count = 0
    with before.open(encoding="utf-8") as first, after.open(encoding="utf-8") as second:
        for one, other in zip_longest(first, second):
            count += 1
            if one is None or other is None:
                _give_up("one checkout answered less than the other")
            if one != other:
                (key, left), (_, right) = json.loads(one), json.loads(other)
                found += differences(left, right, key)
    return count, found


def find_goldens(checkout: Path) -> Path:
    """The folder of golden events, wherever the tests keep it."""
    found = sorted(checkout.glob("tests/**/golden/events"))
    if len(found) != 1:
        _give_up(f"{checkout} has {len(found)} folders tests/**/golden/events; one is needed")
    return found[0]


def start_child(checkout: Path, goldens: Path, corpora: Path | None, output: Path) -> subprocess.Popen[bytes]:
    """Have one checkout answer everything, with the packages of its own environment if it has one."""
    own = checkout / ".venv/bin/python"
    source = checkout / "src"
    if not (source / "interlock").is_dir():
        _give_up(f"{checkout} is not a checkout of Interlock: it has no src/interlock")
    with output.open("wb") as stdout:
        return subprocess.Popen(
            [str(own if own.exists() else sys.executable), str(_CHILD), str(source), str(goldens), str(corpora or "")],
            stdout=stdout,
            stdin=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": str(source), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0"},
            cwd=output.parent,
        )


def compare(before: Path, after: Path, corpora: Path | None) -> tuple[int, list[Difference]]:
    """Ask both checkouts at once and compare their answers."""
    if corpora is not None and not any(corpora.glob("*.jsonl")):
        _give_up(f"{corpora} has no *.jsonl files")
    goldens = find_goldens(after)
    with tempfile.TemporaryDirectory(prefix="interlock-compare-") as folder:
        files = [Path(folder) / name for name in ("before.jsonl", "after.jsonl")]
        children: list[subprocess.Popen[bytes]] = []
        try:
            for checkout, file in zip((before, after), files, strict=True):
                children.append(start_child(checkout, goldens, corpora, file))
            codes = [child.wait() for child in children]
        finally:
            for child in children:
                if child.poll() is None:
                    child.kill()
        if any(codes):
            _give_up(f"{before if codes[0] else after} could not be asked")
        return compare_files(*files)


def render(found: Sequence[Difference]) -> str:
    """The differences as text, those of one row together."""
    lines: list[str] = []
    last = ""
    for one in found:
        if one.key != last:
            lines.append(one.key)
            last = one.key
        lines += [f"  {one.part}", f"    - {json.dumps(one.before)}", f"    + {json.dumps(one.after)}"]
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="compare.py",
        description="Compare what two checkouts of Interlock answer to every corpus row and every golden event.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("other", type=Path, help="the checkout to compare with, for example one from before a change")
    parser.add_argument("--this", type=Path, default=HERE, help="the checkout with the change (default: this one)")
    parser.add_argument("--corpora", type=Path, help="a folder of *.jsonl files, each line with a `command`")
    parser.add_argument("--without", action="append", default=[], metavar="PART", help="leave a part of answers out")
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")
    given = parser.parse_args(arguments)
    corpora = given.corpora.resolve() if given.corpora else None
    count, found = compare(given.other.resolve(), given.this.resolve(), corpora)
    found = [one for one in found if one.part.rpartition(".")[2] not in given.without]
    rows = len({one.key for one in found})
    if given.json:
        print(json.dumps({"answers": count, "different": rows, "differences": [one._asdict() for one in found]}))
    else:
        if found:
            print(render(found))
        print(
            f"{count:,} answers compared, {rows:,} different" if rows else f"{count:,} answers compared, all the same"
        )
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
