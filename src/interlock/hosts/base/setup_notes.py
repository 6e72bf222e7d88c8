"""What was written into the files of hosts, kept in the state folder so that exactly that can be taken out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import DecodeError, Struct, json

from interlock.config.places import state_folder
from interlock.errors import InterlockError
from interlock.files.atomic import write_atomically
from interlock.hosts.base.places import short_name

__all__ = ["SetupNote", "drop_setup_note", "keep_setup_note", "read_setup_note", "read_setup_notes"]


class SetupNote(Struct, frozen=True, kw_only=True):
    """What Interlock did to one file.

    `holders` are the setups that need it: the name of a host, the scope, and the project's folder if it is a
    project's. The last one that goes takes everything out.
    """

    file: str
    holders: tuple[tuple[str, str, str], ...]
    before: bytes | None  # None: there was no file
    exact: bool  # nobody else has changed it since, so `before` is what comes back
    after: bytes
    items: tuple[tuple[tuple[str, ...], Any], ...] = ()
    made: tuple[tuple[str, ...], ...] | None = ()  # keys that were created for them; None: nobody knows any more
    folders: tuple[str, ...] = ()  # that were created for the file, the innermost first


def _place(file: Path) -> Path:
    return state_folder() / "setups" / f"{short_name(file)}.json"


def read_setup_note(file: Path) -> SetupNote | None:
    """What is noted about a file. Raises InterlockError if the note cannot be read."""
    place = _place(file)
    try:
        return json.decode(place.read_bytes(), type=SetupNote)
    except FileNotFoundError:
        return None
    except (OSError, DecodeError) as error:
        help = "remove that file; entries that are exactly as Interlock wrote them are found without it"
        raise InterlockError(f"cannot read the record of what was installed, `{place}`: {error}", help=help) from error


def read_setup_notes() -> list[SetupNote]:
    """Everything that is noted; a note that cannot be read is skipped."""
    found = []
    for place in sorted(_place(Path()).parent.glob("*.json")):
        try:
            found.append(json.decode(place.read_bytes(), type=SetupNote))
        except (OSError, DecodeError):
            continue
    return found


def keep_setup_note(note: SetupNote) -> None:
    place = _place(Path(note.file))
    try:
        write_atomically(place, json.encode(note))
    except OSError as error:
        raise InterlockError(f"cannot record what was installed in `{place}`: {error.strerror}") from error


def drop_setup_note(file: Path) -> None:
    _place(file).unlink(missing_ok=True)
