"""A project with a home of its own, in which the commands of Interlock are run as a person would run them."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from click.testing import CliRunner, Result
from msgspec import json

from interlock.cli import main
from interlock.config.trust import Trust
from interlock.store.base import StoredRecord
from interlock.store.place import open_store

FOREIGN = ("CLAUDECODE", "CLAUDE_PROJECT_DIR")
Ended = subprocess.CompletedProcess[bytes]


class Project:
    """One folder to work in, and a home that nothing of the real person's is in."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.home = folder / "home"
        self.root = folder / "shop"
        self.home.mkdir()
        self.root.mkdir()
        patch.setenv("HOME", str(self.home))
        for name in FOREIGN:
            patch.delenv(name, raising=False)
        patch.chdir(self.root)

    @property
    def state(self) -> Path:
        return self.home / ".local" / "state" / "interlock"

    def write(self, text: str, name: str = "interlock.yaml") -> Path:
        """A file of the project."""
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(dedent(text), encoding="utf-8")
        return file

    def policy(self, *rules: str, top: str = "", name: str = "interlock.yaml") -> Path:
        """A policy of these rules, each written on one line as a YAML map."""
        listed = "rules:\n" + "".join(f"  - {rule}\n" for rule in rules) if rules else "rules: []\n"
        return self.write("version: 1\n" + top + listed, name)

    def trust(self, name: str = "interlock.yaml") -> None:
        Trust().add(self.root / name)

    def run(self, *arguments: str | Path, stdin: str | None = None) -> Result:
        """A command, in this process."""
        return CliRunner().invoke(main, [str(word) for word in arguments], input=stdin)

    def said(self, *arguments: str | Path) -> tuple[int, str]:
        """A command's exit code and all it printed, with the project's folder left out of the names of files."""
        result = self.run(*arguments)
        return result.exit_code, self.short(result.output)

    def data(self, *arguments: str | Path) -> Any:
        """The JSON that a command prints."""
        return json.decode(self.run(*arguments, "--json").stdout)

    def short(self, text: str) -> str:
        return text.replace(f"{self.root}/", "").replace(str(self.root), "shop").replace(str(self.home), "~")

    def environ(self, **extra: str) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if name not in FOREIGN}
        return {**kept, "HOME": str(self.home), **extra}

    def spawn(self, *arguments: str | Path, stdin: bytes = b"", cwd: Path | None = None, **extra: str) -> Ended:
        """A command, in a process of its own."""
        command = [sys.executable, "-m", "interlock", *map(str, arguments)]
        env = self.environ(**extra)
        return subprocess.run(
            command, input=stdin, capture_output=True, cwd=cwd or self.root, env=env, timeout=60, check=False
        )

    def hook(self, raw: bytes, *options: str | Path, cwd: Path | None = None, **extra: str) -> Ended:
        """One event, answered as Claude Code has it answered."""
        return self.spawn("hook", "claude-code", *options, stdin=raw, cwd=cwd, **extra)

    def event(self, name: str, **fields: Any) -> bytes:
        base = {"session_id": "s1", "transcript_path": "/t.jsonl", "cwd": str(self.root), "permission_mode": "default"}
        return json.encode({**base, "hook_event_name": name, **fields})

    def call(self, tool: str, given: Any, call: str = "c1", **fields: Any) -> bytes:
        """A call that is about to run; a text is a shell command."""
        given = {"command": given} if isinstance(given, str) else given
        return self.event("PreToolUse", tool_name=tool, tool_input=given, tool_use_id=call, **fields)

    def result(self, tool: str, given: Any, response: Any, call: str = "c1") -> bytes:
        """A call that has run."""
        fields = {"tool_name": tool, "tool_input": given, "tool_use_id": call, "tool_response": response}
        return self.event("PostToolUse", **fields)

    def records(self) -> list[StoredRecord]:
        with closing(open_store()) as store:
            return list(store.records())


def decision(ended: Ended) -> str | None:
    """What Claude Code was told about a call."""
    found: str | None = json.decode(ended.stdout).get("hookSpecificOutput", {}).get("permissionDecision")
    return found


def reason(ended: Ended) -> str:
    found: str = json.decode(ended.stdout)["hookSpecificOutput"]["permissionDecisionReason"]
    return found
