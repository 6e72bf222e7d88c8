"""Whether the daemon is healthy."""

from __future__ import annotations

from collections.abc import Iterator

from interlock.config.places import socket_path
from interlock.daemon.control import status_of
from interlock.doctor.finding import Finding, ok, problem
from interlock.errors import InterlockError

__all__ = ["look"]


def look() -> Iterator[Finding]:
    """The daemon's status. That none is running is not a problem."""
    path = socket_path()
    folder = path.parent
    if folder.exists() and folder.stat().st_mode & 0o077:
        yield problem("daemon", f"other users may enter {folder}, so the client does not use it", f"chmod 700 {folder}")
    try:
        found = status_of(path)
    except InterlockError as error:
        yield problem("daemon", error.message, error.help or "")
        return
    if found is None:
        yield ok("daemon", "no daemon is running; the next event starts one")
    elif found.store is not None:
        yield problem("daemon", f"its store has failed, so it refuses everything: {found.store}", "fix what it names")
    else:
        events = f"{found.answered:,} event{'s' * (found.answered != 1)}"
        yield ok("daemon", f"version {found.version}, process {found.pid}, {events} answered")
