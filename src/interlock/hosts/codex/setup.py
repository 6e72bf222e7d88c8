"""Interlock's entries for Codex: `hooks.json` in its folder, in the form of Claude Code's settings."""

from __future__ import annotations

import os
import pwd
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from interlock.hosts.base.commands import hook_command
from interlock.hosts.base.setup import EntryFile, HostScope, HostSetup
from interlock.hosts.codex.events import EVENTS
from interlock.hosts.codex.trust import TRUST, codex_folder

__all__ = ["SETUP"]


def _files(scope: HostScope, root: Path, home: Path) -> Sequence[EntryFile]:
    folder = codex_folder(scope, root, home)
    entries = []
    for name, event in EVENTS.items():
        if event.seconds is not None:
            command = hook_command("codex", name, refuses=event.failing != "notice")
            handler = {"type": "command", "command": command, "timeout": event.seconds}
            entries.append((("hooks", name), {"hooks": [handler]}))
    return [EntryFile(path=folder / "hooks.json", entries=entries)]


def _steps(scope: HostScope, root: Path) -> Sequence[str]:
    found = ["start `codex` and trust the new hooks in `/hooks`: until then, it skips them and does not say so"]
    if scope == "project":
        found.insert(0, "start `codex` here and trust this project: until then, it reads none of the project's hooks")
    return found


def _shell() -> Sequence[str]:
    """The shell that a person logs in with, if it is one that Codex knows."""
    try:
        named = pwd.getpwuid(os.getuid()).pw_shell
    except KeyError:
        named = ""
    usual = ("zsh", "bash") if sys.platform == "darwin" else ("bash", "zsh")
    known = [named] if Path(named).name in ("bash", "sh", "zsh") else []
    return next(filter(None, map(shutil.which, (*known, *usual))), "/bin/sh"), "-c"


SETUP = HostSetup(
    programs=("codex",),
    folders=(".codex",),
    scopes=("user", "project"),  # a project's are not read until Codex trusts the project
    files=_files,
    steps=_steps,
    trust=TRUST,
    run_by=_shell,
)
