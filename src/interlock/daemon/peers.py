"""Who is at the other end of a socket: only the host process of a session may speak for that session."""

from __future__ import annotations

import os
import socket
import struct
import threading
from collections import OrderedDict
from pathlib import Path

from msgspec import Struct

from interlock.source import InterlockError

__all__ = ["Hosts", "Process", "argv_of", "check_user", "parent_of", "peer_of"]

_MOST_SESSIONS = 10_000


class Process(Struct, frozen=True):
    """One process, told from a later one of the same number by when it started."""

    pid: int
    started: int


def peer_of(connection: socket.socket) -> tuple[int, int] | None:
    """The process and user at the other end of a Unix socket; None where the system does not say."""
    if not hasattr(socket, "SO_PEERCRED"):
        return None
    pid, user, _ = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
    return pid, user


def check_user(user: int) -> None:
    """Refuse whoever is not this daemon's own user."""
    if user != os.getuid():
        raise InterlockError(f"user {user} spoke to the daemon of user {os.getuid()}")


def parent_of(pid: int) -> Process | None:
    """The parent of a process, read while it waits for our answer; None where there is no /proc."""
    child = _stat(pid)
    if child is None:
        return None
    parent = _stat(child[0])
    return None if parent is None else Process(child[0], parent[1])


def argv_of(process: Process | None) -> list[str]:
    """The words a process was started with; none where they cannot be read."""
    if process is None:
        return []
    try:
        words = Path(f"/proc/{process.pid}/cmdline").read_bytes()
    except OSError:
        return []
    return [os.fsdecode(word) for word in words.split(b"\0")]


def _stat(pid: int) -> tuple[int, int] | None:
    """The parent and the starting time of a process."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    fields = text.rpartition(")")[2].split()
    return int(fields[1]), int(fields[19])


class Hosts:
    """The host process of each session: the one that raised its first event, as long as it lives."""

    def __init__(self) -> None:
        self._hosts: OrderedDict[str, Process] = OrderedDict()
        self._lock = threading.Lock()

    def check(self, session: str, host: Process | None) -> None:
        """Refuse an event of a session that its host did not raise."""
        if host is None:
            if Path("/proc/self/stat").exists():
                raise InterlockError("the process that raised this event is gone")
            return  # no /proc here: the socket's owner is all that can be checked
        with self._lock:
            known = self._hosts.setdefault(session, host)
            if known != host and not _is_alive(known):
                known = self._hosts[session] = host  # a session that was resumed
            self._hosts.move_to_end(session)
            if len(self._hosts) > _MOST_SESSIONS:
                self._hosts.popitem(last=False)
        if known != host:
            raise InterlockError(
                f"this event was not raised by the session's host (process {known.pid}) but by process {host.pid}",
                help="another program pretends to be the host; look at `interlock log`",
            )


def _is_alive(process: Process) -> bool:
    now = _stat(process.pid)
    return now is not None and now[1] == process.started
