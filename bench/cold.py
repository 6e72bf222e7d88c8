"""The rows of a cold start: the first event of a session, for which a daemon has to be started."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from bench.daemons import Home
from bench.measure import scratch_folder, shuffled
from bench.rows import Part, Row, Run, Values
from bench.session import BARE, ask

_TIMES = 5
ROWS = {
    "cold": Row("cold start of the daemon / python -I -S -c pass", 15),
    "cold ms": Row("  cold start", unit="ms"),
}


@contextlib.contextmanager
def _opens() -> Iterator[Run]:
    with scratch_folder() as folder:
        home = Home(Path(folder, "cold"))
        _cold(home)  # its bytecode is compiled, and the disk has been read
        yield lambda: _run(home)


def _run(home: Home) -> Values:
    median = shuffled({"bare": lambda: ask(home, BARE), "cold": lambda: _cold(home)}, _TIMES)
    return {"cold": median["cold"] / median["bare"], "cold ms": median["cold"] * 1e3}


def _cold(home: Home) -> float:
    try:
        return ask(home)
    finally:
        home.stop()


PART = Part("cold", ROWS, _opens)
