"""Read hosts' transcripts as they grow: only what is new, and never much at once."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from msgspec import Struct

from interlock.receipts.transcript_lines import check_transcript, message_ids

__all__ = ["Look", "Transcripts", "parent_of"]

MOST_BYTES = 8 * 1024 * 1024  # at one event; what is left is read at the next
_MOST_FILES = 1024
_MOST_SIBLINGS = 100
_MOST_SEARCHED = 64 * 1024 * 1024


class Look(Struct, frozen=True):
    """What one look at a transcript found, and where the next one begins."""

    path: str
    end: int
    calls: list[str]


class Transcripts:
    """How far each transcript has been read. A new process reads transcripts from the start."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most = most_bytes
        self._ends: dict[str, int] = {}

    def look(self, path: str, since: float) -> Look:
        """The calls that the part of the transcript not read before shows as carried out since a time."""
        start = self._ends.get(path, 0)
        text = _read(path, start, self._most) or b""
        length = text.rfind(b"\n") + 1
        if not length and len(text) == self._most:
            length = len(text)  # a line longer than what is read at once: the rest of it is skipped as a torn line
        return Look(path, start + length, check_transcript(text[:length].split(b"\n"), since))

    def done(self, look: Look) -> None:
        """Begin after this look the next time. Call this only once what it found has been committed."""
        if len(self._ends) >= _MOST_FILES:
            self._ends.clear()
        self._ends[look.path] = look.end


def parent_of(path: str) -> str | None:
    """The session that a fork with this transcript was made from, recognised by the messages that both contain.

    A host does not say which session was forked, and rewrites the session's id in the lines that it copies. If several
    sessions contain the same messages, such as other forks, the one written last is taken.
    """
    mine = message_ids(_read(path, 0, MOST_BYTES) or b"")
    if not mine:
        return None
    best: tuple[int, str] | None = None
    left = _MOST_SEARCHED
    for sibling in _newest_siblings(Path(path)):
        text = _read(str(sibling), 0, min(MOST_BYTES, left)) or b""
        left -= len(text)
        shared = len(mine & message_ids(text))
        if shared and (best is None or shared > best[0]):
            best = shared, sibling.stem
        if left <= 0:
            break
    return None if best is None else best[1]


def _newest_siblings(path: Path) -> list[Path]:
    try:
        with os.scandir(path.parent) as entries:
            found = [
                (entry.stat().st_mtime, entry.name)
                for entry in entries
                if entry.name.endswith(".jsonl") and entry.name != path.name and entry.is_file(follow_symlinks=False)
            ]
    except OSError:
        return []
    return [path.with_name(name) for _, name in sorted(found, reverse=True)[:_MOST_SIBLINGS]]


def _read(path: str, start: int, most: int) -> bytes | None:
    """Part of a file, or None if there is no such file. The path comes from an event, so only a plain file is read."""
    if not path.startswith("/"):
        return None
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        return os.pread(file, most, start) if stat.S_ISREG(os.fstat(file).st_mode) else None
    except OSError:
        return None
    finally:
        os.close(file)
