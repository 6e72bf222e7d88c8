"""Where a host keeps its settings, where Interlock notes what it changed there, and what an entry has to name."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal, TypeAlias

from interlock.config import places as config
from interlock.config.places import POLICY_NAME, socket_path, state_folder, user_policy
from interlock.hosts.base.places import backup_folder, client_file, launcher_file, python, short_name

__all__ = [
    "MANAGED",
    "SCOPES",
    "Scope",
    "backup_folder",
    "client_file",
    "config_folder",
    "launcher_file",
    "manifest_file",
    "note_file",
    "other_config_folder",
    "policy_file",
    "python",
    "settings_file",
    "socket_path",
]

Scope: TypeAlias = Literal["local", "project", "user", "managed"]
SCOPES: tuple[Scope, ...] = ("local", "project", "user", "managed")
MANAGED = Path("/etc/claude-code/managed-settings.json")


def config_folder(home: Path | None = None) -> Path:
    """Claude Code's folder of a person: where CLAUDE_CONFIG_DIR says, else in their home."""
    named = os.environ.get("CLAUDE_CONFIG_DIR")
    return Path(named).absolute() if named else (home or Path.home()) / ".claude"


def other_config_folder(transcript: str) -> Path | None:
    """The folder of a person in which a client keeps this transcript, if that is not the usual one."""
    parents = Path(transcript).parents
    found = parents[2] if len(parents) > 2 and parents[1].name == "projects" else None
    return None if found is None or found == Path.home() / ".claude" else found


def settings_file(scope: Scope, project: Path, config: Path | None = None) -> Path:
    """The settings file of a scope; `config` is the person's own folder."""
    if scope == "managed":
        return MANAGED
    if scope == "user":
        return (config or config_folder()) / "settings.json"
    return project / ".claude" / ("settings.local.json" if scope == "local" else "settings.json")


def policy_file(scope: Scope, project: Path) -> Path:
    """The policy that applies wherever a settings file of this scope does."""
    return {"user": user_policy(), "managed": config.MANAGED}.get(scope, project / POLICY_NAME)


def manifest_file(settings: Path) -> Path:
    """Where it is noted what was added to a settings file."""
    return state_folder() / "installs" / f"{short_name(settings)}.json"


def note_file(settings: Path) -> Path:
    """Where it is noted which entries belong in a settings file."""
    return state_folder() / "entries" / f"{short_name(settings)}.json"
