"""Which entries belong in which settings file: noted when they are written, or first seen there."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import DecodeError, Struct, json

from interlock.config.places import state_folder
from interlock.errors import InterlockError
from interlock.files.atomic import write_atomically
from interlock.files.private import private_folder
from interlock.hosts.claude_code.entries import Entries, Handler, is_entry
from interlock.hosts.claude_code.places import Scope, note_file
from interlock.hosts.claude_code.settings_rules import read_settings

__all__ = [
    "EntryNote",
    "drop_note",
    "folder_identity",
    "keep_note",
    "note_of",
    "notes_folder",
    "notes_locked",
    "read_notes",
]

_MOST_NOTES = 1000


class EntryNote(Struct, frozen=True, kw_only=True):
    """What belongs in one settings file, and what has happened to it."""

    file: str
    scope: Scope
    entries: dict[str, Handler]  # empty: `interlock uninstall` removed them
    switch: bool | None = None  # what the file says about `disableAllHooks`
    good: bytes = b""  # the file when its entries were last seen intact
    folder: tuple[int, int] | None = None  # which folder it was in, told from a later one of the same name
    lost: str = ""  # why the entries would not run and were not put back, in the words of the notice
    untold: tuple[str, ...] = ()  # what a person is to be told at the next event
    again: str = ""  # what they are told once more with the first prompt of the next session
    told_to: tuple[int, int] | None = None  # the host process that was told
    known: tuple[str, ...] = ()  # versions without entries that git checked out, and a person was told of
    off: tuple[str, ...] = ()  # what keeps them from running in other files, and a person was told of


def notes_folder() -> Path:
    return state_folder() / "entries"


def note_of(file: Path, scope: Scope, entries: Entries, raw: bytes, off: Iterable[str] = ()) -> EntryNote:
    """A note of the entries that a file contains now, and of what already keeps them from running."""
    switch = read_settings(raw, str(file)).disables
    return EntryNote(
        file=str(file), scope=scope, entries=dict(entries), switch=switch, good=raw,
        folder=folder_identity(file), off=tuple(off),
    )  # fmt: skip


def folder_identity(file: Path) -> tuple[int, int] | None:
    """Which folder the settings folder of a file is in; None if it is gone."""
    try:
        found = file.parent.parent.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def read_notes() -> dict[str, EntryNote]:
    """Every note, by the file it is about. A note that cannot be read is skipped, and taken again from the file."""
    found = {}
    try:
        places = sorted(notes_folder().glob("*.json"))[:_MOST_NOTES]
    except OSError:
        return {}
    for place in places:
        try:
            note = json.decode(place.read_bytes(), type=EntryNote)
        except (OSError, DecodeError):
            continue
        ours = all(is_entry(event, handler) for event, handler in note.entries.items())
        if ours and place == note_file(Path(note.file)):
            found[note.file] = note
    return found


def keep_note(note: EntryNote) -> None:
    """Write a note, whole or not at all."""
    place = note_file(Path(note.file))
    try:
        write_atomically(place, json.encode(note))
    except OSError as error:
        raise InterlockError(f"cannot note which entries are in `{note.file}`: {error.strerror}") from error


def drop_note(file: Path) -> None:
    """Note that no entries belong in a file any more. The empty note stays, because a missing note says nothing."""
    if notes_folder().is_dir():
        keep_note(EntryNote(file=str(file), scope="local", entries={}))


@contextmanager
def notes_locked() -> Iterator[None]:
    """Keep other processes from changing notes and the entries they are about."""
    place = notes_folder() / "lock"
    try:
        private_folder(place.parent)
        lock = os.open(place, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise InterlockError(f"cannot use `{place}`: {error.strerror}") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)
