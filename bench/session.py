"""The figures of a guarded session: the spawned client, HTTP, many at once, memory, and the real client."""

from __future__ import annotations

import contextlib
import json
import os
import random
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

from bench.daemons import Home, Links, spawned, spawned_together
from bench.measure import Figure
from bench.protocol import EVENT
from bench.real import added
from interlock.hosts.claude_code.address import web_entry

_BARE = [sys.executable, "-I", "-S", "-c", "pass"]
_TRUE = ["/bin/true"]
_SPAWNS = 120
_COLD = 15
_HTTP_BLOCKS, _HTTP_CALLS = 40, 15
_MANY = 64
_BURSTS = 9
_EVENTS, _EARLY, _HOSTS = 100_000, 1_000, 16
_SESSIONS, _CALLS = 8, 30


def figures() -> Iterator[Figure | str]:
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=Path.cwd())))  # the project's disk, no tmpfs
        homes = {}
        for name in ("on", "off"):
            homes[name] = Home(folder / name)
            homes[name].serve(record=name == "on")
            stack.callback(homes[name].stop)
        yield from _spawning(homes["on"], homes["off"])
        yield from _kept_alive(homes["on"], homes["off"])
        yield from _at_once(homes["on"])
        yield from _cold(folder / "cold")
        yield from _memory(folder / "memory")
        yield from _real(folder / "real")


# --- one at a time ---------------------------------------------------------------------------------------------------


def _spawning(on: Home, off: Home) -> Iterator[Figure]:
    _progress("spawning clients")
    tasks = {"bare": lambda: _ask(on, _BARE), "on": lambda: _ask(on), "off": lambda: _ask(off)}
    median = _shuffled(tasks, _SPAWNS)
    yield Figure("client + daemon, record off / python -I -S -c pass", median["off"] / median["bare"], 1.15)
    yield Figure("  with the record", median["on"] / median["bare"], 1.25)
    yield Figure("  python -I -S -c pass", median["bare"] * 1e3, unit="ms")


def _ask(home: Home, command: list[str] | None = None) -> float:
    """Spawn a client, or another command with the same files, and see that it was answered."""
    stdin, stdout = home.folder / "stdin", home.folder / "stdout"
    stdin.write_bytes(home.event())
    took = spawned(command or home.command(), stdin, stdout)
    assert command is not None or stdout.read_bytes() == b"{}", stdout.read_bytes()
    return took


def _shuffled(tasks: dict[str, Callable[[], float]], times: int) -> dict[str, float]:
    """The median of what each task took, in a new order every time so that noise falls on all alike."""
    found: dict[str, list[float]] = {name: [] for name in tasks}
    order = list(tasks)
    for task in tasks.values():
        task()  # hot
    for _ in range(times):
        random.shuffle(order)
        for name in order:
            found[name].append(tasks[name]())
    return {name: statistics.median(took) for name, took in found.items()}


def _cold(folder: Path) -> Iterator[Figure]:
    _progress("starting daemons")
    home = Home(folder)

    def cold() -> float:
        try:
            return _ask(home)
        finally:
            home.stop()

    median = _shuffled({"bare": lambda: _ask(home, _BARE), "cold": cold}, _COLD)
    yield Figure("cold start of the daemon / python -I -S -c pass", median["cold"] / median["bare"], 15)
    yield Figure("  cold start", median["cold"] * 1e3, unit="ms")


def _kept_alive(on: Home, off: Home) -> Iterator[Figure]:
    _progress("asking over HTTP")
    null = Path(os.devnull)
    with _bare_commits(on.folder / "bare.db") as commit:
        links = {"on": (on, Links(on, 1)), "off": (off, Links(off, 1))}
        tasks: dict[str, Callable[[], list[float]]] = {
            "true": lambda: [spawned(_TRUE, null, null) for _ in range(_HTTP_CALLS)],
            "commit": lambda: [commit() for _ in range(_HTTP_CALLS)],
        }
        for name, (home, link) in links.items():
            tasks[name] = lambda home=home, link=link: link.run([_requests(home, _HTTP_CALLS)])  # type: ignore[misc]
        found: dict[str, list[float]] = {name: [] for name in tasks}
        order = list(tasks)
        for _ in range(_HTTP_BLOCKS):
            random.shuffle(order)
            for name in order:
                found[name] += tasks[name]()
        for _, link in links.values():
            link.close()
    median = {name: statistics.median(took) for name, took in found.items()}
    yield Figure("HTTP, kept alive, record off / spawning /bin/true", median["off"] / median["true"], 0.8)
    allowed = 0.8 * median["true"] + 2 * median["commit"]
    yield Figure("  with the record / that target plus two bare FULL commits", median["on"] / allowed, 1)
    for name, what in (("off", "HTTP, record off"), ("on", "HTTP, with the record")):
        yield Figure(f"  {what}", median[name] * 1e6, unit="us")
    yield Figure("  spawning /bin/true", median["true"] * 1e6, unit="us")
    yield Figure("  bare FULL commit", median["commit"] * 1e6, unit="us")


def _requests(home: Home, count: int, session: str = "bench") -> Iterator[bytes]:
    return (home.request(home.event(session=session)) for _ in range(count))


@contextlib.contextmanager
def _bare_commits(file: Path) -> Iterator[Callable[[], float]]:
    """One row of an event's size, committed to the disk as our records are."""
    raw = json.dumps(EVENT).encode()
    connection = sqlite3.connect(file, isolation_level=None)
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
    connection.close()


# --- many ------------------------------------------------------------------------------------------------------------


def _at_once(home: Home) -> Iterator[Figure]:
    _progress(f"{_MANY} at once")
    files = [(home.folder / f"stdin{number}", home.folder / f"stdout{number}") for number in range(_MANY)]

    def burst(command: list[str]) -> float:
        for stdin, _ in files:
            stdin.write_bytes(home.event())
        return spawned_together(command, files)

    def clients() -> float:
        took = burst(home.command())
        assert {stdout.read_bytes() for _, stdout in files} == {b"{}"}
        return took

    median = _shuffled({"bare": lambda: burst(_BARE), "clients": clients}, _BURSTS)
    yield Figure(f"{_MANY} clients at once / {_MANY} of -c pass", median["clients"] / median["bare"], 1.15)

    one, many = Links(home, 1), Links(home, _MANY)
    alone: list[float] = []
    together: list[float] = []
    many.run([_requests(home, 2, f"many-{number}") for number in range(_MANY)])  # hot
    for _ in range(5):
        alone += one.run([_requests(home, 100, "one")])
        together += many.run([_requests(home, 20, f"many-{number}") for number in range(_MANY)])
    one.close()
    many.close()
    worst = statistics.quantiles(together, n=100)[98]
    name = f"p99 of {_MANY} connections / {_MANY} x the median of one"
    yield Figure(name, worst / (_MANY * statistics.median(alone)), 1)
    yield Figure("  p99", worst * 1e3, unit="ms")


def _memory(folder: Path) -> Iterator[Figure]:
    home = Home(folder, rules=1000)
    pid = home.serve()
    links = Links(home, _HOSTS)
    answered = 0
    early = 0.0

    def note() -> None:
        nonlocal answered, early
        answered += 1
        if answered == _EARLY:
            early = _resident(pid)
        if answered % 20_000 == 0:
            _progress(f"{answered:,} events, {_resident(pid):.1f} MB")

    start = time.perf_counter()
    try:
        links.run([_calls(home, host) for host in range(_HOSTS)], note)
        late, took = _resident(pid), time.perf_counter() - start
    finally:
        links.close()
        home.stop()
    yield Figure("memory with 1,000 rules", max(early, late), 70, "MB")
    yield Figure(f"  after {_EVENTS:,} events / after {_EARLY:,}", late / early, 1.05)
    yield Figure(f"  events a second on {_HOSTS} connections", _EVENTS / took, unit="/s")


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


# --- the real client -------------------------------------------------------------------------------------------------


def _real(folder: Path) -> Iterator[Figure | str]:
    name = "per call in the real client, HTTP / a shell-form `true` hook"
    client = _installed()
    if client is None:
        yield f"{name:58} skipped: no client here (pip install claude-agent-sdk, or set INTERLOCK_CLIENT)"
        return
    home = Home(folder)
    home.serve()
    try:
        http_hook = web_entry("PreToolUse", home.address)
        hooks = {"none": None, "true": {"type": "command", "command": "true"}, "http": http_hook}
        none, true, http = added(client, home, hooks, _SESSIONS, _CALLS, _progress)
    finally:
        home.stop()
    if true <= 0:
        yield f"{name:58} skipped: the machine is too busy, a call with a hook took less time than one without"
        return
    yield Figure(name, http / true, 1.3)
    yield Figure("  a call without hooks", none * 1e3, unit="ms")
    yield Figure("  added by `true`", true * 1e3, unit="ms")
    yield Figure("  added by HTTP", http * 1e3, unit="ms")


def _installed() -> Path | None:
    named = os.environ.get("INTERLOCK_CLIENT")
    spec = None if named else find_spec("claude_agent_sdk")
    found = Path(named) if named else Path(spec.origin).parent / "_bundled/claude" if spec and spec.origin else None
    return found if found is not None and found.is_file() else None


def _progress(text: str) -> None:
    print(f"  … {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    for figure in figures():
        print(figure, flush=True)
