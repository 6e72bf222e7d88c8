"""How long a tool call takes in the real client, with one set of hooks or another; the model plays a script."""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from tests.e2e.model import Message, Model, bash

__all__ = ["Hooks", "World", "added"]

Hooks: TypeAlias = Mapping[str, dict[str, Any]]

_PROMPT = "Do what the script says."
_QUIET = (
    "DISABLE_TELEMETRY",
    "DISABLE_AUTOUPDATER",
    "DISABLE_ERROR_REPORTING",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
)
_LIMIT = 120.0
_WARM = 5  # calls at the beginning that are not counted


@dataclass(frozen=True)
class World:
    """A home and a project in it, with these hooks in its settings; None leaves the settings as they are."""

    home: Path
    project: Path
    hooks: Hooks | None

    def prepare(self) -> None:
        self.home.mkdir(parents=True, exist_ok=True)
        (self.project / ".git").mkdir(parents=True, exist_ok=True)
        known = {"hasCompletedOnboarding": True, "projects": {str(self.project): {"hasTrustDialogAccepted": True}}}
        (self.home / ".claude.json").write_text(json.dumps(known), encoding="utf-8")
        if self.hooks is not None:
            settings = {"hooks": {event: [{"hooks": [hook]}] for event, hook in self.hooks.items()}}
            place = self.project / ".claude" / "settings.local.json"
            place.parent.mkdir(exist_ok=True)
            place.write_text(json.dumps(settings), encoding="utf-8")


def added(client: Path, plain: World, others: Mapping[str, World], calls: int) -> tuple[float, dict[str, float]]:
    """Seconds of a call in a plain world, and what each other world adds to it.

    Two sessions in each world, in shuffled order. Of a session its lower quartile counts and of the two the lower one,
    because a call's time spreads by more than a hook adds, and only upwards.
    """
    worlds = {"": plain, **others}
    found: dict[str, list[float]] = {name: [] for name in worlds}
    for _ in range(2):
        for name in random.sample(list(worlds), len(worlds)):
            found[name].append(statistics.quantiles(_session(client, worlds[name], calls), n=4)[0])
    lowest = {name: min(times) for name, times in found.items()}
    return lowest[""], {name: lowest[name] - lowest[""] for name in others}


def _session(client: Path, world: World, calls: int) -> list[float]:
    """How long each call of one session took: from one request of the model to the next."""
    world.prepare()
    asked: list[float] = []

    def turn() -> Message:
        asked.append(time.perf_counter())
        return bash("true") if len(asked) <= calls else "done"

    with Model({_PROMPT: [turn] * (calls + 1)}) as model:
        environ = {
            **dict.fromkeys(_QUIET, "1"), "PATH": os.environ["PATH"], "HOME": str(world.home), "SHELL": "/bin/bash",
            "ANTHROPIC_BASE_URL": model.url, "ANTHROPIC_API_KEY": "not-a-key", "NO_PROXY": "127.0.0.1",
        }  # fmt: skip
        command = [str(client), "-p", _PROMPT, "--model", "claude-sonnet-4-5", "--allowedTools", "Bash"]
        subprocess.run(
            command, cwd=world.project, env=environ, stdin=subprocess.DEVNULL, check=True, timeout=_LIMIT,
            capture_output=True,
        )  # fmt: skip
        denied = [result for request in model.requests for result in request.results() if result.error]
    assert len(asked) == calls + 1, f"{len(asked)} requests of the model, and not {calls + 1}"
    assert not denied, denied[0]
    return [after - before for before, after in zip(asked[_WARM:], asked[_WARM + 1 :], strict=False)]
