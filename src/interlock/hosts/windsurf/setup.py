"""Interlock's entries for Windsurf: `hooks.json` in its folder, with a list for each of its events."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from interlock.hosts.base.commands import FOLDER, hook_command
from interlock.hosts.base.setup import EntryFile, HostScope, HostSetup
from interlock.hosts.windsurf.dialect import NATIVE
from interlock.hosts.windsurf.events import EVENTS

__all__ = ["SETUP"]


def _files(scope: HostScope, root: Path, home: Path) -> Sequence[EntryFile]:
    folder = root / ".windsurf" if scope == "project" else home / ".codeium" / "windsurf"
    entries = []
    for native, name in NATIVE.items():
        refuses = True if EVENTS[name].failing == "deny" else None
        # Most events do not say where they come from, but entries are run in the workspace.
        command = hook_command("windsurf", name, refuses=refuses, says=(FOLDER, FOLDER))
        entries.append((("hooks", native), {"command": command, "show_output": True}))
    return [EntryFile(path=folder / "hooks.json", entries=entries)]


def _steps(scope: HostScope, root: Path) -> Sequence[str]:
    return [
        "trust the workspaces that you open: in Restricted Mode, it runs no hooks and does not say so",
        "restart it, then ask Cascade for something that a rule denies, and check that the call is denied",
    ]


SETUP = HostSetup(programs=("windsurf",), folders=(".windsurf", ".codeium/windsurf"), files=_files, steps=_steps)
