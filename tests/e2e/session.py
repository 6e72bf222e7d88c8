"""A session of the real client in a world of its own: project, home, settings, environment and model."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from textwrap import dedent
from typing import Any

from interlock.config.places import socket_path
from interlock.store.base import StoredRecord
from interlock.store.sqlite import SqliteStore
from tests.e2e import clients
from tests.e2e.model import MAIN, Model, Request, Result, Turn
from tests.waiting import until

PAYMENTS = Path(__file__).with_name("payments.py")
LIMIT = 60.0  # seconds that one run of the client may take
ALL_TOOLS = ("Bash", "Write", "Edit", "Read", "Agent", "Skill", "Monitor", "mcp__payments")
_COUNT = re.compile(r"\s*<system-reminder>\s*<total_tokens>.*?</system-reminder>", re.DOTALL)
_QUIET = (
    "DISABLE_TELEMETRY", "DISABLE_AUTOUPDATER", "DISABLE_ERROR_REPORTING", "DISABLE_BUG_COMMAND", "DISABLE_GROWTHBOOK",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "CLAUDE_CODE_DISABLE_AUTO_MEMORY", "CLAUDE_CODE_MAX_RETRIES",
    "CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL", "CLAUDE_CODE_DISABLE_BACKGROUND_TASKS",
)  # fmt: skip


@dataclass
class Ran:
    """What one run of the client left behind."""

    exit_code: int
    stdout: str
    stderr: str
    debug: str
    requests: list[Request]
    seconds: float

    @cached_property
    def stream(self) -> list[dict[str, Any]]:
        """The client's own account of the run."""
        return [json.loads(line) for line in self.stdout.splitlines() if line.startswith("{")]

    @property
    def final(self) -> dict[str, Any]:
        return next((event for event in reversed(self.stream) if event["type"] == "result"), {})

    @property
    def session_id(self) -> str:
        return str(self.final["session_id"])

    def of(self, conversation: str = MAIN) -> list[Request]:
        return [request for request in self.requests if request.conversation == conversation and request.body["tools"]]

    def results(self, conversation: str = MAIN) -> list[Result]:
        """The results of tools as the model saw them, without the client's own count of tokens."""
        found = self.of(conversation)
        return [Result(_COUNT.sub("", one.text).strip(), one.error) for one in found[-1].results()] if found else []

    def texts(self, conversation: str = MAIN) -> str:
        """Everything else that the model was told."""
        found = self.of(conversation)
        return "\n".join(found[-1].texts()) if found else ""

    def reached_the_model(self, text: str) -> bool:
        return any(text in request.everything() for request in self.requests)


@dataclass
class Session:
    """A project with a home of its own, in which the real client is run."""

    folder: Path
    client: Path
    environ: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for place in (self.project, self.home, self.folder / "tmp"):
            place.mkdir(parents=True, exist_ok=True)
        (self.project / ".git").mkdir()  # the root of a repository; nothing here asks git about it
        known = {"hasCompletedOnboarding": True, "projects": {str(self.project): {"hasTrustDialogAccepted": True}}}
        (self.home / ".claude.json").write_text(json.dumps(known), encoding="utf-8")

    # --- the world ---------------------------------------------------------------------------------------------

    @property
    def project(self) -> Path:
        return self.folder / "shop"

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def settings(self) -> Path:
        return self.project / ".claude" / "settings.local.json"

    @property
    def debug(self) -> str:
        """What the client has logged so far in the run that is on."""
        log = self.folder / "debug.log"
        return log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""

    def env(self) -> dict[str, str]:
        """The whole environment: nothing is inherited."""
        return {
            "PATH": f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin", "HOME": str(self.home),
            "TMPDIR": str(self.folder / "tmp"), "SHELL": "/bin/bash", "LANG": "C.UTF-8", "TERM": "dumb", **self.environ,
        }  # fmt: skip

    def write(self, name: str, text: str) -> Path:
        """A file of the project."""
        file = self.project / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(dedent(text), encoding="utf-8")
        return file

    def has(self, name: str) -> bool:
        return (self.project / name).exists()

    def read(self, name: str) -> str:
        return (self.project / name).read_text(encoding="utf-8")

    def interlock(self, *arguments: str) -> str:
        """A command of ours, as a person would run it here, and what it said."""
        command = [sys.executable, "-I", "-m", "interlock", *arguments]
        done = subprocess.run(
            command, cwd=self.project, env=self.env(), capture_output=True, text=True, timeout=LIMIT, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def guard(self, *rules: str, top: str = "", trust: bool = True) -> None:
        """Put the project under a policy of these rules, each written on one line as a YAML map.

        If none of them asks, nobody is there to answer what Interlock's own rules may ask, and nobody is waited for.
        """
        listed = "rules:\n" + "".join(f"  - {rule}\n" for rule in rules) if rules else "rules: []\n"
        wait = "" if "inbox:" in top or any("ask:" in rule for rule in rules) else "inbox: {wait: 1s}\n"
        self.write("interlock.yaml", f"version: 1\n{dedent(top)}{listed}{wait}")
        self.install()
        if trust:
            self.interlock("trust", "--yes")

    def install(self, *options: str) -> None:
        """Have every event of the client that matters sent to Interlock."""
        self.interlock("init", "--yes", *options)

    @property
    def store(self) -> Path:
        return self.home / ".local" / "state" / "interlock" / "store" / "interlock.db"

    def records(self, event: str | None = None, tool: str | None = None) -> list[StoredRecord]:
        """What Interlock recorded, the oldest first."""
        if not self.store.exists():
            return []
        with closing(SqliteStore(self.store)) as store:
            found = list(store.records())
        return [one for one in found if event in (None, one.event) and tool in (None, one.tool)]

    def payloads(self, event: str, tool: str | None = None) -> list[dict[str, Any]]:
        """What the client sent with these events."""
        return [json.loads(one.raw) for one in self.records(event, tool)]

    def paid(self, tool: str = "process_refund") -> list[dict[str, Any]]:
        """What the payments server really did."""
        ledger = self.folder / "ledger"
        lines = ledger.read_text(encoding="utf-8").splitlines() if ledger.exists() else []
        return [done for done in map(json.loads, lines) if done.pop("tool") == tool]

    # --- the client --------------------------------------------------------------------------------------------

    def run(
        self,
        *turns: Turn,
        agents: Mapping[str, Sequence[Turn]] | None = None,
        prompt: str = "Do what the script says.",
        tools: Sequence[str] = ALL_TOOLS,
        person: str | None = None,
        mcp: bool = False,
        args: Sequence[str] = (),
    ) -> Ran:
        """Run the client once, with a model that plays these turns (and those of each agent, named by its prompt).

        `tools` would run without a question; `person` says `yes` or `no` to every question that is asked.
        """
        debug = self.folder / "debug.log"
        debug.unlink(missing_ok=True)
        command = [
            str(self.client), "-p", prompt, "--output-format", "stream-json", "--verbose", "--include-hook-events",
            "--model", "claude-sonnet-4-5", "--strict-mcp-config", "--debug-file", str(debug), *args,
        ]  # fmt: skip
        if tools:
            command += ["--allowedTools", ",".join(tools)]
        if mcp or person:
            command += ["--mcp-config", self._payments(person or "no")]
        if person:
            command += ["--permission-prompt-tool", "mcp__payments__approve"]
        begun = time.monotonic()
        with Model({**(agents or {}), MAIN: turns}) as model:
            network = {"ANTHROPIC_BASE_URL": model.url, "ANTHROPIC_API_KEY": "not-a-key", "NO_PROXY": "127.0.0.1"}
            env = {**dict.fromkeys(_QUIET, "1"), **self.env(), **network}
            code, stdout, stderr = _bounded(command, self.project, env)
        seconds = time.monotonic() - begun
        assert model.faults == []
        return Ran(code, stdout, stderr, self.debug, model.requests, seconds)

    def _payments(self, person: str) -> str:
        server = {
            "command": str(clients.mcp_python()), "args": [str(PAYMENTS), str(self.folder / "ledger"), person],
            "alwaysLoad": True,
        }  # fmt: skip
        return json.dumps({"mcpServers": {"payments": server}})

    # --- the daemon --------------------------------------------------------------------------------------------

    @property
    def socket(self) -> Path:
        return self.home / socket_path().relative_to(Path.home())

    def daemons(self) -> list[int]:
        """The processes that serve this home: their command line names a socket in it."""
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):  # it has ended meanwhile
                words = (process / "cmdline").read_bytes().split(b"\0")
                if any(word.startswith(os.fsencode(self.home) + b"/") and b"socket" in word for word in words):
                    found.append(int(process.name))
        return found

    def close(self) -> None:
        """Leave nothing running and nothing behind."""
        for process in self.daemons():
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        until(lambda: not self.daemons())
        shutil.rmtree(self.folder / "tmp", ignore_errors=True)


def _bounded(command: list[str], cwd: Path, env: dict[str, str]) -> tuple[int, str, str]:
    """Run a command in a process group of its own, which is ended with all that is in it when its time is up."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, text=True, start_new_session=True
    ) as process:
        try:
            stdout, stderr = process.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            stdout, stderr = process.communicate()
            raise AssertionError(f"the client did not end within {LIMIT:g} s\n{stdout}\n{stderr}") from None
    return process.returncode, stdout, stderr
