"""Watch Interlock's entries in the hosts' settings: put back what was lost, or tell the person.

A running session protects itself: it does not apply settings that would switch Interlock off. The next session reads
what the files contain, so they are checked on every event except those before calls, and while no event comes.
"""

from __future__ import annotations

import hashlib
import os
import stat
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from interlock.config.places import state_folder
from interlock.daemon.log import say
from interlock.daemon.peers import Process, argv_of
from interlock.daemon.settings_watch import config_folder_of
from interlock.errors import InterlockError, text_of
from interlock.files.git import is_as_committed, is_looked_after
from interlock.fold import Answers, Round
from interlock.hosts.claude_code import places
from interlock.hosts.claude_code.entry_notes import (
    EntryNote,
    folder_identity,
    keep_note,
    note_of,
    notes_folder,
    notes_locked,
    read_notes,
)
from interlock.hosts.claude_code.installer import read_manifest
from interlock.hosts.claude_code.places import Scope, config_folder
from interlock.hosts.claude_code.settings_files import SettingsPlace, settings_places
from interlock.hosts.claude_code.settings_state import (
    SettingsFile,
    SettingsState,
    entries_in,
    hindrances,
    our_entries,
    read_file,
    settings_state,
)
from interlock.hosts.claude_code.upkeep import NotPutBack, place_of, put_back
from interlock.judging.pause import Pause
from interlock.policy.situation import Panel, Situation
from interlock.verdict import Opinion

__all__ = ["EntryWatch"]

_EVERY = 4.0  # seconds between two checks while no event comes
_UNSURE = 100_000_000  # nanoseconds within which a file can change twice and look the same
_HALF_WRITTEN, _MOST_READS = 0.1, 10  # seconds within which a program that is writing a file has written more of it
_MOST_SESSIONS = 256
_MOST_PUT_BACK, _HOUR = 20, 3600.0  # of one file: entries that are removed more often are removed on purpose
_MOST_KNOWN = 32
# Events whose notices a person reads; a notice at SessionStart is not shown in a headless run.
_BEGINNING = "UserPromptSubmit"
_SEEN = frozenset({_BEGINNING, "PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch", "Stop"})

_BEFORE = "PreToolUse"
_NO_FOLDER = Path()  # for a host not seen yet: never equal to a real settings folder, whose path is absolute

# Events of a session that has already begun; and the options with which a host reads settings from elsewhere.
_LATER = frozenset({"PostToolUse", "PostToolUseFailure", "PostToolBatch", "Stop"})
_OTHER_SETTINGS = ("--settings", "--setting-sources", "--plugin-dir")

_Mark: TypeAlias = tuple[int, ...] | None
_Marks: TypeAlias = tuple[_Mark, ...]


class _Notices(Struct, frozen=True):
    """Tells the person something, and has no influence on the verdict."""

    texts: tuple[str, ...]

    def ask(self, situation: Situation, round_: Round) -> Answers:
        return {0: tuple(Opinion(by="core/entries", notice=text) for text in self.texts)}


class _Session(Struct):
    """The settings files of a session, and their marks when they were last checked."""

    places: tuple[SettingsPlace, ...]
    files: tuple[str, ...]  # these, and the folder of the notes
    marks: _Marks = ()
    unknown: bool = False  # whether none of them contains entries, or is known to have contained any
    is_known: bool = False  # they have been checked


class EntryWatch:
    """Every settings file in which this person's installations have written entries, or in which some were found."""

    def __init__(self, record: Callable[[dict[str, Any]], None]) -> None:
        """`record` adds to the audit record what was lost."""
        self._record = record
        self._notes: dict[str, EntryNote] = {}
        self._has_news = False  # one of them has something to tell the person
        self._notes_mark: _Mark = None
        self._sessions: OrderedDict[tuple[Path, Path | None], _Session] = OrderedDict()
        self._configs: OrderedDict[Process | None, Path | None] = OrderedDict()
        self._seen: dict[str, _Mark] = {}  # marks at the last check while no event came
        self._checked: dict[str, _Mark] = {}  # marks of files that such a check has dealt with
        self._put_back: dict[str, list[float]] = {}
        self._unknown_hosts: set[Process] = set()
        self._trouble = ""
        self._lock = threading.RLock()
        self._over = threading.Event()

    def beside(self, event: str, project: Path, host: Process | None) -> Sequence[Panel]:
        """Check a session's settings on one of its events; return what to tell the person."""
        # The event after a call sees whatever the call changed. No lock here: a slow check must not hold up a call.
        if event == _BEFORE and not self._has_news:
            known = self._sessions.get((project, self._configs.get(host, _NO_FOLDER)))
            if known is not None and known.is_known:
                return ()
        try:
            with self._lock:
                session = self._look(event, project, self._config(host))
                texts = self._texts(event, session, host) if event in _SEEN else ()
                if session.unknown and event in _LATER:
                    texts += self._unknown_texts(project, host)
        except (InterlockError, OSError) as error:  # the running session is guarded, whatever happens to the next one
            why = error.in_one_line() if isinstance(error, InterlockError) else str(error)
            texts = self._trouble_texts(f"Interlock cannot see whether its entries are still in the settings: {why}")
        return (_Notices(texts),) if texts else ()

    def _trouble_texts(self, text: str) -> tuple[str, ...]:
        """What to tell the person if the check fails: the same text only once."""
        if text == self._trouble:
            return ()
        self._trouble = text
        say(text)
        return (text,)

    @contextmanager
    def running(self) -> Iterator[None]:
        """Check at intervals too, while no event comes."""
        thread = threading.Thread(target=self._run, daemon=True, name="interlock-entries")
        thread.start()
        try:
            yield
        finally:
            self._over.set()
            thread.join(_EVERY)

    def _run(self) -> None:
        while not self._over.wait(_EVERY):
            try:
                self.look_everywhere()
            except Exception as error:  # noqa: BLE001 - a bug in Interlock must not end the thread silently
                say(f"cannot look after the entries: {type(error).__name__}: {text_of(error)}")

    # --- looking -------------------------------------------------------------------------------------------------

    def look_everywhere(self) -> None:
        """Check every file with entries that has changed, and has not changed again since the last check.

        That gives an editor time to finish saving, and git time to finish a rebase.
        """
        if not state_folder().is_dir():
            return  # a person has removed all entries
        with self._lock:
            with notes_locked():
                self._reload()
            for file in [file for file, note in self._notes.items() if note.entries]:
                now = _mark(file)
                before, self._seen[file] = self._seen.get(file), now
                if now != before or (file in self._checked and self._checked[file] == now):
                    continue
                with notes_locked():
                    self._reload()
                    note = self._notes.get(file)
                    if (
                        note is not None
                        and note.entries
                        and self._check(note, partial(settings_state, Path(file).parent.parent))
                    ):
                        self._checked[file] = _mark(file)

    def _look(self, event: str, project: Path, config: Path | None) -> _Session:
        """Check the files of a session if any of them has changed since the last check."""
        session = self._session(event, project, config)
        if (event == _BEFORE and session.is_known) or _marks(session.files) == session.marks:
            return session
        started = time.time_ns()
        done = True
        with notes_locked():
            self._reload()
            for note in self._notes_of(session, settings_state(project, config_dir=config)):
                done &= self._check(note, partial(settings_state, project, config_dir=config))
            whole = settings_state(project, config_dir=config)  # including what was put back
            for note in self._notes_of(session, whole):
                if not note.lost:
                    self._check_others(note, whole)
            session.unknown = not whole.running and not any(str(one.path) in self._notes for one in session.places)
        session.marks = _once_settled(_marks(session.files), started) if done else ()
        session.is_known = True
        return session

    def _notes_of(self, session: _Session, whole: SettingsState) -> list[EntryNote]:
        """The notes of a session's files; entries found for the first time are noted."""
        for place in session.places:
            self._meet(place, whole)
        found = (self._notes.get(str(place.path)) for place in session.places)
        return [note for note in found if note is not None and note.entries]

    def _session(self, event: str, project: Path, config: Path | None) -> _Session:
        key = (project, config)
        session = self._sessions.get(key)
        if session is None or event == "SessionStart":  # which files are read may be different by now
            found = tuple(settings_places(project, config or config_folder(), places.MANAGED))
            files = (str(notes_folder()), *(str(place.path) for place in found))
            session = self._sessions[key] = _Session(found, files)
            if len(self._sessions) > _MOST_SESSIONS:
                self._sessions.popitem(last=False)
        return session

    def _config(self, host: Process | None) -> Path | None:
        if host not in self._configs:
            self._configs[host] = config_folder_of(host)
            if len(self._configs) > _MOST_SESSIONS:
                self._configs.popitem(last=False)
        return self._configs[host]

    # --- notes ---------------------------------------------------------------------------------------------------

    def _reload(self) -> None:
        """Read the notes again if they changed. A missing note is rewritten: only an empty one means "uninstalled"."""
        mark = _mark(str(notes_folder()))
        if mark is not None and mark == self._notes_mark:
            return
        before, self._notes = self._notes, read_notes()
        self._has_news = self._finds_news()
        for file, note in before.items():
            now = self._notes.get(file)
            if not note.entries:
                continue
            if now is None and state_folder().is_dir():
                self._keep(note)
            elif now is not None and not now.entries and not now.lost:
                self._say_uninstalled(now)
        # A note written right after this may leave the same mark, so a recent mark is not trusted.
        self._notes_mark = mark if mark is not None and mark[4] < time.time_ns() - _UNSURE else None

    def _finds_news(self) -> bool:
        return any(note.untold or note.again for note in self._notes.values())

    def _say_uninstalled(self, note: EntryNote) -> None:
        """Tell the sessions that still run, once: a script run by an agent could have uninstalled Interlock."""
        text = f"`interlock uninstall` removed Interlock's entries from {note.file}. New sessions do not run them."
        self._keep(replace(note, lost=text, untold=(text,)))
        self._write({"event": "Uninstall", "file": note.file, "reason": text})

    def _keep(self, note: EntryNote) -> None:
        if self._notes.get(note.file) != note:
            keep_note(note)
            self._notes[note.file] = note
            self._has_news = self._finds_news()
            self._notes_mark = None

    def _meet(self, place: SettingsPlace, whole: SettingsState) -> None:
        """Note the entries of a file that has no note yet."""
        known = self._notes.get(str(place.path))
        if known is not None and known.entries:
            return
        file, raw = read_file(place)
        manifest = read_manifest(place.path)  # an earlier version may have written different entries
        entries = entries_in(file, [*our_entries(), *([manifest.entries] if manifest is not None else [])])
        if entries and raw is not None:
            self._keep(note_of(place.path, place.scope, entries, raw, _whys(whole, place.scope)))

    # --- one file ------------------------------------------------------------------------------------------------

    def _check(self, note: EntryNote, whole: Callable[[], SettingsState]) -> bool:
        """Check that a note's entries are in its file; if not, put them back or report it. Returns whether it is done.

        `whole` gives the combined settings of all the files that a session reads together with this one.
        """
        file, raw = _read_whole(note)
        why = hindrances(file, note.entries)
        if not why and raw is not None:
            self._keep(_well(note, raw))
            return True
        if folder_identity(Path(note.file)) is None:
            return True  # the project is gone, so there is nothing left to guard
        if Pause.now() is not None:
            return False  # paused: a person may be working on the settings
        try:
            self._restore(note, why, whole)
        except NotPutBack as error:
            self._lose(note, raw, why, error.message, whole)
        return True

    def _restore(self, note: EntryNote, why: Sequence[str], whole: Callable[[], SettingsState]) -> None:
        times = [at for at in self._put_back.get(note.file, []) if time.monotonic() - at < _HOUR]
        if len(times) >= _MOST_PUT_BACK:
            raise NotPutBack(f"they were put back {_MOST_PUT_BACK} times within an hour")
        done = put_back(note)
        self._put_back[note.file] = [*times, time.monotonic()]
        kept = f"; the version without them is kept in {done.copy}" if done.copy is not None else ""
        text = (
            f"Interlock's entries were lost: {'; '.join(why)}. They have been put back{kept}. To remove them for good, "
            f"run `{_command('uninstall', note)}`."
        )
        self._keep(replace(_well(note, done.raw), untold=(*note.untold, text)))
        self._write(_loss(note, text, put_back=True))
        file, raw = _read_whole(note)
        if left := hindrances(file, note.entries):
            self._lose(self._notes[note.file], raw, left, "something else keeps them from running", whole)

    def _lose(
        self, note: EntryNote, raw: bytes | None, why: Sequence[str], why_not: str, whole: Callable[[], SettingsState]
    ) -> None:
        """Report, once, that entries would not run and were not put back."""
        lost = f"{'; '.join(why)}. They were not put back, because {why_not}"
        if lost == note.lost:
            return
        text = (
            f"Interlock's entries would not run in new sessions: {lost}. `{_command('init', note)}` puts them in "
            f"again; to remove them for good, run `{_command('uninstall', note)}`."
        )
        place = Path(note.file)
        normal = is_as_committed(place, raw) and is_looked_after(place)  # another branch, say
        version = hashlib.sha256(raw or b"").hexdigest()[:16] if normal else ""
        tell = version not in note.known and not _is_covered(note, whole)
        known = (*note.known, version)[-_MOST_KNOWN:] if version and version not in note.known else note.known
        untold, again = ((*note.untold, text), text) if tell else (note.untold, "")
        self._keep(replace(note, lost=lost, untold=untold, again=again, known=known))
        self._write(_loss(note, text, put_back=False))

    def _check_others(self, note: EntryNote, whole: SettingsState) -> None:
        """Report, once, what else keeps entries from running although they are in place."""
        now = _whys(whole, note.scope)
        new = [why for why in now if why not in note.off]
        here = [file.path for file in whole.files]
        known = [why for why in note.off if why in now or not any(path in why for path in here)]
        if not new:
            over = not now and any(path in note.again for path in here if path != note.file)
            self._keep(replace(note, off=tuple(known), again="" if over else note.again))
            return
        text = (
            f"Interlock's entries in {note.file} would not run in new sessions here: {'; '.join(new)}. If you did not "
            f"want that, remove it; `interlock doctor` shows more. To remove the entries for good, run "
            f"`{_command('uninstall', note)}`."
        )
        self._keep(replace(note, off=(*known, *new), untold=(*note.untold, text), again=text))
        self._write(_loss(note, text, put_back=False))

    def _write(self, record: dict[str, Any]) -> None:
        """Record what happened. If that fails, the person is still told."""
        say(str(record["reason"]))
        try:
            self._record(record)
        except InterlockError as error:
            say(f"and it could not be recorded: {error.in_one_line()}")

    # --- telling -------------------------------------------------------------------------------------------------

    def _unknown_texts(self, project: Path, host: Process | None) -> tuple[str, ...]:
        """What to say, once, in a session that asks Interlock although no settings say so: it began with some."""
        if host is None or host in self._unknown_hosts:
            return ()  # without /proc it is not known where the host gets its settings from
        if any(word.startswith(_OTHER_SETTINGS) for word in argv_of(host)):
            return ()
        self._unknown_hosts.add(host)
        text = (
            f"This session asks Interlock, but a new one in {project} would not: no settings file contains the "
            "entries, and the notes about them are gone. If you did not remove them with `interlock uninstall`, check "
            "those files and run `interlock init`."
        )
        self._write({"event": "EntriesLost", "file": str(project), "put_back": False, "reason": text})
        return (text,)

    def _texts(self, event: str, session: _Session, host: Process | None) -> tuple[str, ...]:
        """What to tell the person now, and not again later."""
        if not self._has_news:
            return ()
        here = {str(place.path) for place in session.places}
        who = (host.pid, host.started) if host is not None else None
        texts: list[str] = []
        for note in [note for note in self._notes.values() if note.untold or note.again]:
            with notes_locked():
                self._reload()  # another daemon may have told it
                note = self._notes.get(note.file, note)
                if note.untold and (note.file in here or not _is_elsewhere(note)):
                    texts += note.untold
                    self._keep(replace(note, untold=(), told_to=who))
                elif note.again and event == _BEGINNING and note.file in here and note.told_to != who:
                    texts.append(note.again)
                    self._keep(replace(note, again=""))
        return tuple(dict.fromkeys(texts))


def _loss(note: EntryNote, text: str, *, put_back: bool) -> dict[str, Any]:
    return {"event": "EntriesLost", "file": note.file, "put_back": put_back, "reason": text}


def _well(note: EntryNote, raw: bytes) -> EntryNote:
    """The note of a file that is as it should be."""
    place = Path(note.file)
    found = replace(note, lost="", again="" if note.lost else note.again, untold=() if note.lost else note.untold)
    if raw == note.good and note.folder == folder_identity(place):
        return found
    fresh = note_of(place, note.scope, note.entries, raw, note.off)
    return replace(fresh, untold=found.untold, again=found.again, told_to=note.told_to, known=note.known)


def _read_whole(note: EntryNote) -> tuple[SettingsFile, bytes | None]:
    """The file of a note; if it is being written, it is read when that is done."""
    file, raw = read_file(place_of(note))
    for _ in range(_MOST_READS):
        if file.settings is None or file.settings.ignored is None:
            break
        time.sleep(_HALF_WRITTEN)
        before = raw
        file, raw = read_file(place_of(note))
        if raw == before:
            break
    return file, raw


def _whys(whole: SettingsState, scope: Scope) -> list[str]:
    """What keeps a scope's entries from running, in whichever file."""
    return [one.why for one in whole.off if not (one.spares_managed and scope == "managed")]


def _is_covered(note: EntryNote, whole: Callable[[], SettingsState]) -> bool:
    """Whether other entries guard the only project that a file applies to."""
    return note.scope in ("local", "project") and not whole().missing


def _is_elsewhere(note: EntryNote) -> bool:
    """Whether a different folder is now in a note's place, which concerns only the people who work there."""
    return note.folder is not None and folder_identity(Path(note.file)) != note.folder


def _command(name: str, note: EntryNote) -> str:
    return f"interlock {name}" + ("" if note.scope == "local" else f" --scope {note.scope}")


def _once_settled(marks: _Marks, started: int) -> _Marks:
    """The marks, or none if a file may have changed since it was read and still look the same."""
    # A program can set a file's mtime, but not its ctime.
    newest = max((max(mark[4::5]) for mark in marks if mark is not None), default=0)
    return marks if newest < started - _UNSURE else ()


def _marks(files: Sequence[str]) -> _Marks:
    return tuple([_mark(file) for file in files])


def _mark(file: str) -> _Mark:
    """What changes when a file, or the file it links to, changes; None if there is no file."""
    try:
        found = os.lstat(file)
        mark = (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
        if not stat.S_ISLNK(found.st_mode):
            return mark
        led = os.stat(file)  # noqa: PTH116 - on every event, where a Path costs more than the call
    except OSError:
        return None
    return (*mark, led.st_dev, led.st_ino, led.st_size, led.st_mtime_ns, led.st_ctime_ns)
