"""The page with a large record: the log, a search, one session, the start, and how long counting takes. Run once.

INTERLOCK_BENCH_RECORDS makes the record smaller, to try this part.
"""

from __future__ import annotations

import contextlib
import http.client
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from bench.measure import progress
from bench.records import write_record
from bench.rows import Part, Row, Run, Values
from interlock.page.app import build_app
from interlock.page.context import PageContext
from interlock.page.digest.intake import Digest
from interlock.page.digest.sessions import sessions
from interlock.page.door.door import Door
from interlock.page.serving import listen, serving
from interlock.store.sqlite import SqliteStore

_RECORDS = int(os.environ.get("INTERLOCK_BENCH_RECORDS", "1000000"))
_TIMES = 9
ROWS = {
    "log": Row(f"the log page with {_RECORDS:,} records", 100, "ms"),
    "search": Row("  a search that finds nothing", unit="ms"),
    "session": Row("  one session", unit="ms"),
    "count": Row("  counting 1,000 records", unit="ms"),
    "again": Row("  counting after a restart", unit="ms"),
    "start": Row("start of the page's process until it answers", 1000, "ms"),
}
# As `interlock open` does it, without its terminal. The process is told to end once it has answered.
_START = """
import http.client, sys, time
from pathlib import Path
from interlock.daemon.page_client import stop_page
from interlock.page.launching import start_page
start = time.perf_counter()
address = start_page(Path(sys.argv[1])).address.partition("://")[2]
connection = http.client.HTTPConnection(address, timeout=20)
connection.request("GET", "/alive")
connection.getresponse().read()
took = time.perf_counter() - start
stop_page()
print(took)
"""


@contextlib.contextmanager
def _opens() -> Iterator[Run]:
    # Beside the checkout, because /tmp may be in memory; the name is one that git ignores.
    with tempfile.TemporaryDirectory(prefix=".bench-", dir=Path.cwd()) as folder:
        home = Path(folder)
        state = home / ".local" / "state" / "interlock"
        progress(f"writing {_RECORDS:,} records")
        write_record(state / "store" / "interlock.db", _RECORDS, until=time.time())
        yield lambda: _run(home, state)


def _run(home: Path, state: Path) -> Values:
    store = SqliteStore(state / "store" / "interlock.db")
    place = state / "page" / "digest.db"
    progress("counting")
    counting = _seconds(lambda: _count(place, store))
    again = _seconds(lambda: _count(place, store))
    digest = Digest(place, store)
    try:
        values = _views(digest, store, state / "page")
    finally:
        digest.close()
        store.close()
    progress("starting")
    starts = [_start(home) for _ in range(_TIMES)]
    return {
        **values,
        "count": counting / _RECORDS * 1e6,
        "again": again * 1e3,
        "start": statistics.median(starts[1:]) * 1e3,  # the first one compiles and reads the disk
    }


def _count(place: Path, store: SqliteStore) -> None:
    digest = Digest(place, store)
    digest.catch_up()
    digest.close()


def _views(digest: Digest, store: SqliteStore, folder: Path) -> dict[str, float]:
    digest.catch_up()
    with listen([0]) as listener:
        door = Door(listener.getsockname()[1])
        app = build_app(PageContext(store=store, folder=folder, digest=digest), door)
        with serving(app, listener) as address:
            admission = door.keeper.admit(door.keeper.mint())
            if admission is None:
                raise AssertionError("nobody can sign in")
            cookie = f"{door.cookie}={admission.cookie}"
            one = sessions(digest, most=1)[0].id
            paths = {"log": "/log", "search": "/log?q=there+is+no+such+word", "session": f"/sessions/{one}"}
            return {name: _median(address, path, cookie) * 1e3 for name, path in paths.items()}


def _median(address: str, path: str, cookie: str) -> float:
    return statistics.median([_seconds(lambda: _get(address, path, cookie)) for _ in range(_TIMES + 1)][1:])


def _get(address: str, path: str, cookie: str) -> None:
    connection = http.client.HTTPConnection(address.partition("://")[2], timeout=60)
    try:
        connection.request("GET", path, headers={"Cookie": cookie})
        answer = connection.getresponse()
        if answer.status != 200 or not answer.read():
            raise AssertionError(f"{path} was answered with {answer.status}")
    finally:
        connection.close()


def _start(home: Path) -> float:
    environment = {**os.environ, "HOME": str(home)}
    command = [sys.executable, "-I", "-c", _START, str(home)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if done.returncode:
        raise AssertionError(f"the page did not start: {done.stderr}")
    return float(done.stdout)


def _seconds(task: Callable[[], object]) -> float:
    start = time.perf_counter()
    task()
    return time.perf_counter() - start


PART = Part("page", ROWS, _opens, once=True)
