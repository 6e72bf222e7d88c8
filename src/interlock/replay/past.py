"""The world as it was at a moment of the past, as far as a transcript shows it.

A session's own Write and Edit calls and its heredocs say what a file contained, and its Read calls that a file existed.
Nothing else is known about files: those of today may be others, and a program may have changed any of them.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeAlias

from interlock.event import Event
from interlock.facts.origins import texts_written
from interlock.facts.paths import NoFiles, Places, below, resolve
from interlock.facts.push import Repository
from interlock.policy.situation import CheckOutcome, Situation

__all__ = ["PastWorld"]

JsonObject: TypeAlias = dict[str, Any]
_TEXT_TOOLS = ("Read", "Write", "Edit")
_MOST_FILES = 200
_MOST_TEXT = 64 * 1024  # characters, as much as is read of a script when it is run
# Homes on machines that a transcript may come from.
_HOME = re.compile(r"(/home/[^/]+|/Users/[^/]+|/root)(?=/|$)")


class PastWorld(NoFiles):
    """Nothing in it is of today: no file of this machine is read, and no program is run.

    `checks` and `scripts` count what was asked for and cannot be known.
    """

    def __init__(self, project: str, own_home: str) -> None:
        self.project = project
        self._home = _home_for(project, own_home)
        self._at = datetime.fromtimestamp(0, UTC)
        self._branch = ""
        self._files: OrderedDict[str, str | None] = OrderedDict()  # path → text, if it is known
        self.checks = 0
        self.scripts = 0

    def move(self, at: float, branch: str) -> None:
        """Go to another moment."""
        self._at = datetime.fromtimestamp(at, UTC)
        self._branch = branch

    def take_result(self, tool: str, given: JsonObject, cwd: str) -> None:
        """Learn about files from a call that ran."""
        places = Places(cwd or self.project, self.project, self._home)
        line, named = given.get("command"), given.get("file_path")
        if tool == "Bash" and isinstance(line, str):
            for path, text in texts_written(line, places).items():
                self._keep(path, text)
        elif tool in _TEXT_TOOLS and isinstance(named, str):
            path = resolve(named, places)
            self._keep(path, _text_after(tool, given, self._files.get(path)))

    def _keep(self, path: str, text: str | None) -> None:
        self._files[path] = text if text is not None and len(text) <= _MOST_TEXT else None
        self._files.move_to_end(path)
        if len(self._files) > _MOST_FILES:
            self._files.popitem(last=False)

    def forget_files(self) -> None:
        """Another session begins, and anything may have happened to the files in between."""
        self._files.clear()

    def now(self) -> datetime:
        return self._at

    def places(self, event: Event) -> Places:
        return Places(event.cwd or self.project, self.project, self._home)

    def real(self, path: str, *, follow: bool = True) -> str | None:
        return resolve(path, Places(self.project, self.project, self._home))

    def exists(self, path: str) -> bool:
        return path in self._files

    def read(self, path: str, *, anywhere: bool = False) -> str | None:
        text = self._files.get(path) if anywhere or below(path, self.project) else None
        self.scripts += text is None
        return text

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


def _text_after(tool: str, given: JsonObject, before: str | None) -> str | None:
    """What a file contains after a call, if that is known."""
    if tool == "Read":
        return before
    if tool == "Write":
        content = given.get("content")
        return content if isinstance(content, str) else None
    old, new = given.get("old_string"), given.get("new_string")
    if before is None or not (isinstance(old, str) and old and isinstance(new, str)):
        return None
    return before.replace(old, new) if given.get("replace_all") is True else before.replace(old, new, 1)


def _home_for(project: str, own_home: str) -> str:
    """The home of the person who worked in a project: this machine's, unless the project was in somebody else's."""
    if project == own_home or project.startswith(own_home.rstrip("/") + "/"):
        return own_home
    found = _HOME.match(project)
    return found[1] if found else own_home
