"""The daemon's memory with many rules, early and after many events. It takes minutes, so it is run once."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path

from bench.daemons import Home, Links
from bench.measure import progress, scratch_folder
from bench.rows import Part, Row, Run, Values

_EVENTS, _EARLY, _HOSTS = 100_000, 1_000, 16
ROWS = {
    "memory": Row("memory with 1,000 rules", 70, "MB"),
    "growth": Row(f"  after {_EVENTS:,} events / after {_EARLY:,}", 1.05),
    "event": Row(f"  an event on {_HOSTS} connections", unit="us"),
}


@contextlib.contextmanager
def _opens() -> Iterator[Run]:
    with scratch_folder() as folder:
        home = Home(Path(folder, "memory"), rules=1000)
        pid = home.serve()
        try:
            yield lambda: _run(home, pid)
        finally:
            home.stop()


def _run(home: Home, pid: int) -> Values:
    answered = 0
    early = 0.0

    def note() -> None:
        nonlocal answered, early
        answered += 1
        if answered == _EARLY:
            early = _resident(pid)
        if answered % 20_000 == 0:
            progress(f"{answered:,} events, {_resident(pid):.1f} MB")

    start = time.perf_counter()
    with contextlib.closing(Links(home, _HOSTS)) as links:
        links.run([_calls(home, host) for host in range(_HOSTS)], note)
        late, took = _resident(pid), time.perf_counter() - start
    return {"memory": max(early, late), "growth": late / early, "event": took / _EVENTS * 1e6}


def _calls(home: Home, host: int) -> Iterator[bytes]:
    """Calls, each with its result, a thousand events in each session."""
    for call in range(_EVENTS // _HOSTS // 2):
        session = f"{host}-{call // 500}"
        yield home.request(home.event("PreToolUse", session, call))
        yield home.request(home.event("PostToolUse", session, call), "PostToolUse")


def _resident(pid: int) -> float:
    """The memory of a process, in megabytes."""
    for line in Path(f"/proc/{pid}/status").read_text("ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise AssertionError(f"process {pid} has no memory")


PART = Part("memory", ROWS, _opens, once=True)
