"""Interlock's entry for Amp: the first of its permissions, for every tool, and the program that it names."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from interlock.hosts.amp.delegate import PERMISSIONS, delegate_text
from interlock.hosts.base.setup import EntryFile, HostScope, HostSetup, OwnFile, SetupFile

__all__ = ["SETUP"]


def _files(scope: HostScope, root: Path, home: Path) -> Sequence[SetupFile]:
    folder = home / ".config" / "amp"
    program = folder / "interlock-delegate"
    entry = {"tool": "*", "action": "delegate", "to": str(program)}
    return [
        OwnFile(path=program, content=delegate_text().encode(), mode=0o755),
        EntryFile(path=folder / "settings.json", entries=[((PERMISSIONS,), entry)], first=True),
    ]


# Amp did not read the permissions of a project's `.amp/settings.json` when it was driven.
SETUP = HostSetup(programs=("amp",), folders=(".config/amp",), scopes=("user",), files=_files)
