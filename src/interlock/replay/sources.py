"""Which sessions of the past there are: transcripts in Claude Code's folder, or in the files and folders given."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import DecodeError, Struct, json

from interlock.errors import InterlockError
from interlock.hosts.claude_code.places import config_folder
from interlock.receipts.transcript_lines import time_of
from interlock.replay.faults import Faults

__all__ = [
    "PastSession",
    "check_places",
    "find_sessions",
    "first_time",
    "in_order",
    "newest_first",
    "of_project",
    "own_folder",
    "transcripts_folder",
]

_PEEKED = 64 * 1024
_SESSION = re.compile(rb'"sessionId":\s*"([^"\\]{1,200})"')
_CWD = re.compile(rb'"cwd":\s*("(?:[^"\\]|\\.){1,4096}")')
_TIME = re.compile(rb'"timestamp":\s*"([^"\\]{1,64})"')


class PastSession(Struct, frozen=True):
    """The transcript of a session: its own file first, then those of its subagents."""

    id: str
    files: tuple[Path, ...]
    size: int
    changed: float  # when it was last written to


class _File(Struct, frozen=True):
    path: Path
    session: str
    size: int
    changed: float
    is_main: bool


def transcripts_folder() -> Path:
    """Where Claude Code keeps the transcripts of a person."""
    return config_folder() / "projects"


def own_folder(project: Path) -> Path:
    """Where Claude Code keeps the transcripts of sessions that were started in a folder."""
    return transcripts_folder() / re.sub(r"[^A-Za-z0-9]", "-", str(project))


def find_sessions(places: Sequence[Path], faults: Faults, since: float = 0.0) -> list[PastSession]:
    """The sessions in these files and folders that were written to since a time."""
    groups: dict[tuple[str, str], list[_File]] = {}
    for place in places:
        for path in _transcripts_in(place):
            file = _describe(path, faults)
            if file is not None:
                groups.setdefault((_shelf_of(path), file.session), []).append(file)
    return [session for files in groups.values() if (session := _session(files)).changed >= since]


def in_order(sessions: Iterable[PastSession]) -> list[PastSession]:
    """The sessions by the time of their first line, so that each one finds the state that earlier ones left."""
    return sorted(
        sessions,
        key=lambda session: (first_time(session.files[0]) or session.changed, session.changed, str(session.files[0])),
    )


def newest_first(sessions: Iterable[PastSession]) -> list[PastSession]:
    """The sessions, the one that was last written to first."""
    return sorted(sessions, key=lambda session: (-session.changed, str(session.files[0])))


def of_project(session: PastSession, project: Path) -> bool:
    """Whether a session began in a folder or in one below it."""
    try:
        found = _CWD.search(_head(session.files[0]))
        return found is not None and Path(json.decode(found[1], type=str)).is_relative_to(project)
    except (OSError, DecodeError, UnicodeDecodeError):
        return False


def _transcripts_in(place: Path) -> Iterator[Path]:
    if not place.is_dir():
        yield place
        return
    for folder, folders, names in os.walk(place):
        folders.sort()
        found = (Path(folder) / name for name in sorted(names) if name.endswith(".jsonl"))
        yield from (path for path in found if path.is_file())


def _shelf_of(path: Path) -> str:
    """The folder that a session's own file is in, even for the file of a subagent."""
    return str(next((parent.parent.parent for parent in path.parents if parent.name == "subagents"), path.parent))


def _describe(path: Path, faults: Faults) -> _File | None:
    try:
        about = path.stat()
        is_main = not path.name.startswith("agent-")
        session = path.stem if is_main else _session_of_agent(path)
    except OSError as error:
        faults.add(f"files that cannot be read ({error.strerror})", path)
        return None
    return _File(path, session, about.st_size, about.st_mtime, is_main)


def _session_of_agent(path: Path) -> str:
    for parent in path.parents:
        if parent.name == "subagents":
            return parent.parent.name
    # Earlier clients put the files of subagents beside those of sessions, so only the lines say which one it is.
    found = _SESSION.search(_head(path))
    return found[1].decode("utf-8", "replace") if found else path.stem


def _session(files: list[_File]) -> PastSession:
    files = sorted(files, key=lambda file: (not file.is_main, str(file.path)))
    return PastSession(
        id=files[0].session,
        files=tuple(dict.fromkeys(file.path for file in files)),
        size=sum(file.size for file in files),
        changed=max(file.changed for file in files),
    )


def first_time(path: Path) -> float:
    """When the first line of a transcript was written; 0 if it does not say."""
    try:
        found = _TIME.search(_head(path))
    except OSError:
        return 0.0  # counted when it is read
    return time_of(found[1].decode("ascii", "replace")) or 0.0 if found else 0.0


def _head(path: Path) -> bytes:
    if not path.is_file():
        return b""  # what is read from a pipe is gone
    with path.open("rb") as stream:
        return stream.read(_PEEKED)


def check_places(places: Sequence[Path]) -> None:
    """Refuse a file or folder that does not exist. Raises InterlockError."""
    for place in places:
        if not place.exists():
            raise InterlockError(f"`{place}` does not exist", help="give transcripts (*.jsonl) or folders with them")
