"""What other processes do to a store while a test looks on: python -m tests.store.children NAME ARGUMENT…"""

from __future__ import annotations

import os
import resource
import signal
import sqlite3
import sys
import threading
from pathlib import Path
from typing import Any

from interlock.store import schema
from interlock.store.anchor import start_anchor as plain_start
from interlock.store.apply import apply_entry
from interlock.store.base import Conflict, Duplicate, Receipt, StateChange, StoreError, Wants
from interlock.store.prepare import prepare
from interlock.store.schema import connect as plain_connect
from interlock.store.sqlite import SqliteStore
from interlock.store.tables import SqlTables
from interlock.store.writer import Ticket
from tests.store.builders import SESSION, entry, setting, value


def say(text: object) -> None:
    os.write(1, f"{text}\n".encode())


def increments(path: str, times: str) -> None:
    """Count one variable up, judging anew whenever somebody else was faster."""
    store = SqliteStore(path, busy=60)
    conflicts = 0
    for _ in range(int(times)):
        while True:
            snapshot = store.read(Wants({SESSION: frozenset(["n"])}))
            number = snapshot.values.get((SESSION, "n"), 0)
            try:
                store.commit(setting("n", number + 1, expect=snapshot.versions))
                break
            except Conflict:
                conflicts += 1
    store.close()
    say(conflicts)


def endless(path: str) -> None:
    """Commit from four threads until killed, and say each sequence number once it is durable."""
    store = SqliteStore(path, anchor_every=7, segment_size=50, busy=60)

    def work(thread: int) -> None:
        number = 0
        while True:
            number += 1
            say(store.commit(setting(f"n-{thread}", number, fired=((SESSION, "r"),), once=None)))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def writes(path: str, times: str) -> None:
    store = SqliteStore(path, anchor_every=7, segment_size=50, busy=60)
    for number in range(int(times)):
        say(store.commit(entry(number)))
    store.close()


def delivers_once(path: str, key: str) -> None:
    store = SqliteStore(path, busy=60)
    try:
        store.commit(entry(once=key, answer=str(os.getpid()).encode(), fired=((SESSION, "r"),)))
        say("first")
    except Duplicate as duplicate:
        say(f"again {duplicate.answer.decode()}")
    store.close()


def dies_in_transaction(path: str) -> None:
    """End between writing everything and COMMIT."""
    store = SqliteStore(path)
    receipt = Receipt("s-1", "c-1", "Bash", "d", "allow", 1.0)
    prepared = prepare(entry(changes=(StateChange(SESSION, "n", 2),), fired=((SESSION, "r"),), opens=receipt, once="k"))

    def run(tables: SqlTables) -> int:
        apply_entry(tables, prepared)
        os.kill(os.getpid(), signal.SIGKILL)
        return 0

    store._hand_in(Ticket(run)).result()


def dies_while_pruning(path: str) -> None:
    store = SqliteStore(path)

    def run(tables: SqlTables) -> int:
        say(store._prune(tables, 10**6))
        os.kill(os.getpid(), signal.SIGKILL)
        return 0

    store._hand_in(Ticket(run)).result()


def dies_while_making(path: str, steps: str) -> None:
    """End before the n-th thing that is done to make a store: each statement, and the two sides of its anchor."""
    left = int(steps)

    def step(_: object = None) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def connect(*arguments: Any) -> sqlite3.Connection:
        step()
        connection = plain_connect(*arguments)
        connection.set_trace_callback(step)
        return connection

    def start(*arguments: Any) -> None:
        step()
        plain_start(*arguments)
        step()

    vars(schema).update(connect=connect, start_anchor=start)
    store = SqliteStore(path)
    store.commit(entry())
    say(int(steps) - left)
    store.close()


def fills_the_disk(path: str) -> None:
    """Write until no file may grow, then let them grow again."""
    store = SqliteStore(path)
    acknowledged = store.commit(entry(0))
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    resource.setrlimit(resource.RLIMIT_FSIZE, (Path(path + "-wal").stat().st_size + 200_000, hard))
    try:
        while True:
            acknowledged = store.commit(entry(acknowledged, raw=b"x" * 5000))
    except StoreError as error:
        say(error.in_one_line())
    # Closing its connection moved the write-ahead log into the database and so made room; now there is none at all.
    resource.setrlimit(resource.RLIMIT_FSIZE, (1, hard))
    _say_failure(lambda: store.commit(entry(9)))
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    say(store.commit(entry(9)) - acknowledged)
    say(store.verify().problems)
    store.close()


def as_nobody(folder: str) -> None:
    """What an ordinary user meets where writing is not allowed. Root would be allowed everything."""
    if os.geteuid() == 0:
        os.setgid(65534)
        os.setuid(65534)
    here = Path(folder)
    here.chmod(0o500)
    _say_failure(lambda: SqliteStore(here / "store.db"))
    here.chmod(0o700)
    store = SqliteStore(here / "store.db")
    say(store.commit(entry(1)))
    store.close()
    (here / "store.db").chmod(0o400)
    store = SqliteStore(here / "store.db")
    _say_failure(lambda: store.commit(entry(2)))
    (here / "store.db").chmod(0o600)
    say(store.commit(entry(2)))
    (here / "store.db.anchor").chmod(0o400)
    _say_failure(store.close)
    store = SqliteStore(here / "store.db", anchor_every=1)
    say(store.commit(entry(3)))
    _say_failure(lambda: store.commit(entry(4)))
    (here / "store.db.anchor").chmod(0o600)
    say(store.commit(entry(4)))
    say(store.verify().problems)
    say(value(store, "n"))
    store.close()


def _say_failure(action: object) -> None:
    try:
        action()  # type: ignore[operator]
        say("no failure")
    except StoreError as error:
        say(error.in_one_line())


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
