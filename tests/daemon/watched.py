"""A project whose entries are watched, as the daemon does it, with git and a person at work in it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

from interlock.daemon.entry_watch import EntryWatch
from interlock.daemon.peers import Process
from interlock.event import Stop
from interlock.fold import Draft, Round
from interlock.hosts.claude_code.installer import apply, plan_install, plan_uninstall
from interlock.hosts.claude_code.places import Scope, settings_file
from interlock.hosts.claude_code.settings_state import settings_state
from interlock.policy.situation import Situation

EVENT = Stop(session_id="s", transcript_path="/t", cwd="/", stop_hook_active=False)


class Watched:
    """A project, a watch over its entries, and all that was recorded and told."""

    def __init__(self, root: Path, scope: Scope = "local") -> None:
        self.root = root
        self.scope: Scope = scope
        self.records: list[dict[str, Any]] = []
        self.watch = EntryWatch(self.records.append)
        self.host = Process(os.getpid(), 1)
        root.mkdir(exist_ok=True)

    @property
    def file(self) -> Path:
        return settings_file(self.scope, self.root)

    def install(self, scope: Scope | None = None) -> None:
        apply(plan_install(self.root, scope or self.scope, starter="version: 1\n"))

    def uninstall(self) -> None:
        apply(plan_uninstall(self.root, self.scope))

    def event(self, name: str = "PostToolUse", host: Process | None = None) -> list[str]:
        """An event of a session in the project; what the person is told with it."""
        panels = self.watch.beside(name, self.root, host or self.host)
        answers = [panel.ask(Situation(event=EVENT, host="claude-code"), Round(Draft({}))) for panel in panels]
        opinions = [opinion for answer in answers for said in answer.values() for opinion in said]
        assert all(opinion.decision is None for opinion in opinions), "it never decides anything"
        return [opinion.notice or "" for opinion in opinions]

    def session(self, number: int) -> list[str]:
        """A new session that begins, and what the person is told in it."""
        host = Process(os.getpid(), number)
        return [text for name in ("SessionStart", "UserPromptSubmit", "Stop") for text in self.event(name, host)]

    def is_guarded(self) -> bool:
        """Whether everything of a new session would come to us."""
        return settings_state(self.root).missing == ()

    def restart(self) -> None:
        """Another daemon takes over."""
        self.watch = EntryWatch(self.records.append)

    # --- git -----------------------------------------------------------------------------------------------------

    def git(self, *arguments: str) -> str:
        identity = ["-c", "user.name=me", "-c", "user.email=me@example.com", "-c", "init.defaultBranch=main"]
        command = ["git", *identity, *arguments]
        return subprocess.run(command, cwd=self.root, check=True, capture_output=True, text=True).stdout

    def commit(self, *files: str) -> None:
        """Make it a repository, if it is none yet, and commit these files."""
        if not (self.root / ".git").exists():
            self.git("init", "-q")
        self.git("add", "-f", *files)
        self.git("commit", "-qm", "x")

    def status(self) -> str:
        return self.git("status", "--porcelain")
