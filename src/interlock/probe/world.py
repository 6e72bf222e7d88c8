"""What rules may ask of the machine: the time, what exists, the branch, the project, and a check's exit code."""

from __future__ import annotations

import getpass
import os
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

from interlock.errors import InterlockError
from interlock.event import Event
from interlock.facts.paths import Places
from interlock.facts.push import Repository
from interlock.policy.situation import CheckOutcome, Situation
from interlock.probe.files import MachineFiles
from interlock.process import clean_environment, run_program, seconds_left

__all__ = ["Machine"]

_GIT_SECONDS = 5.0


class Machine(MachineFiles):
    """The machine that Interlock runs on."""

    def __init__(
        self,
        project: str,
        environ: Mapping[str, str] | None = None,
        guards: Callable[[str], bool] | None = None,
    ) -> None:
        """`guards` says whether an agent that starts in a folder is guarded; without it, only the project is."""
        super().__init__(project, str(Path.home()))
        self._guards = guards or (lambda folder: folder == project)
        self._project = project
        self._environ = dict(os.environ if environ is None else environ)
        # Neither changes while a process runs, and both are asked for with every event.
        self._home = str(Path.home())
        self._user = _user()

    def now(self) -> datetime:
        return datetime.now(UTC)

    def places(self, event: Event) -> Places:
        return Places(event.cwd or self._project, self._project, self._home)

    def guards(self, folder: str) -> bool:
        return self._guards(folder)

    def branch(self, project: str) -> str:
        """The current branch, read from git's own files: starting git for every event would cost too much."""
        try:
            folder = _git_folder(Path(project))
            head = (folder / "HEAD").read_text(encoding="utf-8").strip() if folder else ""
        except (OSError, UnicodeDecodeError):
            return ""
        return head.removeprefix("ref: refs/heads/") if head.startswith("ref: refs/heads/") else ""

    def repository(self, folder: str) -> Repository | None:
        """What git says about the repository of a folder; None if it says nothing. Only a push makes anyone ask."""
        try:
            if _git_folder(Path(folder)) is None:
                return None  # there is nothing to push, so git need not be started
        except (OSError, UnicodeDecodeError):
            return None
        settings = self._git(folder, "config", "--list", "-z", "--includes")
        if settings is None:
            return None
        refs = self._git(folder, "for-each-ref", "--format=%(refname)")
        found: dict[str, list[str]] = {}
        for entry in settings.split("\0"):
            key, mark, value = entry.partition("\n")
            if key:
                found.setdefault(key, []).append(value if mark else "true")
        return Repository(
            self.branch(folder),
            {key: tuple(values) for key, values in found.items()},
            None if refs is None else frozenset(refs.split()),
        )

    def _git(self, folder: str, *words: str) -> str | None:
        """What git prints about a repository, without looking at its files or running anything of it."""
        environ = {name: text for name, text in clean_environment(self._environ).items() if not name.startswith("GIT_")}
        try:
            ran = run_program(["git", *words], stdin=b"", cwd=folder, env=environ, timeout=_GIT_SECONDS)
        except (InterlockError, OSError):
            return None
        return None if ran.code or ran.late or ran.cut else ran.stdout.decode("utf-8", "replace")

    def user(self) -> str:
        return self._user

    def run(self, command: str | list[str], timeout: float, situation: Situation) -> CheckOutcome:
        """Run a check in the project, whatever folder the agent is in. Returns how it ended and what it printed.

        Raises InterlockError if it cannot be started or does not end in time.
        """
        environ = {**clean_environment(self._environ), "CLAUDE_PROJECT_DIR": self._project}
        timeout = seconds_left(situation.started, timeout, situation.event.hook_event_name)
        ran = run_program(command, stdin=situation.raw, cwd=self._project, env=environ, timeout=timeout)
        if ran.late:
            raise InterlockError(f"`{_line(command)}` did not end within {timeout:g} s")
        return CheckOutcome(ran.code, ran.stdout.decode("utf-8", "replace"), ran.stderr)


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return ""


def _git_folder(project: Path) -> Path | None:
    for folder in (project, *project.parents):
        git = folder / ".git"
        if git.is_dir():
            return git
        if git.is_file():  # a worktree: the file contains the path of the real folder
            named = git.read_text(encoding="utf-8").partition("gitdir:")[2].strip()
            return (folder / named).resolve() if named else None
    return None


def _line(command: str | list[str]) -> str:
    return command if isinstance(command, str) else " ".join(command)
