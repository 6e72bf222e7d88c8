"""Put lost entries back into a settings file, unless that would break other work."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from msgspec import Struct

from interlock.errors import InterlockError
from interlock.files.edit import FileChange, apply_changes, may_edit
from interlock.files.git import is_in_a_stash, is_looked_after
from interlock.hosts.base.launcher import write_launcher
from interlock.hosts.claude_code.address import read_address, web_entry
from interlock.hosts.claude_code.entries import Entries, Handler
from interlock.hosts.claude_code.entry_notes import EntryNote, folder_identity
from interlock.hosts.claude_code.events import WEB_EVENTS
from interlock.hosts.claude_code.installer import MODES, with_entries_again
from interlock.hosts.claude_code.places import backup_folder, launcher_file, socket_path
from interlock.hosts.claude_code.recovery import direct
from interlock.hosts.claude_code.settings_files import SettingsPlace
from interlock.hosts.claude_code.settings_rules import Settings, matches_all, read_settings
from interlock.hosts.claude_code.settings_state import SettingsFile, hindrances

__all__ = ["NotPutBack", "PutBack", "place_of", "put_back"]


class NotPutBack(InterlockError):  # noqa: N818 - said of entries
    """Why entries are not put back. The message is a clause: "They were not put back, because …"."""


class PutBack(Struct, frozen=True):
    """A file with its entries back, and where the version without them is kept."""

    raw: bytes
    copy: Path | None


def place_of(note: EntryNote) -> SettingsPlace:
    return SettingsPlace(note.scope, Path(note.file))


def put_back(note: EntryNote) -> PutBack:
    """Put the entries of a note back into its file. Raises NotPutBack if only a person may do that."""
    file = Path(note.file)
    try:
        _check_place(note, file)
        _check_programs(note.entries)
        raw = may_edit(file)
        after = _with_entries(raw, note, file)
        copies = apply_changes([FileChange(file, raw, after, MODES[note.scope])], backup_folder) if after != raw else []
    except InterlockError as error:
        raise NotPutBack(error.message) from error
    if after == raw:
        raise NotPutBack("the entries themselves are in place")
    return PutBack(after, copies[0] if copies else None)


def _check_place(note: EntryNote, file: Path) -> None:
    """Refuse files that git may write, folders that are gone, and new folders of the same name."""
    if not file.parent.is_dir():
        raise NotPutBack(f"the folder {file.parent} is gone")
    # A new folder of the same name may be another project, in which no person has run `interlock init`.
    if note.folder is not None and folder_identity(file) != note.folder:
        raise NotPutBack(f"{file.parent.parent} is another folder than the one they were put into")
    # Entries in such a file would show up as a change in the work of others, or block a checkout.
    if is_looked_after(file):
        raise NotPutBack("git tracks the file, here or on another branch")
    if not os.path.lexists(file) and is_in_a_stash(file):
        raise NotPutBack("`git stash` has put the file away; `git stash pop` brings it back")


def _check_programs(entries: Entries) -> None:
    """Refuse entries that could not run: they would deny every call, and their program may be gone on purpose."""
    if any(handler.get("command") == str(launcher_file()) for handler in entries.values()):
        write_launcher()
    for handler in entries.values():
        if (what := _missing_program(handler)) is not None:
            raise NotPutBack(f"{what} is gone")


def _missing_program(handler: Handler) -> str | None:
    """What an entry needs and cannot find; None if it would run."""
    if handler.get("type") == "http":
        event = str(handler.get("url")).rpartition("/")[2]
        address = read_address(socket_path().parent)
        lives = address is not None and event in WEB_EVENTS and handler == web_entry(event, address, handler["timeout"])
        return None if lives else f"what answers on {handler.get('url')}"
    handler = direct(handler)
    command = str(handler.get("command"))
    if "/" not in command:  # the form for shared files, which names no path of one machine
        return None if shutil.which(command) else f"`{command}` on the search path"
    if not os.access(command, os.X_OK):
        return command
    script = next((word for word in handler.get("args", ()) if str(word).endswith(".py")), None)
    return script if script is not None and not Path(script).is_file() else None


def _with_entries(raw: bytes | None, note: EntryNote, file: Path) -> bytes:
    """The file with its entries back. If the client ignores the whole file, its last good version replaces it."""
    try:
        return with_entries_again(raw, file, note.entries, note.switch)
    except InterlockError:
        good = SettingsFile(note.scope, note.file, note.file, read_settings(note.good, note.file))
        if (
            raw is None
            or not _is_useless(read_settings(raw, note.file), note.entries)
            or hindrances(good, note.entries)
        ):
            raise
        return note.good


def _is_useless(settings: Settings, entries: Entries) -> bool:
    """Whether nothing is lost by replacing a file: all clients ignore it, not only old ones."""
    there = {
        hook.event for hook in settings.hooks if matches_all(hook.matcher) and entries.get(hook.event) == hook.handler
    }
    return settings.is_ignored_today or (settings.ignored is not None and there != entries.keys())
