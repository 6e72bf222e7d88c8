"""A world that a case or a scenario describes: its time, files, branch, and what checks would answer."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from interlock.event import Event
from interlock.facts.paths import Places, resolve
from interlock.source import InterlockError

__all__ = ["HOME", "PROJECT", "Pretend"]

PROJECT = "/proj"
HOME = "/home/dev"
_START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)  # a Monday morning


class Pretend:
    """Nothing in it is real: no file is read and no program is run."""

    def __init__(self) -> None:
        self._now = _START
        self._files = {resolve("package.json", Places(PROJECT, PROJECT, HOME))}
        self._branch = ""
        self._run: tuple[int, str] = (0, "")

    def given(self, what: dict[str, Any]) -> None:
        """Take on what a `given` says of the world."""
        if "now" in what:
            self._now = _time(what["now"])
        if "branch" in what:
            self._branch = str(what["branch"])
        if "files" in what:
            self._files |= {self._resolved(str(file)) for file in what["files"]}
        if "run" in what:
            run = what["run"]
            code = run.get("code", 0) if isinstance(run, dict) else run
            if not isinstance(code, int):
                raise InterlockError("`given.run` is no exit code", help="write run: 1, or run: {code: 1, out: text}")
            self._run = (code, str(run.get("out", "")) if isinstance(run, dict) else "")

    def wait(self, seconds: float) -> None:
        self._now += timedelta(seconds=seconds)

    def write(self, path: str) -> None:
        self._files.add(self._resolved(path))

    def _resolved(self, path: str) -> str:
        return resolve(path, Places(PROJECT, PROJECT, HOME))

    # --- the world ---------------------------------------------------------------------------------------------

    def now(self) -> datetime:
        return self._now

    def places(self, event: Event) -> Places:
        return Places(event.cwd or PROJECT, PROJECT, HOME)

    def exists(self, path: str) -> bool:
        return path in self._files

    def branch(self, project: str) -> str:
        return self._branch

    def user(self) -> str:
        return "dev"

    def run(self, command: str | list[str], timeout: float, stdin: bytes, cwd: str) -> tuple[int, str]:
        return self._run


def _time(text: Any) -> datetime:
    try:
        found = datetime.fromisoformat(str(text))
    except ValueError as error:
        raise InterlockError(f"`{text}` is no time", help="write 2026-11-16T10:00:00Z") from error
    return found if found.tzinfo else found.replace(tzinfo=UTC)
