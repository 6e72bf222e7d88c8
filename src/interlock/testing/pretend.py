"""A world that a case or a scenario describes: its time, files, branch, and what checks would return."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from interlock.errors import InterlockError
from interlock.event import Event
from interlock.facts.paths import Places, below, glob_regex, resolve
from interlock.facts.push import Repository
from interlock.policy.names import regex
from interlock.policy.situation import CheckOutcome, Situation

__all__ = ["HOME", "PROJECT", "Pretend"]

PROJECT = "/proj"
HOME = "/home/dev"
_PLACES = Places(PROJECT, PROJECT, HOME)
_START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)  # a Monday morning, so that rules about office hours and days apply


class Pretend:
    """Nothing in it is real: no file is read and no program is run."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Be as if nothing had been said about it."""
        self._now = _START
        self._files: dict[str, str | None] = {self.resolved("package.json"): None}  # path → text, if it has one
        self._said = False  # whether a case says which files exist
        self._branch = ""
        self._settings: dict[str, tuple[str, ...]] = {}
        self._run = CheckOutcome()

    def given(self, what: dict[str, Any]) -> None:
        """Apply what a `given` says about the world."""
        if "now" in what:
            self._now = _time(what["now"])
        if "branch" in what:
            self._branch = str(what["branch"])
        if "git" in what:
            self._settings |= {str(key): (str(value),) for key, value in what["git"].items()}
        if "files" in what:
            self._said = True
            self._files |= dict(_files(what["files"], self.resolved))
        if "run" in what:
            run = what["run"]
            code = run.get("code", 0) if isinstance(run, dict) else run
            if not isinstance(code, int):
                raise InterlockError(
                    "`given.run` is not an exit code", help="write run: 1, or run: {code: 1, out: text}"
                )
            self._run = _outcome(code, run if isinstance(run, dict) else {})

    def wait(self, seconds: float) -> None:
        self._now += timedelta(seconds=seconds)

    def write(self, path: str) -> None:
        self._files.setdefault(self.resolved(path), None)

    def resolved(self, path: str) -> str:
        return resolve(path, _PLACES)

    # --- the world ---------------------------------------------------------------------------------------------

    def now(self) -> datetime:
        return self._now

    def places(self, event: Event) -> Places:
        return Places(event.cwd or PROJECT, PROJECT, HOME)

    def exists(self, path: str) -> bool:
        return path in self._files

    def real(self, path: str, *, follow: bool = True) -> str | None:
        return resolve(path, _PLACES)

    def glob(self, pattern: str) -> tuple[str, ...] | None:
        """The files that a pattern matches, if a case says which files exist."""
        # Otherwise the answer is "cannot be known", as on a machine where the search reaches its limit.
        if not self._said:
            return None
        try:
            test = regex(glob_regex(pattern, _PLACES))
        except InterlockError:
            return None
        return tuple(sorted(path for path in self._files if test(path)))

    def entries(self, folder: str) -> tuple[str, ...]:
        start = folder.rstrip("/") + "/"
        inside = (path[len(start) :].partition("/")[0] for path in self._files if path.startswith(start))
        return tuple(sorted(set(inside)))

    def read(self, path: str, *, anywhere: bool = False) -> str | None:
        return self._files.get(path) if anywhere or below(path, PROJECT) else None

    def guards(self, folder: str) -> bool:
        return folder == PROJECT

    def branch(self, project: str) -> str:
        return self._branch

    def repository(self, folder: str) -> Repository | None:
        """The project is a repository with a branch `main`. Unless a case says so, another branch is checked out."""
        if not below(folder, PROJECT):
            return None
        branch = self._branch or "work"
        return Repository(branch, self._settings, frozenset({f"refs/heads/{branch}", "refs/heads/main"}))

    def user(self) -> str:
        return "dev"

    def run(self, command: str | list[str], timeout: float, situation: Situation) -> CheckOutcome:
        return self._run


def _outcome(code: int, said: dict[str, Any]) -> CheckOutcome:
    """How a check ends: `out` is what it prints when nobody cares to which of the two."""
    return CheckOutcome(code, str(said.get("out", said.get("stdout", ""))), str(said.get("stderr", "")))


def _files(given: Any, resolved: Callable[[str], str]) -> Iterator[tuple[str, str | None]]:
    """`[a.txt]`, or `{run.sh: text}` for files whose texts matter."""
    for file in given:
        text = given[file] if isinstance(given, dict) else None
        yield resolved(str(file)), None if text is None else str(text)


def _time(text: Any) -> datetime:
    try:
        found = datetime.fromisoformat(str(text))
    except ValueError as error:
        raise InterlockError(f"`{text}` is not a time", help="write 2026-11-16T10:00:00Z") from error
    return found if found.tzinfo else found.replace(tzinfo=UTC)
