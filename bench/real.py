"""How long a tool call takes in the real client, with one hook or another on it; the model plays a script."""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from bench.daemons import Home
from tests.e2e.model import Message, Model, bash

__all__ = ["added"]

_PROMPT = "Do what the script says."
_QUIET = (
    "DISABLE_TELEMETRY",
    "DISABLE_AUTOUPDATER",
    "DISABLE_ERROR_REPORTING",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
)
_LIMIT = 120.0
_WARM = 3  # calls at the beginning that are not counted


def added(
    client: Path,
    home: Home,
    hooks: Mapping[str, dict[str, Any] | None],
    sessions: int,
    calls: int,
    progress: Callable[[str], None],
) -> list[float]:
    """Seconds of a call without a hook (the first of `hooks`), and what each other hook on PreToolUse adds.

    The median over rounds of one session each, in shuffled order; of a session its lower quartile counts, because a
    call's time spreads by more than a hook adds, and only upwards.
    """
    known = {"hasCompletedOnboarding": True, "projects": {str(home.project): {"hasTrustDialogAccepted": True}}}
    (home.home / ".claude.json").write_text(json.dumps(known), encoding="utf-8")
    found: dict[str, list[float]] = {name: [] for name in hooks}
    for number in range(sessions):
        progress(f"round {number + 1} of {sessions} with the real client")
        for name in random.sample(list(hooks), len(hooks)):
            found[name].append(statistics.quantiles(_session(client, home, hooks[name], calls), n=4)[0])
    plain, *others = found.values()
    added = [statistics.median(a - b for a, b in zip(other, plain, strict=True)) for other in others]
    return [statistics.median(plain), *added]


def _session(client: Path, home: Home, hook: dict[str, Any] | None, calls: int) -> list[float]:
    """How long each call of one session took: from one request of the model to the next."""
    settings = {"hooks": {"PreToolUse": [{"hooks": [hook]}]} if hook is not None else {}}
    place = home.project / ".claude" / "settings.local.json"
    place.parent.mkdir(exist_ok=True)
    place.write_text(json.dumps(settings), encoding="utf-8")
    asked: list[float] = []

    def turn() -> Message:
        asked.append(time.perf_counter())
        return bash("true") if len(asked) <= calls else "done"

    with Model({_PROMPT: [turn] * (calls + 1)}) as model:
        environ = {
            **dict.fromkeys(_QUIET, "1"), "PATH": os.environ["PATH"], "HOME": str(home.home), "SHELL": "/bin/bash",
            "ANTHROPIC_BASE_URL": model.url, "ANTHROPIC_API_KEY": "not-a-key", "NO_PROXY": "127.0.0.1",
        }  # fmt: skip
        command = [str(client), "-p", _PROMPT, "--model", "claude-sonnet-4-5", "--allowedTools", "Bash"]
        subprocess.run(
            command, cwd=home.project, env=environ, stdin=subprocess.DEVNULL, check=True, timeout=_LIMIT,
            capture_output=True,
        )  # fmt: skip
        denied = [result for request in model.requests for result in request.results() if result.error]
    assert len(asked) == calls + 1, f"{len(asked)} requests of the model, and not {calls + 1}"
    assert not denied, denied[0]
    return [after - before for before, after in zip(asked[_WARM:], asked[_WARM + 1 :], strict=False)]
