"""What rules may ask of the file system, under limits: what exists, where links lead, what a pattern matches.

Every answer is limited in time and number. If it cannot be found within the limits, it is None, and no caller takes
None to be harmless. A file system that hangs in a single call is stopped by the deadline of the engine.
"""

from __future__ import annotations

import os
import re
import stat
import time
from itertools import islice

from interlock.facts.paths import Places, below, glob_regex

__all__ = ["MachineFiles"]

_ROOT = Places()
_SECONDS = 0.05  # the agent waits for every call, and a glob is only one of many facts about it
_MOST_FOUND = 100
_MOST_ENTRIES = 500
_MOST_BYTES = 64 * 1024
# Folders that are links on some systems (`/tmp` on macOS, `/bin` on Linux). Such a link is not a detour: rules name the
# folder, not the place it leads to.
_USUAL = ("/tmp", "/var", "/etc", "/bin", "/sbin", "/lib", "/lib64", "/home", "/run")  # noqa: S108


class MachineFiles:
    """The file system of this machine, as seen from a project."""

    def __init__(self, project: str, home: str) -> None:
        self._root = project
        # A project or a home that is reached through a link keeps its own name, because rules know it by that name.
        self._own = _links((project, home))
        self._usual = _links(_USUAL)

    def exists(self, path: str) -> bool:
        return os.path.lexists(_valid(path))

    def real(self, path: str, *, follow: bool = True) -> str | None:
        """Where a path leads, under the names of the project and the usual folders; None if that cannot be known."""
        head, tail = os.path.split(_valid(path).rstrip("/") or "/")
        if follow or tail in ("", ".", ".."):
            head, tail = _valid(path), ""
        try:
            found = os.path.realpath(head)
        except OSError:
            return None
        if tail:
            found = _inside(found, tail)
        written = os.path.normpath(path)
        if written == found:
            return found
        for name, real in self._usual:
            if below(found, real) and name + found[len(real) :] == written:
                return written
        for name, real in self._own:
            if below(found, real):
                return name + found[len(real) :]
        return found

    def glob(self, pattern: str) -> tuple[str, ...] | None:
        """The paths that a shell's pattern matches; None if there are too many or it takes too long."""
        end = time.monotonic() + _SECONDS
        found = ["/"]
        steps = [step for step in _valid(pattern).split("/") if step]
        for place, step in enumerate(steps):
            wild = any(sign in step for sign in "*?[")
            last = place == len(steps) - 1
            if not wild:
                # A fixed step in front of the first wildcard need not be looked up: listing it finds out soon enough.
                joined = [_inside(folder, step) for folder in found]
                found = [path for path in joined if os.path.lexists(path)] if last or len(joined) > 1 else joined
                continue
            test = re.compile(glob_regex(step, _ROOT).replace(r"\z", r"\Z"))
            folders, found = found, []
            for folder in folders:
                names = _names_in(folder)
                found += [_inside(folder, name) for name in names if _shows(name, step) and test.match(name)]
                if len(names) >= _MOST_ENTRIES or len(found) > _MOST_FOUND or time.monotonic() > end:
                    return None
        return tuple(sorted(found))

    def entries(self, folder: str) -> tuple[str, ...]:
        return tuple(_names_in(folder))

    def read(self, path: str, *, anywhere: bool = False) -> str | None:
        """The text of a small regular file in the project, or with `anywhere` of any; None for all others."""
        path = _valid(path)
        if not anywhere and not below(os.path.realpath(path), os.path.realpath(self._root)):
            return None
        try:
            # O_NONBLOCK: opening a pipe or a device could block for ever.
            descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except (OSError, ValueError):
            return None
        try:
            about = os.fstat(descriptor)
            if not stat.S_ISREG(about.st_mode) or about.st_size > _MOST_BYTES:
                return None
            return os.read(descriptor, _MOST_BYTES + 1).decode("utf-8")
        except (OSError, UnicodeDecodeError):
            return None
        finally:
            os.close(descriptor)


def _links(names: tuple[str, ...]) -> list[tuple[str, str]]:
    """The folders that are links, each with the folder it leads to."""
    led = ((name, os.path.realpath(name)) for name in names)
    return [(name, real) for name, real in led if name != real]


def _valid(path: str) -> str:
    """A path that the system accepts: without NUL bytes or half surrogate pairs."""
    return path.replace("\0", "").encode("utf-8", "replace").decode("utf-8")


def _inside(folder: str, name: str) -> str:
    return f"{folder.rstrip('/')}/{name}"


def _names_in(folder: str) -> list[str]:
    try:
        with os.scandir(_valid(folder)) as entries:
            return [entry.name for entry in islice(entries, _MOST_ENTRIES)]
    except OSError:
        return []


def _shows(name: str, step: str) -> bool:
    """Whether a pattern can match a name: hidden names only if it begins with a dot."""
    return step.startswith(".") or not name.startswith(".")
