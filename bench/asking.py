"""The rows of asking people: what 200 calls that wait cost those that do not, and how soon an answer arrives."""

from __future__ import annotations

import contextlib
import os
import socket
import time
from collections.abc import Iterator

from bench.daemons import Home, Links
from bench.measure import scratch_folder, shuffled
from bench.rows import Part, Row, Run, Values
from interlock.approvals.answers import approve
from interlock.spawn import exchange
from interlock.store.sqlite import SqliteStore

_WAITING, _CALLS, _ANSWERS = 200, 60, 10
_PATIENCE = 30.0  # seconds
_RULE = "  - {id: deploy, command: make deploy, ask: Deploy this?, approve: inbox}"
ROWS = {
    "decision": Row(f"a decision while {_WAITING} calls wait / while none does", 1.5),
    "idle": Row("  while none does", unit="us"),
    "answer": Row("from a person's answer to the answer of the call", 100, unit="ms"),
}


@contextlib.contextmanager
def _opens() -> Iterator[Run]:
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(scratch_folder())
        homes = {}
        for name in ("idle", "busy"):
            homes[name] = Home(folder / name, more=[_RULE])
            stack.callback(homes[name].stop)
            homes[name].serve()
        waiting = stack.enter_context(_waiting(homes["busy"]))
        links = {name: stack.enter_context(contextlib.closing(Links(home, 1))) for name, home in homes.items()}
        for name, home in homes.items():
            links[name].run([home.requests(2)])
        store = stack.enter_context(contextlib.closing(_store(homes["busy"])))

        def decide(name: str) -> float:
            return links[name].run([homes[name].requests(1)])[0]

        def run() -> Values:
            median = shuffled({"idle": lambda: decide("idle"), "busy": lambda: decide("busy")}, _CALLS)
            answers = sorted(_answer(store, waiting) for _ in range(_ANSWERS))
            return {
                "decision": median["busy"] / median["idle"],
                "idle": median["idle"] * 1e6,
                "answer": answers[len(answers) // 2] * 1e3,
            }

        yield run


def _store(home: Home) -> SqliteStore:
    return SqliteStore(home.home / ".local" / "state" / "interlock" / "store" / "interlock.db")


@contextlib.contextmanager
def _waiting(home: Home) -> Iterator[dict[str, socket.socket]]:
    """Calls that wait for a person, each on a connection of its own, by the id of its request."""
    with contextlib.ExitStack() as stack, contextlib.closing(_store(home)) as store:
        found: dict[str, socket.socket] = {}
        for _ in range(_WAITING + 5 * _ANSWERS):
            connection = stack.enter_context(socket.socket(socket.AF_UNIX))
            with contextlib.chdir(home.socket_path.parent):
                connection.connect(home.socket_path.name)
            raw = home.event(session="waits", command="make deploy")  # another host: it does not speak HTTP
            connection.sendall(exchange.request("PreToolUse", os.fsdecode(home.project), raw))
            limit = time.monotonic() + _PATIENCE
            while not (fresh := {one.id for one in store.requests(["waiting"])} - found.keys()):
                assert time.monotonic() < limit, "a call that should wait for a person does not"
                time.sleep(0.001)
            found |= dict.fromkeys(fresh, connection)
        yield found


def _answer(store: SqliteStore, waiting: dict[str, socket.socket]) -> float:
    """Say yes to one of them; how long it takes until its answer is there."""
    id = next(iter(waiting))
    connection = waiting.pop(id)
    request = store.request(id)
    assert request is not None
    _drop_signs_of_life(connection)
    connection.settimeout(_PATIENCE)
    approve(store, request, by="bench", at=time.time())
    start = time.perf_counter()
    while connection.recv(1, socket.MSG_PEEK) == exchange.STILL_WORKING:
        connection.recv(1)
    return time.perf_counter() - start


def _drop_signs_of_life(connection: socket.socket) -> None:
    connection.setblocking(False)
    with contextlib.suppress(BlockingIOError):
        while connection.recv(4096):
            continue


PART = Part("asking", ROWS, _opens)
