"""Interlock's entries for Cursor: `hooks.json` in its folder, with time limits in seconds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from interlock.hosts.base.commands import hook_command
from interlock.hosts.base.setup import EntryFile, HostScope, HostSetup
from interlock.hosts.base.table import to_json
from interlock.hosts.cursor.events import EVENTS, WIRED
from interlock.hosts.cursor.trust import TRUST, faults, hooks_file

__all__ = ["SETUP"]

# What takes the place of a server's result if Interlock cannot be run: an exit code would leave it as it is.
_WHY = "[withheld by Interlock: it could not be run. A person can find out why with: interlock doctor]"
_UNCHECKED = to_json({"updated_mcp_tool_output": _WHY}).decode()


def _files(scope: HostScope, root: Path, home: Path) -> Sequence[EntryFile]:
    entries = []
    for native, name in WIRED.items():
        event = EVENTS[name]
        refuses = event.failing != "notice"
        command = hook_command("cursor", name, refuses=refuses, instead=_UNCHECKED if name == "PostToolUse" else "")
        entry = {"command": command, "timeout": event.seconds}
        # Without it, a hook that cannot be started or that takes too long lets the call run.
        closed = {"failClosed": True} if event.failing == "deny" else {}
        entries.append((("hooks", native), {**entry, **closed}))
    return [EntryFile(path=hooks_file(scope, root, home), entries=entries, start={"version": 1})]


def _steps(scope: HostScope, root: Path) -> Sequence[str]:
    found = ["if Cursor is running, restart it"]
    if scope == "project":
        found.insert(
            0, f"open {root} in Cursor and trust the workspace: until then, it runs none of the workspace's hooks"
        )
    return [*(f"fix this, or no hook runs: {fault}" for fault in faults(scope, root, Path.home())), *found]


SETUP = HostSetup(programs=("cursor", "cursor-agent"), folders=(".cursor",), files=_files, steps=_steps, trust=TRUST)
