"""Judge past events by policies, with the same code that answers a host."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import json

from interlock.config.places import project_root
from interlock.errors import InterlockError
from interlock.judging.guard import Guard
from interlock.policy.load import Policy
from interlock.replay.past import PastWorld
from interlock.replay.steps import Occasion
from interlock.service import answer
from interlock.store.no_record import UnrecordedStore
from interlock.verdict import Verdict

__all__ = ["EVENTS", "HOST", "PastJudge", "root_of"]

JsonObject: TypeAlias = dict[str, Any]
HOST = "claude-code"
# What a transcript shows. Rules about other events are not tried.
EVENTS = frozenset({"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure"})
_MOST_GUARDS = 16


def root_of(cwd: str) -> str:
    """The project of a session that began in a folder, if the folder still exists; else the folder itself."""
    folder = Path(cwd)
    try:
        return str(project_root(folder)) if folder.is_dir() else cwd
    except (InterlockError, OSError):
        return cwd


class PastJudge:
    """Policies, and the state that past sessions would have left under them. Nothing is run or recorded."""

    def __init__(self, policies: Sequence[Policy]) -> None:
        self._policies = policies
        self._store = UnrecordedStore()
        self._guards: OrderedDict[str, tuple[Guard, PastWorld]] = OrderedDict()
        self._home = str(Path.home())
        self.checks = 0  # `run` checks that were taken to have passed
        self.scripts = 0  # calls that would have run files, which could not be read

    def ask(self, project: str, payload: JsonObject, around: Occasion) -> Verdict:
        """The verdict on one event, with the state that earlier ones left."""
        guard, world = self._guard(project)
        world.move(around.at, around.branch)
        checks, scripts = world.checks, world.scripts
        verdict = answer(guard, HOST, json.encode(payload)).verdict
        self.checks += world.checks - checks
        self.scripts += world.scripts > scripts and payload["hook_event_name"] == "PreToolUse"
        return verdict

    def take_result(self, project: str, tool: str, given: JsonObject, cwd: str) -> None:
        """Learn from a call that ran what files contained at the time."""
        self._guard(project)[1].take_result(tool, given, cwd)

    def end(self, session: str, project: str) -> None:
        """Forget what only a session that is over could ask about."""
        self._store.forget_session(session)
        if project in self._guards:
            self._guards[project][1].forget_files()

    def _guard(self, project: str) -> tuple[Guard, PastWorld]:
        found = self._guards.get(project)
        if found is None:
            world = PastWorld(project, self._home)
            guard = Guard(self._policies, world, self._store, project=project, alone=True, run_hooks=False)
            found = self._guards[project] = guard, world
            if len(self._guards) > _MOST_GUARDS:
                self._guards.popitem(last=False)
        else:
            self._guards.move_to_end(project)
        return found
