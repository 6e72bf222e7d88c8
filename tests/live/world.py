"""A project with a home of its own in which one host is run, and what a run leaves behind."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from interlock.driving.model import Model, ModelRequest
from interlock.driving.scratch import Scratch, put

LIMIT = 120.0  # seconds that one run of a host may take
RECORDER = Path(__file__).with_name("recorder.py")


@dataclass(frozen=True)
class HookRun:
    """One run of the recording hook."""

    label: str
    stdin: str
    argv: list[str]
    cwd: str
    env: dict[str, str]
    ancestry: list[list[str]]

    @property
    def payload(self) -> Any:
        return json.loads(self.stdin)


@dataclass(frozen=True)
class Run:
    """What one run of a host left behind."""

    exit_code: int
    stdout: str
    stderr: str
    requests: list[ModelRequest]
    hooks: list[HookRun]
    seconds: float

    @property
    def results(self) -> list[str]:
        """The results of the script's calls, as the model received them."""
        return self.requests[-1].results if self.requests else []

    @property
    def tools(self) -> list[str]:
        return sorted(self.requests[0].tools) if self.requests else []

    def reached_the_model(self, text: str) -> bool:
        return any(text in request.everything for request in self.requests)

    def payloads(self, label: str) -> list[Any]:
        return [hook.payload for hook in self.hooks if hook.label == label]


@dataclass
class World(Scratch):
    """A project and a home, and nothing of the machine's own environment."""

    environ: dict[str, str] = field(default_factory=dict)
    recorder: str = sys.executable  # what is run as a hook

    def __post_init__(self) -> None:
        super().__post_init__()
        (self.folder / "answers").mkdir(exist_ok=True)

    def env(self) -> dict[str, str]:
        return {**super().env(), **self.environ}

    def write(self, name: str, text: str) -> Path:
        """A file of the project."""
        return put(self.project / name, text)

    def has(self, name: str) -> bool:
        return (self.project / name).exists()

    def read(self, name: str) -> str:
        return (self.project / name).read_text(encoding="utf-8")

    # --- the recording hook ------------------------------------------------------------------------------------

    def hook(self, label: str) -> list[str]:
        """The command of a hook that records, and answers what is laid down for this label."""
        return [self.recorder, "-I", "-S", str(RECORDER), str(self.folder), label]

    def answer(
        self, label: str, *, stdout: object = "", stderr: str = "", exit: int = 0, hang: bool = False, when: str = ""
    ) -> None:
        """Lay down what the hook of this label does: print (anything but a text as JSON), and end with a code.

        `when` is a text that must occur in what the hook is given; of several answers, the first that fits counts.
        """
        file = self.folder / "answers" / f"{label}.json"
        there = json.loads(file.read_text(encoding="utf-8")) if file.exists() else []
        text = stdout if isinstance(stdout, str) else json.dumps(stdout)
        put(file, json.dumps([*there, {"when": when, "stdout": text, "stderr": stderr, "exit": exit, "hang": hang}]))

    def hook_runs(self) -> list[HookRun]:
        log = self.folder / "hooks.jsonl"
        lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
        return [HookRun(**json.loads(line)) for line in lines]

    # --- processes ---------------------------------------------------------------------------------------------

    def play(self, command: Sequence[str], env: Mapping[str, str], model: Model, *, limit: float = LIMIT) -> Run:
        """Run a host to its end, with a model that is listening."""
        (self.folder / "hooks.jsonl").unlink(missing_ok=True)
        begun = time.monotonic()
        exit_code, stdout, stderr = self.bounded(command, env, limit=limit)
        return Run(exit_code, stdout, stderr, model.with_turns, self.hook_runs(), time.monotonic() - begun)

    def bounded(self, command: Sequence[str], env: Mapping[str, str], *, limit: float = LIMIT) -> tuple[int, str, str]:
        """Run a command that must end in time."""
        ran = self.run(command, env, limit=limit)
        stdout = ran.stdout.decode(errors="replace")
        if ran.late:
            self.end_processes()
            raise AssertionError(f"the host did not end within {limit:g} s\n{stdout}\n{ran.stderr}")
        return ran.code, stdout, ran.stderr
