"""Find the process at the other end of a socket: only a session's host process may speak for that session."""

from __future__ import annotations

import hashlib
import os
import socket
import struct
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import DecodeError, Struct, json

from interlock.errors import InterlockError
from interlock.files.atomic import write_atomically

__all__ = [
    "Hosts", "Process", "argv_of", "check_user", "has_terminal", "host_above", "host_of_client",
    "is_alive", "parent_of", "peer_of",
]  # fmt: skip

_MOST_SESSIONS = 10_000
_ENDED = frozenset("ZXx")
_HAS_PROC = Path("/proc/self/stat").exists()


class Process(Struct, frozen=True):
    """One process. Its start time distinguishes it from a later process with the same number."""

    pid: int
    started: int


def peer_of(connection: socket.socket) -> tuple[int, int] | None:
    """The process and user at the other end of a Unix socket; None if the system does not say."""
    if not hasattr(socket, "SO_PEERCRED"):
        return None
    pid, user, _ = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
    return pid, user


def check_user(user: int) -> None:
    """Refuse every user except the daemon's own."""
    if user != os.getuid():
        raise InterlockError(f"user {user} spoke to the daemon of user {os.getuid()}")


def parent_of(pid: int) -> Process | None:
    """The parent of a process, read while the process waits for its answer; None if there is no /proc."""
    child = _stat(pid)
    if child is None:
        return None
    parent = _stat(child[0])
    return None if parent is None else Process(child[0], parent[1])


def host_of_client(pid: int, is_between: Callable[[Sequence[str]], bool]) -> Process | None:
    """The host that runs a client: its parent, or what is above the shells that run the entry's command."""
    above = parent_of(pid)
    while above is not None and is_between(argv_of(above)):
        above = parent_of(above.pid)
    return above


def host_above(pid: int, folder: Path) -> Process | None:
    """The process above this one that is the host of a session, as `Hosts` keeps them in `folder`."""
    known = set()
    for place in folder.glob("*.host"):
        try:
            known.add(json.decode(place.read_bytes(), type=Process))
        except (OSError, DecodeError):
            continue  # no host is known by it, so it can keep nobody away
    above = parent_of(pid)
    while above is not None and above not in known:
        above = parent_of(above.pid)
    return above


def argv_of(process: Process | None) -> list[str]:
    """The command line of a process; empty if it cannot be read."""
    if process is None:
        return []
    try:
        words = Path(f"/proc/{process.pid}/cmdline").read_bytes()
    except OSError:
        return []
    return [os.fsdecode(word) for word in words.split(b"\0")]


def has_terminal(process: Process | None) -> bool | None:
    """Whether a process writes to a terminal; None if that cannot be told."""
    if process is None:
        return None
    try:
        place = str(Path(f"/proc/{process.pid}/fd/1").readlink())
    except OSError:
        return None
    return place.startswith(("/dev/pts/", "/dev/tty", "/dev/console"))


def _stat(pid: int) -> tuple[int, int] | None:
    """The parent and the start time of a running process; None for a zombie, which has ended."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    fields = text.rpartition(")")[2].split()
    return None if fields[0] in _ENDED else (int(fields[1]), int(fields[19]))


def is_alive(pid: int) -> bool:
    """Whether a process is running; assumed to be if there is no /proc."""
    return _stat(pid) is not None or not _HAS_PROC


class Hosts:
    """The host process of each session: the one that raised its first event, as long as it lives.

    Also kept in a folder, so that killing the daemon does not let another process become a session's host.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._hosts: OrderedDict[str, Process] = OrderedDict()
        self._lock = threading.Lock()

    def check(self, session: str, host: Process | None) -> None:
        """Refuse an event that the session's host did not raise."""
        if host is None:
            if _HAS_PROC:
                raise InterlockError("the process that raised this event is gone")
            return  # no /proc here: only the socket's owner can be checked
        with self._lock:
            known = self._hosts.get(session) or self._read(session)
            if known is None or (known != host and not _is_alive(known)):
                known = host  # the session's first event, or the first one after it was resumed
                self._keep(session, host)
            self._hosts[session] = known
            self._hosts.move_to_end(session)
            if len(self._hosts) > _MOST_SESSIONS:
                self._hosts.popitem(last=False)
        if known != host:
            raise InterlockError(
                f"this event was not raised by the session's host (process {known.pid}) but by process {host.pid}",
                help="end the other process if this session is open twice; else a program pretends to be its host",
            )

    def _place(self, session: str) -> Path:
        return self._folder / f"{hashlib.sha256(session.encode('utf-8', 'replace')).hexdigest()[:32]}.host"

    def _read(self, session: str) -> Process | None:
        try:
            return json.decode(self._place(session).read_bytes(), type=Process)
        except FileNotFoundError:
            return None
        except (OSError, DecodeError) as error:
            raise InterlockError(
                f"cannot read who the session's host is in `{self._place(session)}`: {error}"
            ) from error

    def _keep(self, session: str, host: Process) -> None:
        place = self._place(session)
        try:
            write_atomically(place, json.encode(host))
        except OSError as error:
            raise InterlockError(f"cannot keep who the session's host is in `{place}`: {error.strerror}") from error


def _is_alive(process: Process) -> bool:
    now = _stat(process.pid)
    return now is not None and now[1] == process.started
