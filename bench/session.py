"""The rows of a guarded session: the spawned client, HTTP connections that are kept, and many at once."""

from __future__ import annotations

import contextlib
import os
import random
import sqlite3
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from bench.daemons import Home, Links, spawned, spawned_together
from bench.events import EVENT, encoded
from bench.measure import scratch_folder, shuffled
from bench.rows import Part, Row, Run, Values

BARE = [sys.executable, "-I", "-S", "-c", "pass"]
_TRUE = ["/bin/true"]
_SPAWNS, _BURSTS, _MANY = 25, 3, 64
_HTTP_BLOCKS, _HTTP_CALLS = 10, 15
_HTTP = 0.8  # of spawning `true`
ROWS = {
    "spawned off": Row("client + daemon, record off / python -I -S -c pass", 1.15),
    "spawned on": Row("  with the record", 1.25),
    "bare": Row("  python -I -S -c pass", unit="ms", reference=True),
    "http off": Row("HTTP, kept alive, record off / spawning /bin/true", _HTTP),
    "http on": Row("  with the record / that target plus two bare FULL commits", 1),
    "http off us": Row("  HTTP, record off", unit="us"),
    "http on us": Row("  HTTP, with the record", unit="us"),
    "computed off": Row("  computing time of the daemon, record off", unit="us"),
    "computed on": Row("  computing time of the daemon, with the record", unit="us"),
    "true": Row("  spawning /bin/true", unit="us", reference=True),
    "commit": Row("  bare FULL commit", unit="us", reference=True),
    "burst": Row(f"{_MANY} clients at once / {_MANY} of -c pass", 1.15),
    "p99": Row(f"p99 of {_MANY} connections / {_MANY} x the median of one", 1),
    "p99 ms": Row("  p99", unit="ms"),
}


@contextlib.contextmanager
def _opens() -> Iterator[Run]:
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(scratch_folder())
        homes = {}
        for name in ("on", "off"):
            homes[name] = Home(folder / name)
            stack.callback(homes[name].stop)
            homes[name].serve(record=name == "on")
            ask(homes[name])  # hot
        commit = stack.enter_context(_bare_commits(folder / "bare.db"))
        on, off = homes["on"], homes["off"]
        yield lambda: {**_spawning(on, off), **_kept_alive(on, off, commit), **_burst(on), **_crowd(on)}


# --- one at a time ---------------------------------------------------------------------------------------------------


def ask(home: Home, command: list[str] | None = None) -> float:
    """Spawn a client, or another command with the same files, and see that it was answered."""
    stdin, stdout = home.folder / "stdin", home.folder / "stdout"
    stdin.write_bytes(home.event())
    took = spawned(command or home.command(), stdin, stdout)
    assert command is not None or stdout.read_bytes() == b"{}", stdout.read_bytes()
    return took


def _spawning(on: Home, off: Home) -> Values:
    tasks = {"bare": lambda: ask(on, BARE), "on": lambda: ask(on), "off": lambda: ask(off)}
    median = shuffled(tasks, _SPAWNS)
    return {
        "spawned off": median["off"] / median["bare"],
        "spawned on": median["on"] / median["bare"],
        "bare": median["bare"] * 1e3,
    }


def _kept_alive(on: Home, off: Home, commit: Callable[[], float]) -> Values:
    null = Path(os.devnull)
    with contextlib.closing(Links(on, 1)) as to_on, contextlib.closing(Links(off, 1)) as to_off:
        to_on.run([on.requests(2)])  # who is at the other end of a connection is found out once
        to_off.run([off.requests(2)])
        tasks: dict[str, Callable[[], list[float]]] = {
            "true": lambda: [spawned(_TRUE, null, null) for _ in range(_HTTP_CALLS)],
            "commit": lambda: [commit() for _ in range(_HTTP_CALLS)],
            "on": lambda: to_on.run([on.requests(_HTTP_CALLS)]),
            "off": lambda: to_off.run([off.requests(_HTTP_CALLS)]),
        }
        found: dict[str, list[float]] = {name: [] for name in tasks}
        before = {"on": on.computed(), "off": off.computed()}
        for _ in range(_HTTP_BLOCKS):
            for name in random.sample(list(tasks), len(tasks)):
                found[name] += tasks[name]()
        computed = {"on": on.computed() - before["on"], "off": off.computed() - before["off"]}
    median = {name: statistics.median(took) for name, took in found.items()}
    return {
        "http off": median["off"] / median["true"],
        "http on": median["on"] / (_HTTP * median["true"] + 2 * median["commit"]),
        **{f"http {name} us": median[name] * 1e6 for name in ("off", "on")},
        **{f"computed {name}": spent / len(found[name]) * 1e6 for name, spent in computed.items()},
        **{name: median[name] * 1e6 for name in ("true", "commit")},
    }


@contextlib.contextmanager
def _bare_commits(file: Path) -> Iterator[Callable[[], float]]:
    """One row of an event's size, committed to the disk as records are."""
    raw = encoded(EVENT)
    with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("CREATE TABLE record (sequence INTEGER PRIMARY KEY, body, raw)")

        def commit() -> float:
            start = time.perf_counter()
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("INSERT INTO record (body, raw) VALUES (?, ?)", (raw, raw))
            connection.execute("COMMIT")
            return time.perf_counter() - start

        yield commit


# --- many ------------------------------------------------------------------------------------------------------------


def _burst(home: Home) -> Values:
    files = [(home.folder / f"stdin{number}", home.folder / f"stdout{number}") for number in range(_MANY)]

    def burst(command: list[str]) -> float:
        for stdin, _ in files:
            stdin.write_bytes(home.event())
        return spawned_together(command, files)

    def clients() -> float:
        took = burst(home.command())
        assert {stdout.read_bytes() for _, stdout in files} == {b"{}"}
        return took

    median = shuffled({"bare": lambda: burst(BARE), "clients": clients}, _BURSTS)
    return {"burst": median["clients"] / median["bare"]}


def _crowd(home: Home) -> Values:
    with contextlib.closing(Links(home, 1)) as one, contextlib.closing(Links(home, _MANY)) as many:
        many.run([home.requests(2, f"many-{number}") for number in range(_MANY)])  # hot
        alone = one.run([home.requests(150, "one")])
        together = many.run([home.requests(30, f"many-{number}") for number in range(_MANY)])
    worst = statistics.quantiles(together, n=100)[98]
    return {"p99": worst / (_MANY * statistics.median(alone)), "p99 ms": worst * 1e3}


PART = Part("session", ROWS, _opens)
