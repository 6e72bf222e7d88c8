"""Policies of every layer on one machine, and what can happen to their files while a session runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from interlock.config import places as config
from interlock.errors import InterlockError
from interlock.judging import projects
from interlock.judging.projects import Projects
from interlock.service import answer_in
from interlock.store.memory import MemoryStore
from interlock.verdict import Verdict
from tests.lint.project import Project

__all__ = ["LAYERS", "MISHAPS", "Machine", "machine_for", "take_files_for_settled"]

HOST_WORDS = ("claude",)  # what the host was started with
LAYERS = ("managed", "user", "project", "local")


class Machine:
    """A machine with policies, and one session in a project of it."""

    def __init__(self, project: Project, **options: Any) -> None:
        self._project = project
        self._store_error: InterlockError | None = None
        self._guards = Projects(self._open_store, **options)
        self._calls = 0

    def _open_store(self) -> MemoryStore:
        if self._store_error is not None:
            raise self._store_error
        return MemoryStore()

    def fail_store(self, error: InterlockError | None) -> None:
        """Let the store fail to open from now on, or no more."""
        self._store_error = error

    def close(self) -> None:
        self._guards.close()

    def file(self, layer: str) -> Path:
        """Where the policy of a layer is."""
        own = {"project": "interlock.yaml", "local": "interlock.local.yaml"}
        if layer in own:
            return self._project.root / own[layer]
        return config.MANAGED if layer == "managed" else config.user_policy()

    def put(self, layer: str, *rules: str, top: str = "", trusted: bool = True) -> Path:
        """Write the policy of a layer, and trust it where it needs that."""
        file = self.file(layer)
        file.parent.mkdir(parents=True, exist_ok=True)
        listed = "".join(f"  - {rule}\n" for rule in rules) or "  []\n"
        file.write_text(f"version: 1\n{top}rules:\n{listed}", encoding="utf-8")
        if layer in ("project", "local") and trusted:
            self._project.trust(file.name)
        return file

    def write(self, path: str, text: str) -> Path:
        """Another file of the project."""
        return self._project.write(text, path)

    def judge(self, command: str) -> Verdict:
        """What is said of a shell command, as the next call of the session."""
        return self.call("Bash", command=command)

    def call(self, tool: str, **given: Any) -> Verdict:
        """What is said of the next call of the session."""
        self._calls += 1
        raw = self._project.call(tool, given, f"c{self._calls}")
        return answer_in(self._guards, "claude-code", raw, self._project.root, argv=lambda: HOST_WORDS).verdict

    def notices(self) -> tuple[str, ...]:
        """What the person is told with their next prompt."""
        return self.event("UserPromptSubmit", prompt="go on").notices

    def event(self, name: str, **fields: Any) -> Verdict:
        """What is said of another event of the session."""
        raw = self._project.event(name, **fields)
        return answer_in(self._guards, "claude-code", raw, self._project.root).verdict


@contextmanager
def machine_for(project: Project, **options: Any) -> Iterator[Machine]:
    """A machine whose guards are closed at the end."""
    machine = Machine(project, **options)
    try:
        yield machine
    finally:
        machine.close()


def take_files_for_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let files that changed just now count as long unchanged, so that a guard is used again until they change."""
    monkeypatch.setattr(projects, "_UNSURE", -(10**18))


def _delete(file: Path) -> None:
    file.unlink()


def _break(file: Path) -> None:
    file.write_text("version: 1\nrules: [{id: no-rm, comand: rm, deny: No.}]\n", encoding="utf-8")


def _empty(file: Path) -> None:
    file.write_bytes(b"")


def _garble(file: Path) -> None:
    file.write_bytes(b"\xff\xfe\x00version: 1")


def _replace_by_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def _replace_by_loop(file: Path) -> None:
    file.unlink()
    file.symlink_to(file.name)


def _move_folder(file: Path) -> None:
    """The whole folder is gone, as with a home that was not mounted."""
    if file.name == "policy.yaml":
        file.parent.rename(file.parent.with_name("away"))
    else:
        file.unlink()


# What leaves no policy that could be read.
MISHAPS: dict[str, Callable[[Path], None]] = {
    "deleted": _delete,
    "broken": _break,
    "emptied": _empty,
    "garbled": _garble,
    "a folder": _replace_by_folder,
    "a link to itself": _replace_by_loop,
    "its folder gone": _move_folder,
}
