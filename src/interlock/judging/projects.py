"""Answer events of any project with the guard of that project, which is kept until the files behind it change."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from interlock.config.places import project_root
from interlock.errors import InterlockError
from interlock.event import Event
from interlock.files.marks import Marks, marks_of
from interlock.hosts.claude_code.places import other_config_folder
from interlock.hosts.claude_code.runtime import built_in_policies, guards_with
from interlock.hosts.claude_code.skills import Lookup, SkillFiles, agents_given, folders_given
from interlock.judging.asking import BY_HOST, Asks
from interlock.judging.guard import Guard
from interlock.judging.in_force import InForce, policies_in_force
from interlock.judging.pause import Pause
from interlock.judging.roots import fix_root, root_of
from interlock.judging.sitting import Sitting
from interlock.judging.stand_ins import BrokenPolicy, Refusal
from interlock.policy.situation import Panel
from interlock.probe.world import Machine
from interlock.receipts.ledger import Ledger, StatePlan
from interlock.store.base import Entry, Store

__all__ = ["Projects", "project_of"]

_MOST_GUARDS = 32  # each may have worker processes of its hooks
_MOST_SESSIONS = 10_000
_ABSENT: Marks = (None,)
_UNSEEN = Path("/unseen")  # stands for a transcript that was not met yet
_UNSURE = 100_000_000  # nanoseconds: within this time a file can change twice and have the same time stamp


class _ProjectGuard:
    """A guard with the state of the files it was made from. It is closed when it is replaced and no event uses it."""

    def __init__(self, guard: Guard, depends: Sequence[str], marks: Marks) -> None:
        self.guard = guard
        self._depends = depends
        self._marks = marks
        self._users = 0
        self._over = False
        self._lock = threading.Lock()

    def enter_if_current(self) -> bool:
        """Begin to use the guard, unless its files have changed or it is over."""
        return marks_of(self._depends) == self._marks and self.enter()

    def enter(self) -> bool:
        """Begin to use the guard. Returns False if it has been retired."""
        with self._lock:
            self._users += not self._over
            return not self._over

    def leave(self) -> None:
        with self._lock:
            self._users -= 1
            last = self._over and self._users == 0
        if last:
            self.guard.close()

    def retire(self) -> None:
        """Accept no further events, and close the guard once the events in progress have been answered."""
        # Counted as a user itself, so that its own `leave` closes the guard if no event is using it.
        self.enter()
        with self._lock:
            self._over = True
        self.leave()


class _Skills:
    """Where a host's skills are; searched only for events that call one."""

    def __init__(self, root: Path, cwd: Path, argv: Callable[[], Sequence[str]]) -> None:
        self._root = root
        self._cwd = cwd
        self._argv = argv

    def skill(self, name: str, *, cwd: str, transcript: str = "") -> Lookup:
        return self._files().skill(name, cwd=cwd, transcript=transcript)

    def agent(self, name: str, *, cwd: str, transcript: str = "") -> Lookup:
        return self._files().agent(name, cwd=cwd, transcript=transcript)

    def agents(self, *, cwd: str, transcript: str = "") -> Lookup:
        return self._files().agents(cwd=cwd, transcript=transcript)

    def _files(self) -> SkillFiles:
        argv = self._argv()
        folders, plugins = folders_given(argv, str(self._cwd))
        given = agents_given(argv, str(self._cwd))
        return SkillFiles(str(self._root), folders=folders, plugins=plugins, given=given)


class Projects:
    """Every project whose events come here, with one store for all of them."""

    def __init__(
        self,
        open_store: Callable[[], Store],
        *,
        in_force: Callable[[Path], InForce] = policies_in_force,
        hooks: Sequence[Path] = (),
        alone: bool = False,
        whole: bool = False,
        name: str = "",
    ) -> None:
        """`whole` says that every event of the host comes here, so that an event that does not is noticed.

        `name` distinguishes the guards made here from others that answer the same events.
        """
        self._open_store = open_store
        self._in_force = in_force
        self._hooks = hooks
        self._alone = alone
        self._whole = whole
        self._name = name
        self._store: Store | None = None
        self._guards: dict[tuple[Path, Path | None], _ProjectGuard] = {}
        self._roots: OrderedDict[str, Path] = OrderedDict()
        self._configs: dict[str, Path | None] = {}  # by transcript
        self._lock = threading.RLock()
        self._pause = (str(Pause.file()),)

    def __enter__(self) -> Projects:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def sitting(
        self,
        event: Event | None,
        project: Path | None,
        beside: Sequence[Panel] = (),
        argv: Callable[[], Sequence[str]] = tuple,
        asks: Asks = BY_HOST,
    ) -> Sitting:
        """Who judges this event. The caller must release the sitting afterwards.

        `project` is the folder that the host says it was started in, and `argv` returns the words it was started with.
        `beside` is asked before the policies. None is an event that could not be read, so it is only recorded.
        `asks` says how a person is asked.
        """
        try:
            store = self._store or self._open()
            if event is None:
                return Sitting(memory=self._memory(store, None, "unreadable"))
            root = self._roots.get(event.session_id) or self._root(event, project)
        except InterlockError as error:
            return Sitting(panel=Refusal(error))
        # The pause comes after the store: what happens during it is recorded like everything else.
        pause = Pause.now() if marks_of(self._pause) != _ABSENT else None
        if pause is not None:
            return Sitting(panel=pause, memory=self._memory(store, root, "pause", despite=True))
        try:
            config = self._configs.get(event.transcript_path, _UNSEEN)
            housed = self._project_guard(root, self._config(event) if config is _UNSEEN else config, store)
        except InterlockError as error:
            return Sitting(panel=BrokenPolicy(error), memory=self._memory(store, root, f"broken: {error}"))
        try:
            skills = lambda: _Skills(root, project or root, argv)  # noqa: E731 - made only for events that call one
            return housed.guard.sitting(event, beside, skills, housed.leave, asks)
        except BaseException:
            housed.leave()  # nobody got a sitting that would do so
            raise

    def refusal(self, why: InterlockError) -> Sitting:
        """A sitting for an event that must not be judged: it gets its answer for a failure, and is recorded."""
        try:
            memory = self._memory(self._open(), None, f"refused: {why}")
        except InterlockError:
            memory = None  # the answer is the one for a failure already
        return Sitting(panel=Refusal(why), memory=memory)

    def store(self) -> Store:
        """The store of all projects. Raises InterlockError if it cannot be opened."""
        return self._open()

    def record(self, what: dict[str, Any]) -> None:
        """Record something that is not an event of a host. Raises InterlockError if that cannot be done."""
        self._open().commit(Entry(record=what, raw=b"", at=time.time()))

    def _memory(self, store: Store, root: Path | None, judges: str, *, despite: bool = False) -> Ledger:
        """The ledger for events that no policy judges."""
        project = "" if root is None else str(root)
        return Ledger(store, StatePlan(), project=project, despite=despite, guard=self._name, judges=judges)

    def health(self) -> tuple[list[str], str | None]:
        """The projects whose guards are loaded, and what is wrong with the store, if anything."""
        with self._lock:  # another thread may be adding a project
            warm = list(dict.fromkeys(str(root) for root, _ in self._guards))
        try:
            self._open().session("")  # it may have been lost since it was opened
        except InterlockError as error:
            return warm, error.in_one_line()
        return warm, None

    def printed(self) -> str:
        """What Python hooks printed since the last call."""
        with self._lock:
            return "".join(housed.guard.printed() for housed in self._guards.values())

    def close(self) -> None:
        """End the workers of all hooks, and close the store."""
        with self._lock:
            housed, self._guards = list(self._guards.values()), {}
            store, self._store = self._store, None
        for one in housed:
            one.retire()
        if store is not None:
            store.close()

    def _open(self) -> Store:
        """The store. If it could not be opened, each event tries again."""
        with self._lock:
            if self._store is None:
                self._store = self._open_store()
            return self._store

    def check_root(self, event: Event, folder: Path) -> None:
        """Refuse the first event of a session if it could belong to either of two projects.

        The host tells a spawned client which project it is. Over HTTP, Interlock sees only the working folder of the
        host's process, and the policy must not depend on that if the event itself comes from another project.
        """
        with self._lock:
            known = event.session_id in self._roots
        if known or (event.session_id and root_of(event.session_id) is not None):
            return
        works_in, comes_from = project_of(folder), project_of(Path(event.cwd or "/"))
        if works_in != comes_from:
            raise InterlockError(
                f"it is not known which project this session belongs to: its host runs in `{works_in}`, "
                f"and this event comes from `{comes_from}`",
                help="send another prompt in this session, or start a new one; that tells Interlock the project",
            )

    def _root(self, event: Event, project: Path | None) -> Path:
        """The session's policy root: the project that the host names, fixed at the session's first event."""
        with self._lock:
            known = self._roots.get(event.session_id)
        if known is not None:
            return known
        found = project_root(project if project is not None and project.is_dir() else Path(event.cwd or Path.cwd()))
        if not event.session_id:
            return found
        root = fix_root(event.session_id, found)
        with self._lock:
            self._roots[event.session_id] = root
            if len(self._roots) > _MOST_SESSIONS:
                self._roots.popitem(last=False)
        return root

    def _config(self, event: Event) -> Path | None:
        """The folder in which this session's client keeps a person's settings, if that is not the usual one."""
        if len(self._configs) > _MOST_SESSIONS:
            self._configs.clear()
        found = self._configs[event.transcript_path] = other_config_folder(event.transcript_path)
        return found

    def _project_guard(self, root: Path, config: Path | None, store: Store) -> _ProjectGuard:
        """The project's guard, entered; the caller must leave it."""
        # First without the lock: on almost every event the guard is current, and events must not wait for each other.
        key = (root, config)
        housed = self._guards.get(key)
        if housed is not None and housed.enter_if_current():
            return housed
        with self._lock:
            housed = self._guards.get(key)
            if housed is not None and housed.enter_if_current():
                return housed
            new = self._guards[key] = self._load(root, config, store)
            new.enter()
            over = [housed] if housed is not None else []
            if len(self._guards) > _MOST_GUARDS:
                over.append(self._guards.pop(next(iter(self._guards))))
        for old in over:
            old.retire()
        return new

    def _load(self, root: Path, config: Path | None, store: Store) -> _ProjectGuard:
        started = time.time_ns()  # before reading, so that a file that changes meanwhile counts as changed
        force = self._in_force(root)
        guard = Guard(
            (*force.policies, *built_in_policies(force.policies, force.depends, config)),
            Machine(str(root), guards=guards_with(config)),
            store,
            project=str(root),
            alone=self._alone,
            hooks=self._hooks,
            notices=force.notices,
            whole=self._whole,
            name=self._name,
        )
        return _ProjectGuard(guard, force.depends, _marks_once_settled(force, started))


def project_of(folder: Path) -> Path:
    """The folder whose policy applies in a folder, which may be gone."""
    return project_root(folder) if folder.is_dir() else folder


def _marks_once_settled(force: InForce, started: int) -> Marks:
    """The state of the files that were read, or one that matches no files if they may have changed since."""
    marks = marks_of(force.depends)
    newest = max((mark[3] for mark in marks if mark is not None), default=0)
    return marks if newest < started - _UNSURE else ()
