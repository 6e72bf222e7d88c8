"""The store's rows: many callers' commits against a bare loop with the same settings that inserts the same bytes."""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.events import EVENT, encoded
from bench.measure import scratch_folder
from bench.rows import Part, Row, Run, Values
from interlock.judging.guard import Guard
from interlock.policy.load import load_policy
from interlock.service import answer
from interlock.store.base import Entry, Receipt, Scope, StateChange, Wants
from interlock.store.chain import Line
from interlock.store.sqlite import SqliteStore
from interlock.testing.pretend import Pretend

ROWS = {
    "plain 16": Row("store, records only, 16 callers / bare insert loop", 1 / 0.85),
    "full 16": Row("  whole entries (receipt, state, firing, answer)", 1 / 0.85),
    "full 64": Row("  64 callers in flight, whole entries", 1 / 0.6),
    "read 64": Row("  64 callers, each reads its state first", 1 / 0.6),
    "end to end 64": Row("  64 callers end to end, judged by 100 rules", 1 / 0.6),
    "plain 1": Row("  one caller alone, records only"),
    "full 1": Row("  one caller alone, whole entries"),
    "write alone": Row("  that / bare insert loop with those writes in its transaction"),
    "bare": Row("bare insert loop, a row", unit="us", reference=True),
}
_ROWS = 2048
_RAW = encoded(EVENT)
_SESSION = Scope("session", str(EVENT["session_id"]))


def _entry(number: int) -> Entry:
    """What an ordinary call leaves: a record, a receipt, an answer, one rule that fired and one counter."""
    record: dict[str, Any] = {
        "session": EVENT["session_id"],
        "event": "PreToolUse",
        "tool": "Bash",
        "decision": "ask",
        "verdict": {"reasons": [{"text": "Run the tests?", "by": "ask-tests", "source": ["interlock.yaml", 12, 3]}]},
    }
    call = f"toolu_{number:024}"
    answer = b'{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask"}}'
    return Entry(
        record=record,
        raw=_RAW,
        at=1_790_000_000.0 + number,
        changes=(StateChange(_SESSION, "calls", number),),
        fired=((_SESSION, "ask-tests"),),
        opens=Receipt(_SESSION.id, call, "Bash", "0" * 64, "ask", 1_790_000_000.0),
        once=f"{_SESSION.id}/{call}",
        answer=answer,
    )


def _plain(number: int) -> Entry:
    """A record and nothing else: what the bare loop writes too."""
    full = _entry(number)
    return Entry(record=full.record, raw=full.raw, at=full.at)


@contextmanager
def _opens() -> Iterator[Run]:
    yield _run


def _run() -> Values:
    took = {}
    for name, task in _TASKS.items():
        with scratch_folder() as folder:
            took[name] = task(Path(folder))
    bare = took["bare"]
    return {
        **{name: took[name] / bare for name in ROWS if name in took},
        "write alone": took["full 1"] / took["bare full"],
        "bare": bare / _ROWS * 1e6,
    }


def _bare(folder: Path, *, full: bool = False) -> float:
    connection = sqlite3.connect(folder / "bare.db", isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute(f"CREATE TABLE record (sequence INTEGER PRIMARY KEY, {', '.join(Line._fields[1:])})")
    connection.execute("CREATE TABLE other (kind, key, value, PRIMARY KEY (kind, key)) WITHOUT ROWID")
    places = ", ".join("?" * len(Line._fields))
    entries = [_entry(number) for number in range(_ROWS)]
    bodies = [json.dumps(entry.record, separators=(",", ":")).encode() for entry in entries]
    start = time.perf_counter()
    for number, (entry, body) in enumerate(zip(entries, bodies, strict=True), 1):
        row = (
            number,
            entry.at,
            _SESSION.id,
            "PreToolUse",
            "Bash",
            "ask",
            '["ask-tests"]',
            body,
            entry.raw,
            bytes(32),
            bytes(32),
        )
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(f"INSERT INTO record VALUES ({places})", row)
        if full:
            for kind in ("state", "firing", "receipt", "answer", "session", "decision", "at", "rule"):
                connection.execute("INSERT OR REPLACE INTO other VALUES (?, ?, ?)", (kind, entry.once, entry.answer))
        connection.execute("COMMIT")
    spent = time.perf_counter() - start
    connection.close()
    return spent


def _store(folder: Path, callers: int, make: Callable[[int], Entry], *, read: bool = False) -> float:
    store = SqliteStore(folder / "store.db")
    entries = [make(number) for number in range(_ROWS)]
    wanted = Wants({_SESSION: frozenset(["calls"])})
    go = threading.Barrier(callers + 1)

    def call(mine: list[Entry]) -> None:
        go.wait()
        for entry in mine:
            if read:
                store.read(wanted)
            store.commit(entry)

    threads = [threading.Thread(target=call, args=(entries[at::callers],)) for at in range(callers)]
    for thread in threads:
        thread.start()
    go.wait()
    start = time.perf_counter()
    for thread in threads:
        thread.join()
    spent = time.perf_counter() - start
    assert sum(1 for _ in store.records()) == _ROWS
    store.close()
    return spent


def _end_to_end(folder: Path, callers: int) -> float:
    """Events judged by a policy and kept, many callers at once: the whole way but for the host."""
    rules = "\n".join(f"  - {{id: r{n}, tool: Bash, command: tool{n}, deny: Not now.}}" for n in range(100))
    policy = load_policy(f"version: 1\nrules:\n{rules}\n", "bench.yaml")
    store = SqliteStore(folder / "store.db")
    numbers = iter(range(_ROWS))
    events = [encoded({**EVENT, "tool_use_id": f"toolu_{n}"}) for n in range(_ROWS)]
    with Guard([policy], Pretend(), store, run_hooks=False) as guard:

        def call() -> None:
            for number in numbers:
                answer(guard, "claude-code", events[number])

        answer(guard, "claude-code", _RAW)
        threads = [threading.Thread(target=call) for _ in range(callers)]
        start = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        took = time.perf_counter() - start
    store.close()
    return took


_TASKS: dict[str, Callable[[Path], float]] = {
    "bare": _bare,
    "bare full": lambda folder: _bare(folder, full=True),
    "plain 1": lambda folder: _store(folder, 1, _plain),
    "full 1": lambda folder: _store(folder, 1, _entry),
    "plain 16": lambda folder: _store(folder, 16, _plain),
    "full 16": lambda folder: _store(folder, 16, _entry),
    "full 64": lambda folder: _store(folder, 64, _entry),
    "read 64": lambda folder: _store(folder, 64, _entry, read=True),
    "end to end 64": lambda folder: _end_to_end(folder, 64),
}

PART = Part("store", ROWS, _opens)
