"""Interlock's entries for VS Code: those of Copilot CLI, whose folders it reads too."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from interlock.hosts.base.setup import EntryFile, HostScope, HostSetup
from interlock.hosts.copilot.setup import FILE, entry_file

__all__ = ["SETUP"]


def _files(scope: HostScope, root: Path, home: Path) -> Sequence[EntryFile]:
    # It knows nothing of the variable that moves Copilot's own folder.
    folder = root / ".github" if scope == "project" else home / ".copilot"
    return [entry_file(folder / "hooks" / FILE)]


def _steps(scope: HostScope, root: Path) -> Sequence[str]:
    return [f"open {root} in VS Code and trust it: in a workspace that you do not trust, it runs no hooks"]


SETUP = HostSetup(
    programs=("code", "code-insiders"),
    folders=(".vscode/extensions", ".vscode-insiders/extensions", ".vscode-server"),
    files=_files,
    steps=_steps,
    entries_with=("copilot",),
)
