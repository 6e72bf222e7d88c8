"""Guards over the policy files of a project, with their hooks, closed when a test ends."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from interlock.config.bundles import load_file
from interlock.judging.guard import Guard
from interlock.probe.world import Machine
from interlock.service import Reply, answer
from interlock.store.memory import MemoryStore
from interlock.verdict import Verdict
from tests.lint.project import Project

__all__ = ["Guarded", "guarded"]


class Guarded:
    """One session in a project, under its policy files."""

    def __init__(self, project: Project, guard: Guard) -> None:
        self.project = project
        self._guard = guard
        self._calls = 0

    def call(self, tool: str, **given: Any) -> Verdict:
        """What is said of the session's next call."""
        self._calls += 1
        return self.raw(self.project.call(tool, given, f"c{self._calls}")).verdict

    def bash(self, command: str) -> Verdict:
        return self.call("Bash", command=command)

    def result(self, tool: str, response: Any, **given: Any) -> Verdict:
        """What is said of the result of the call before."""
        return self.raw(self.project.result(tool, given, response, f"c{self._calls}")).verdict

    def raw(self, raw: bytes) -> Reply:
        return answer(self._guard, "claude-code", raw)


@contextmanager
def guarded(project: Project, *names: str, store: MemoryStore | None = None) -> Iterator[Guarded]:
    """A session under these policy files, the lowest layer first."""
    root = project.root
    policies = [load_file(root / name) for name in names or ("interlock.yaml",)]
    with Guard(policies, Machine(str(root)), store or MemoryStore(), project=str(root), alone=True) as guard:
        yield Guarded(project, guard)
