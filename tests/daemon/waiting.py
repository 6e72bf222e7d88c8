"""Calls that wait in the daemon for a person, and the person who answers them from another process."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

from interlock.spawn import exchange
from interlock.store.asking import ApprovalRequest, RequestAnswer
from interlock.store.sqlite import SqliteStore
from tests.daemon.spawned import Home, event


@contextmanager
def store_of(home: Home) -> Iterator[SqliteStore]:
    with closing(SqliteStore(home.home / ".local/state/interlock/store/interlock.db")) as store:
        yield store


def answer_in(store: SqliteStore, request: ApprovalRequest, **parts: Any) -> None:
    store.answer_request(request.id, RequestAnswer(**{"yes": True, "by": "ann", "at": time.time(), **parts}))


@contextmanager
def wait_at(home: Home, call: str) -> Iterator[socket.socket]:
    """A connection on which a call waits, without a process for it."""
    folder = os.open(home.run_folder, os.O_PATH)  # the path of a socket must be short
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(60)
        line.connect(f"/proc/self/fd/{folder}/{home.socket.name}")
        os.close(folder)
        raw = event(tool_input={"command": "git push"}, tool_use_id=call, cwd=str(home.project), session="crowd")
        line.sendall(exchange.request("PreToolUse", str(home.project), raw))
        yield line


def read_answer_of(line: socket.socket) -> bytes:
    """What the client would print, behind the signs of life."""
    got = b""
    while len(got := got.lstrip(exchange.STILL_WORKING)) < exchange.HEADER:
        got += line.recv(1)
    size = int.from_bytes(got[6:10])
    while len(got) < exchange.HEADER + size:
        got += line.recv(65536)
    return got[exchange.HEADER : exchange.HEADER + size]
