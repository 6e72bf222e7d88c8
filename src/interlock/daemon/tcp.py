"""Find the process at the other end of a TCP connection on this machine."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from interlock.daemon.peers import Process

__all__ = ["End", "folder_of", "held_by", "other_end"]

_TABLES = ("/proc/net/tcp", "/proc/net/tcp6")
_MAPPED = "0000000000000000FFFF0000"  # before the address of an IPv4 connection made through an IPv6 socket

End = tuple[int, int]  # the socket's number and its user


def other_end(connection: socket.socket) -> End | None:
    """The socket at the other end of an IPv4 connection from this machine; None if the system does not list it."""
    theirs, ours = _table_form(*connection.getpeername()), _table_form(*connection.getsockname())
    for table, prefix in zip(_TABLES, ("", _MAPPED), strict=True):
        found = _row(table, f" {prefix}{theirs} {prefix}{ours} ".encode())
        if found is not None:
            fields = found.split()  # after the addresses: state, queues, timer, retransmits, user, timeout, number
            return int(fields[6]), int(fields[4])
    return None


def _table_form(host: str, port: int) -> str:
    """An address in the notation of the system's tables."""
    return f"{int.from_bytes(socket.inet_aton(host), sys.byteorder):08X}:{port:04X}"


def _row(table: str, addresses: bytes) -> bytes | None:
    try:
        text = Path(table).read_bytes()
    except OSError:
        return None
    _, found, rest = text.partition(addresses)
    return rest.partition(b"\n")[0] if found else None


def held_by(end: End, first: Iterable[int] = ()) -> Process | None:
    """The process that holds a socket: one of `first` if any does, else the oldest such process of this user.

    The oldest, because a child may have inherited a socket that its parent opened.
    """
    name = f"socket:[{end[0]}]"
    likely = next((process for pid in first if _holds(pid, name) and (process := _process(pid)) is not None), None)
    if likely is not None:
        return likely
    holders = [process for pid in _own_processes() if _holds(pid, name) and (process := _process(pid)) is not None]
    return min(holders, key=lambda process: process.started, default=None)


def folder_of(process: Process) -> Path | None:
    """The working directory of a process."""
    try:
        return Path(f"/proc/{process.pid}/cwd").readlink()
    except OSError:
        return None


def _own_processes() -> Iterator[int]:
    user = os.getuid()
    with os.scandir("/proc") as entries:
        for entry in entries:
            try:
                if entry.name.isdigit() and entry.stat().st_uid == user:
                    yield int(entry.name)
            except OSError:  # it has ended
                continue


def _holds(pid: int, name: str) -> bool:
    folder = f"/proc/{pid}/fd"
    try:
        with os.scandir(folder) as entries:
            return any(_target(entry.path) == name for entry in entries)
    except OSError:  # it has ended, or this user may not inspect it
        return False


def _target(link: str) -> str:
    try:
        return os.readlink(link)  # noqa: PTH115 - hundreds of links, where a Path costs more than the call
    except OSError:
        return ""


def _process(pid: int) -> Process | None:
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    return Process(pid, int(text.rpartition(")")[2].split()[19]))
