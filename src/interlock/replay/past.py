"""The world as it was at a moment of the past, as far as a transcript shows it."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

from interlock.event import Event
from interlock.facts.paths import NoFiles, Places, below, resolve
from interlock.facts.push import Repository
from interlock.policy.situation import CheckOutcome, Situation

__all__ = ["PastWorld"]

# Homes on machines that a transcript may come from.
_HOME = re.compile(r"(/home/[^/]+|/Users/[^/]+|/root)(?=/|$)")


class PastWorld(NoFiles):
    """Nothing in it is of today: no file is read, because its text may have been another one, and no program is run.

    `checks` and `scripts` count what was asked for and cannot be known.
    """

    def __init__(self, project: str, own_home: str) -> None:
        self.project = project
        self._home = _home_for(project, own_home)
        self._at = datetime.fromtimestamp(0, UTC)
        self._branch = ""
        self.checks = 0
        self.scripts = 0

    def move(self, at: float, branch: str) -> None:
        """Go to another moment."""
        self._at = datetime.fromtimestamp(at, UTC)
        self._branch = branch

    def now(self) -> datetime:
        return self._at

    def places(self, event: Event) -> Places:
        return Places(event.cwd or self.project, self.project, self._home)

    def real(self, path: str, *, follow: bool = True) -> str | None:
        return resolve(path, Places(self.project, self.project, self._home))

    def read(self, path: str) -> str | None:
        self.scripts += 1
        return None

    def guards(self, folder: str) -> bool:
        return folder == self.project

    def branch(self, project: str) -> str:
        return self._branch

    def repository(self, folder: str) -> Repository | None:
        """The transcript has the branch of the project; of git's settings and other repositories it says nothing."""
        return Repository(self._branch) if self._branch and below(folder, self.project) else None

    def user(self) -> str:
        return Path(self._home).name

    def run(self, command: str | list[str], timeout: float, situation: Situation) -> CheckOutcome:
        """What a check returned is not known; it counts as passed."""
        self.checks += 1
        return CheckOutcome()


def _home_for(project: str, own_home: str) -> str:
    """The home of the person who worked in a project: this machine's, unless the project was in somebody else's."""
    if project == own_home or project.startswith(own_home.rstrip("/") + "/"):
        return own_home
    found = _HOME.match(project)
    return found[1] if found else own_home
