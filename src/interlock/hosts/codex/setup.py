"""Interlock's entries for Codex: `hooks.json` in its folder, in the form of Claude Code's settings."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from interlock.hosts.base.commands import hook_command
from interlock.hosts.base.setup import EntryFile, HostScope, HostSetup
from interlock.hosts.codex.events import EVENTS

__all__ = ["SETUP"]


def _files(scope: HostScope, root: Path, home: Path) -> Sequence[EntryFile]:
    named = os.environ.get("CODEX_HOME")
    folder = root / ".codex" if scope == "project" else Path(named).absolute() if named else home / ".codex"
    entries = []
    for name, event in EVENTS.items():
        if event.seconds is not None:
            command = hook_command("codex", name, refuses=event.failing != "notice")
            handler = {"type": "command", "command": command, "timeout": event.seconds}
            entries.append((("hooks", name), {"hooks": [handler]}))
    return [EntryFile(path=folder / "hooks.json", entries=entries)]


def _steps(scope: HostScope, root: Path) -> Sequence[str]:
    found = ["start `codex` once and trust the new hooks in `/hooks`: until then it skips them without a word"]
    if scope == "project":
        found.append("trust this project in Codex too: it reads no hooks of other projects")
    return found


SETUP = HostSetup(programs=("codex",), folders=(".codex",), files=_files, steps=_steps)
