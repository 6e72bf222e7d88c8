"""Interlock's entries for Kiro: a file of hooks for the editor and CLI 3, and a list in every agent of CLI 2.x.

CLI 2.x has no other place for hooks than the files of agents, and reads none of the others. The calls of an
agent whose file has no entry are not judged, so every file belongs to the setup, and a new one makes it incomplete.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import DecodeError, json

from interlock.hosts.base.commands import FOLDER, PROCESS, hook_command
from interlock.hosts.base.setup import EntryFile, HostScope, HostSetup, OwnFile, SetupFile
from interlock.hosts.kiro.dialect import NATIVE
from interlock.hosts.kiro.events import EVENTS

__all__ = ["SETUP"]

JsonObject: TypeAlias = dict[str, Any]


def _files(scope: HostScope, root: Path, home: Path) -> Sequence[SetupFile]:
    folder = (root if scope == "project" else home) / ".kiro"
    hooks = OwnFile(path=folder / "hooks" / "interlock.json", content=_hooks())
    agents = [file for file in sorted((folder / "agents").glob("*.json")) if _has_lists(file)]
    return [hooks, *(EntryFile(path=file, entries=list(_entries())) for file in agents)]


def _command(event: str) -> str:
    refuses = True if EVENTS[event].failing == "deny" else None
    # Older versions do not say which session an event is of.
    return hook_command("kiro", event, refuses=refuses, says=(FOLDER, PROCESS))


def _seconds(event: str) -> int:
    return EVENTS[event].seconds or 0


def _hooks() -> bytes:
    """The hooks of the editor and CLI 3, whose events have the names of policies."""
    hooks = [
        {
            "name": f"interlock-{name}",
            "trigger": name,
            "action": {"type": "command", "command": _command(name)},
            "timeout": _seconds(name),
            "enabled": True,
        }
        for native, name in NATIVE.items()
        if native == name
    ]
    return json.format(json.encode({"version": "v1", "hooks": hooks}), indent=2) + b"\n"


def _entries() -> Iterator[tuple[tuple[str, ...], JsonObject]]:
    """The entries of an agent. They have no matcher, and so are for all tools, and no more keys than are known."""
    for native, name in NATIVE.items():
        if native != name:
            yield ("hooks", native), {"command": _command(name), "timeout_ms": _seconds(name) * 1000}


def _has_lists(file: Path) -> bool:
    """Whether an agent's hooks are lists by event, as in CLI 2.x, or may be: CLI 3 has other agents too."""
    try:
        found = json.decode(file.read_bytes())
    except (OSError, DecodeError):
        return True
    return not (isinstance(found, dict) and isinstance(found.get("hooks"), list))


def _steps(scope: HostScope, root: Path) -> Sequence[str]:
    return [
        "trust the folders that you open: in a folder that you do not trust, it runs no hooks and does not say so",
        "in Kiro CLI 2.x, only your own agents ask Interlock, not the built-in `kiro_default`: make one with "
        "`kiro-cli agent create`, make it the default with `kiro-cli agent set-default`, and run this command again; "
        "do so after every agent that you add",
        "restart it, then ask it for something that a rule denies, and check that the call is denied",
    ]


SETUP = HostSetup(programs=("kiro-cli", "kiro"), folders=(".kiro",), files=_files, steps=_steps)
