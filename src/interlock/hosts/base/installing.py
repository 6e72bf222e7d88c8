"""Write a host's setup into its files and take it out again, exactly: plan, show, then write."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from interlock.errors import InterlockError
from interlock.files import jsonedit
from interlock.files.edit import FileChange, apply_changes, may_edit, read_bytes
from interlock.hosts.base.commands import is_hook_command
from interlock.hosts.base.entry_lists import (
    Keys,
    add_entries,
    entries_in,
    new_text,
    read_lists,
    take_entries,
    texts_in,
)
from interlock.hosts.base.host import Host
from interlock.hosts.base.places import backup_folder, client_file
from interlock.hosts.base.setup import EntryFile, HostScope, HostSetup, OwnFile, SetupFile
from interlock.hosts.base.setup_notes import (
    SetupNote,
    drop_setup_note,
    keep_setup_note,
    read_setup_note,
    read_setup_notes,
)

__all__ = [
    "FileState",
    "HostSpot",
    "Level",
    "SetupPlan",
    "SetupState",
    "apply_setup",
    "has_entry",
    "plan_removal",
    "plan_setup",
]

Level: TypeAlias = Literal["none", "complete", "partly", "older", "other", "unreadable"]
_MODE = 0o644  # of a new file with entries: they contain paths, and nothing that is secret
_MARK = b"/interlock/client.py"  # in every file that is Interlock's alone
_NOT_RUN = "it is not executable, so it never runs"


class HostSpot(Struct, frozen=True, kw_only=True):
    """One host in one place: in a project, or wherever this person works."""

    host: Host
    scope: HostScope
    root: Path  # the project's folder
    home: Path

    @property
    def setup(self) -> HostSetup:
        if self.host.setup is None:
            raise InterlockError(f"{self.host.title} is not set up by Interlock")
        return self.host.setup

    @property
    def holder(self) -> tuple[str, str, str]:
        return self.host.name, self.scope, str(self.root) if self.scope == "project" else ""

    def files(self) -> list[SetupFile]:
        return list(self.setup.files(self.scope, self.root, self.home))

    def is_ours(self, value: Any) -> bool:
        """Whether an entry was written by an installation of Interlock for this host, or one that runs the same."""
        own = {str(file.path) for file in self.files() if isinstance(file, OwnFile)}
        names = (self.host.name, *self.setup.entries_with)
        return any(text in own or any(is_hook_command(name, text) for name in names) for text in texts_in(value))

    def is_of_this_installation(self, value: Any) -> bool:
        own = {str(file.path) for file in self.files() if isinstance(file, OwnFile)}
        return any(text in own or str(client_file()) in text for text in texts_in(value))


class FileState(Struct, frozen=True):
    """One file of a setup: how much of it is there, and why that is not all."""

    path: Path
    level: Level
    why: str = ""


class SetupState(Struct, frozen=True):
    """How much of a setup is there."""

    spot: HostSpot
    files: tuple[FileState, ...]

    @property
    def level(self) -> Level:
        levels = {file.level for file in self.files}
        if len(levels) == 1:
            return levels.pop()
        order: tuple[Level, ...] = ("unreadable", "other", "older")
        return next((level for level in order if level in levels), "partly")

    @classmethod
    def of(cls, spot: HostSpot) -> SetupState:
        """What is there now. Nothing is written, and nothing is raised for a file that cannot be read."""
        return cls(spot, tuple(_state_of(spot, file) for file in spot.files()))


class SetupPlan(Struct, frozen=True, kw_only=True):
    """What would be written for some hosts, for a person to look at first."""

    spots: tuple[HostSpot, ...]
    installs: bool
    changes: tuple[FileChange, ...] = ()
    kept: tuple[SetupNote, ...] = ()
    dropped: tuple[SetupNote, ...] = ()
    notices: tuple[str, ...] = ()
    left: tuple[str, ...] = ()  # what is Interlock's, or may be, and stays
    shared: tuple[tuple[HostSpot, SetupNote], ...] = ()  # files that stay because other hosts run the same entries

    @property
    def is_empty(self) -> bool:
        return not self.changes and not self.shared

    def diff(self) -> str:
        """Every change as a unified diff."""
        return "".join(_diff(change) for change in self.changes)


# --- what is there -----------------------------------------------------------------------------------------


def _state_of(spot: HostSpot, file: SetupFile) -> FileState:
    try:
        raw = read_bytes(file.path)
    except InterlockError as error:
        return FileState(file.path, "unreadable", _why_unreadable(error, file))
    if raw is None:
        return FileState(file.path, "none", "it does not exist")
    if isinstance(file, OwnFile):
        return _own_state(raw, file)
    try:
        root = read_lists(_text(raw, file.path), file)
    except InterlockError as error:
        return FileState(file.path, "unreadable" if _MARK in raw else "none", _why_unreadable(error, file))
    ours = entries_in(root, (keys for keys, _ in file.entries), spot.is_ours)
    if not ours:
        return FileState(file.path, "none", "it has none of Interlock's entries")
    stale = [place for place, item in ours if not _is_current(file, place, item)]
    there = [(tuple(place[:-1]), item) for place, item in ours]  # several lists may have the same item
    missing = [keys[-1] for keys, item in file.entries if (tuple(keys), item) not in there]
    if not missing and not stale:
        return FileState(file.path, "complete")
    foreign = [item for _, item in ours if not spot.is_of_this_installation(item)]
    if foreign:
        return FileState(file.path, "other", "another installation of Interlock has written entries there")
    if stale:
        late = file.first and not missing and all(item in (one for _, one in file.entries) for _, item in ours)
        why = "another entry comes before Interlock's, and may decide first"
        return FileState(file.path, "older", why if late else "its entries are not the ones that this version writes")
    return FileState(file.path, "partly", f"it has no entry for {', '.join(missing)}")


def _why_unreadable(error: InterlockError, file: SetupFile) -> str:
    """The error without the path, which is named beside it."""
    why = error.message.removeprefix(f"cannot edit `{file.path}`: ").removeprefix(f"cannot read {file.path}: ")
    return f"{why} (line {error.source.line})" if error.source is not None and error.source.line else why


def has_entry(spot: HostSpot, key: str) -> bool:
    """Whether an installation of Interlock has an entry in one of the host's lists, which this key leads to."""
    for file in spot.files():
        if not isinstance(file, EntryFile):
            continue
        lists = [keys for keys, _ in file.entries if keys[-1] == key]
        try:
            raw = read_bytes(file.path)
            if raw is not None and entries_in(read_lists(_text(raw, file.path), file), lists, spot.is_ours):
                return True
        except InterlockError:
            continue
    return False


def _own_state(raw: bytes, file: OwnFile) -> FileState:
    if raw == file.content:
        return FileState(file.path, "complete") if _may_run(file) else FileState(file.path, "partly", _NOT_RUN)
    if _MARK not in raw:
        return FileState(file.path, "none", "another file is in its place")
    same = bytes(client_file()) in raw
    return FileState(file.path, "older" if same else "other", "it is not the file that this version writes")


def _may_run(file: OwnFile) -> bool:
    """Whether a program of Interlock's can be started, if it is one."""
    return not file.mode & 0o100 or os.access(file.path, os.X_OK)


def _is_current(file: EntryFile, place: Sequence[str | int], item: Any) -> bool:
    """Whether an entry is what it should be, and where it counts."""
    wanted = [one for keys, one in file.entries if keys == tuple(place[: len(keys)])]
    return item in wanted and (not file.first or isinstance(place[-1], str) or int(place[-1]) < len(wanted))


# --- installing --------------------------------------------------------------------------------------------


class _Desk:
    """The files as they would be after what is planned so far: two hosts may share one."""

    def __init__(self) -> None:
        self.before: dict[Path, bytes | None] = {}
        self.now: dict[Path, bytes | None] = {}
        self.modes: dict[Path, int] = {}
        self.owned: set[Path] = set()
        self.unrun: set[Path] = set()  # programs of Interlock's that cannot be started
        self.notes: dict[Path, SetupNote | None] = {}

    def open(self, file: SetupFile) -> bytes | None:
        path = file.path
        if path not in self.now:
            _check_name(path)
            self.before[path] = self.now[path] = may_edit(path)
            self.notes[path] = read_setup_note(path)
            self.modes[path] = file.mode if isinstance(file, OwnFile) else _MODE
            if isinstance(file, OwnFile):
                self.owned.add(path)
        return self.now[path]

    def changes(self) -> tuple[FileChange, ...]:
        return tuple(
            FileChange(path, self.before[path], self.now[path], self.modes[path], sets_mode=path in self.owned)
            for path in self.now
            if self.now[path] != self.before[path] or path in self.unrun
        )


def plan_setup(spots: Sequence[HostSpot]) -> SetupPlan:
    """Put the entries of these hosts into their files. Raises InterlockError for a file that must not be edited."""
    desk = _Desk()
    notices: list[str] = []
    for spot in spots:
        for file in spot.files():
            raw = desk.open(file)
            if isinstance(file, OwnFile):
                done = _FileWithEntries(after=_with_own(raw, file))
                if raw is not None and not _may_run(file):
                    desk.unrun.add(file.path)
            else:
                done = _with_entries(spot, raw, file)
                if done.replaced:
                    notices.append(f"entries of Interlock in {file.path} that were not current are replaced")
            desk.now[file.path] = done.after
            desk.notes[file.path] = _note_for(desk, spot, file, raw, done)
    kept = tuple(note for note in desk.notes.values() if note is not None)
    said = tuple(dict.fromkeys(notices))
    return SetupPlan(spots=tuple(spots), installs=True, changes=desk.changes(), kept=kept, notices=said)


class _FileWithEntries(Struct, frozen=True, kw_only=True):
    """A file with its entries: the keys that were created for them, and what of Interlock's was there before."""

    after: bytes
    made: tuple[Keys, ...] = ()
    replaced: bool = False
    was_there: bool = False


def _with_own(raw: bytes | None, file: OwnFile) -> bytes:
    if raw is not None and raw != file.content and _MARK not in raw:
        raise InterlockError(
            f"`{file.path}` already exists and is not Interlock's; it is left as it is", help="move it elsewhere"
        )
    return file.content


def _with_entries(spot: HostSpot, raw: bytes | None, file: EntryFile) -> _FileWithEntries:
    text = new_text(file) if raw is None or not raw.strip() else _text(raw, file.path)
    lists = [keys for keys, _ in file.entries]
    ours = entries_in(read_lists(text, file), lists, spot.is_ours)
    stale = [place for place, item in ours if not _is_current(file, place, item)]
    added, made = add_entries(take_entries(text, file, stale, lambda keys: False), file)
    # INVARIANT: whatever is not Interlock's means the same afterwards.
    places = [place for place, _ in entries_in(read_lists(added, file), lists, spot.is_ours)]
    rest = [take_entries(text, file, [place for place, _ in ours], lambda keys: False)]
    rest.append(take_entries(added, file, places, lambda keys: keys in made))
    state = [jsonedit.read(one, jsonc=file.jsonc).plain() for one in rest]
    if state[0] != state[1] or any(item not in _list_at(added, file, keys) for keys, item in file.entries):
        raise InterlockError(f"Interlock's entries cannot be added to `{file.path}`; it is left as it is")
    return _FileWithEntries(after=added.encode("utf-8"), made=made, replaced=bool(stale), was_there=bool(ours))


def _list_at(text: str, file: EntryFile, keys: Keys) -> Any:
    value = jsonedit.read(text, jsonc=file.jsonc).plain()
    for key in keys:
        value = value[key]
    return value


def _note_for(desk: _Desk, spot: HostSpot, file: SetupFile, raw: bytes | None, done: _FileWithEntries) -> SetupNote:
    items = tuple((keys, item) for keys, item in file.entries) if isinstance(file, EntryFile) else ()
    old = desk.notes[file.path]
    if old is None:
        before = None if isinstance(file, OwnFile) else raw
        folders = tuple(str(folder) for folder in file.path.parents if not folder.exists())
        return SetupNote(
            file=str(file.path), holders=(spot.holder,), before=before, exact=not done.was_there, after=done.after,
            items=items, made=None if done.was_there else done.made, folders=folders,
        )  # fmt: skip
    holders = tuple(dict.fromkeys((*old.holders, spot.holder)))
    return replace(
        old,
        holders=holders,
        exact=old.exact and raw == old.after,
        after=done.after,
        items=(*(one for one in old.items if one not in items), *items),
        made=None if old.made is None else tuple(dict.fromkeys((*old.made, *done.made))),
    )


# --- taking out --------------------------------------------------------------------------------------------


def plan_removal(spots: Sequence[HostSpot]) -> SetupPlan:
    """Take out of the hosts' files what Interlock has put there. Raises InterlockError if one must not be edited."""
    desk = _Desk()
    left: list[str] = []
    kept: dict[Path, SetupNote] = {}
    dropped: dict[Path, SetupNote] = {}
    shared: dict[Path, tuple[HostSpot, SetupNote]] = {}
    for spot in spots:
        for file in spot.files():
            raw = desk.open(file)
            note = desk.notes[file.path]
            others = tuple(one for one in note.holders if one != spot.holder) if note is not None else ()
            after = _without(spot, file, raw, note, others, left)
            desk.now[file.path] = after
            if note is None:
                continue
            if others:
                same = note.exact and raw == note.after
                note = replace(note, holders=others, exact=same, after=after if after is not None else note.after)
                desk.notes[file.path] = kept[file.path] = note
                if _runs_the_same(spot, others):
                    shared[file.path] = spot, note
            else:
                desk.notes[file.path] = None
                kept.pop(file.path, None)
                shared.pop(file.path, None)
                dropped[file.path] = note
        dropped |= {Path(note.file): note for note in _notes_of_lost_files(spot) if Path(note.file) not in desk.now}
    return SetupPlan(
        spots=tuple(spots), installs=False, changes=desk.changes(), kept=tuple(kept.values()),
        dropped=tuple(dropped.values()), left=tuple(dict.fromkeys(left)), shared=tuple(shared.values()),
    )  # fmt: skip


def _runs_the_same(spot: HostSpot, others: Iterable[tuple[str, str, str]]) -> bool:
    """Whether another setup needs the very entries of this one."""
    return any(name in spot.setup.entries_with for name, _, _ in others)


def _notes_of_lost_files(spot: HostSpot) -> Iterable[SetupNote]:
    """What is noted of files that this setup alone had written, and that somebody has removed since."""
    return [note for note in read_setup_notes() if note.holders == (spot.holder,) and not Path(note.file).exists()]


def _without(
    spot: HostSpot,
    file: SetupFile,
    raw: bytes | None,
    note: SetupNote | None,
    others: Iterable[tuple[str, str, str]],
    left: list[str],
) -> bytes | None:
    """The file without this setup's part of it."""
    if raw is None:
        return None
    if isinstance(file, OwnFile):
        if others:
            return raw  # another setup runs it
        if raw == file.content or (note is not None and raw == note.after) or bytes(client_file()) in raw:
            return None
        if _MARK in raw:
            left.append(f"{file.path} of another installation of Interlock")
        return raw
    if _runs_the_same(spot, others):
        return raw
    if not others and note is not None and note.exact and raw == note.after:
        return note.before
    return _without_entries(spot, file, raw, note, left)


def _without_entries(
    spot: HostSpot, file: EntryFile, raw: bytes, note: SetupNote | None, left: list[str]
) -> bytes | None:
    text = _text(raw, file.path)
    noted = note.items if note is not None else ()
    lists = [keys for keys, _ in (*file.entries, *noted)]
    found = entries_in(read_lists(text, file), lists, spot.is_ours)
    known = [item for _, item in (*file.entries, *noted)]
    ours = [place for place, item in found if item in known or spot.is_of_this_installation(item)]
    if len(ours) < len(found):
        left.append(f"entries of another installation of Interlock in {file.path}")
    text = take_entries(text, file, ours, lambda keys: note is None or note.made is None or keys in note.made)
    if note is not None and note.before is None and _is_bare(text, file):
        return None
    return text.encode("utf-8")


def _is_bare(text: str, file: EntryFile) -> bool:
    """Whether there is nothing in a file but what every such file has, not even a comment."""
    try:
        return jsonedit.read(text).plain() in ({}, file.start)
    except InterlockError:
        return False


# --- writing -----------------------------------------------------------------------------------------------


def apply_setup(plan: SetupPlan) -> list[Path]:
    """Write a plan, all or nothing. Returns where the earlier versions of the files are kept."""
    copies = apply_changes(list(plan.changes), backup_folder)
    for note in plan.kept:
        keep_setup_note(note)
    for note in plan.dropped:
        drop_setup_note(Path(note.file))
        if not Path(note.file).exists():
            _remove_folders(note.folders)
    return copies


def _remove_folders(folders: Iterable[str]) -> None:
    with suppress(OSError):  # something else is in it
        for folder in folders:
            Path(folder).rmdir()


def _text(raw: bytes, path: Path) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        help = "save it as UTF-8, then run this again; the file is left as it is"
        raise InterlockError(f"cannot edit `{path}`: it is not UTF-8", help=help) from error


def _check_name(path: Path) -> None:
    try:
        str(path).encode("utf-8")
    except UnicodeEncodeError as error:
        raise InterlockError(
            f"the path {str(path)!a} is not valid UTF-8, so nothing can be installed there",
            help="rename the folder, or use `--scope user`",
        ) from error


def _diff(change: FileChange) -> str:
    was, now = (side.decode("utf-8", "replace") if side else "" for side in (change.before, change.after))
    old, new = ("(no file)" if side is None else str(change.path) for side in (change.before, change.after))
    found = list(difflib.unified_diff(was.splitlines(), now.splitlines(), old, new, lineterm=""))
    return "".join(f"{line}\n" for line in found or [f"--- {old}", f"+++ {new}"])
