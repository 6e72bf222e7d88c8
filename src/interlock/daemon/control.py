"""Ask the daemon for its status, and tell it to stop."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import DecodeError, Struct, json

from interlock.daemon.frames import NotOurs, OtherVersion, read_answer
from interlock.daemon.peers import is_alive
from interlock.errors import InterlockError
from interlock.spawn import exchange

__all__ = ["STATUS", "STOP", "Status", "connection_to", "status_of", "stop"]

# No event has a name like these, so no host can raise them.
STATUS, STOP = ":status", ":stop"
_PATIENCE = 30.0


class Status(Struct, frozen=True):
    """A daemon's status."""

    version: str
    pid: int
    socket: str
    seconds: float  # since it started
    answered: int
    projects: list[str]
    store: str | None  # what is wrong with the store, if anything
    outreach: str | None = None  # why people are not told of requests, if they are not


def status_of(path: Path) -> Status | None:
    """The status of the daemon on a socket; None if none is listening. Raises InterlockError if it does not answer."""
    said = _ask(path, STATUS)
    if said is None:
        return None
    try:
        return json.decode(said, type=Status)
    except DecodeError as error:
        raise InterlockError(f"what answers on `{path}` is not Interlock's daemon: {error}") from error


def stop(path: Path) -> bool:
    """Have the daemon finish its work and exit; return whether there was one."""
    found = status_of(path)
    if found is None or _ask(path, STOP) is None:
        return False
    limit = time.monotonic() + _PATIENCE
    while _is_running(found.pid):
        if time.monotonic() > limit:
            raise InterlockError(
                f"process {found.pid} accepts no more events, but is still working on one after {_PATIENCE:g} s",
                help="it exits automatically when that is done",
            )
        time.sleep(0.02)
    return True


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return is_alive(pid)


def _ask(path: Path, what: str) -> bytes | None:
    """What the daemon answers; None if there is none, or one of another version, which exits when it is asked."""
    try:
        with connection_to(path) as daemon:
            daemon.settimeout(exchange.SILENCE)
            daemon.sendall(exchange.request(what, "/", b""))
            return read_answer(daemon)
    except (FileNotFoundError, ConnectionRefusedError, OtherVersion):
        return None
    except (OSError, NotOurs) as error:
        message = f"the daemon on `{path}` does not answer: {error}"
        raise InterlockError(message, help=f"end it: kill -9 $(cat {path.parent / 'pid'})") from error


@contextmanager
def connection_to(path: Path) -> Iterator[socket.socket]:
    """A connection to a Unix socket whose path may be longer than a socket address allows."""
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with socket.socket(socket.AF_UNIX) as daemon:
            near = Path(f"/proc/self/fd/{folder}")
            daemon.connect(str((near if near.exists() else path.parent) / path.name))
            yield daemon
    finally:
        os.close(folder)
