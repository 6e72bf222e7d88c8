"""Interlock's scripts for Cline, each named after its event, where both the extension and the SDK look for them."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from interlock.hosts.base.commands import COULD_NOT_RUN, FOLDER, hook_command
from interlock.hosts.base.setup import EntryStart, HostScope, HostSetup, OwnFile, SetupFile
from interlock.hosts.base.table import to_json
from interlock.hosts.cline.events import EVENTS

__all__ = ["SETUP", "script_text"]

_HEAD = """#!/bin/sh
# Cline runs this and does what it prints, and Interlock answers. `interlock init` writes this file, and
# `interlock uninstall` removes it.
"""


def script_text(event: str) -> str:
    """The script for one event. Exit codes mean nothing to Cline, so whatever happens, it prints an answer."""
    instead = to_json({"cancel": True, "errorMessage": COULD_NOT_RUN}).decode()
    return f"{_HEAD}exec {hook_command('cline', event, refuses=True, instead=instead, says=(FOLDER, FOLDER))}\n"


def _files(scope: HostScope, root: Path, home: Path) -> Sequence[OwnFile]:
    wired = [name for name, event in EVENTS.items() if event.seconds is not None]
    return [
        OwnFile(path=folder / name, content=script_text(name).encode(), mode=0o755)
        for folder in ([root / ".clinerules" / "hooks"] if scope == "project" else _own_folders(home))
        for name in wired
    ]


def _own_folders(home: Path) -> list[Path]:
    """Where a person's hooks are: the SDK takes `Documents`, and the extension on Linux what the desktop takes."""
    return [place / "Cline" / "Hooks" for place in dict.fromkeys((home / "Documents", _documents(home)))]


def _documents(home: Path) -> Path:
    """What `xdg-user-dir DOCUMENTS` says: without a setting, the home folder itself."""
    if sys.platform != "linux" or shutil.which("xdg-user-dir") is None:
        return home / "Documents"
    try:
        settings = (home / ".config" / "user-dirs.dirs").read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        settings = ""
    found = re.search(r'^XDG_DOCUMENTS_DIR="(.+)"$', settings, re.MULTILINE)
    return home if found is None else Path(found[1].replace("$HOME", str(home)))


def _steps(scope: HostScope, root: Path) -> Sequence[str]:
    return ["check that hooks are enabled in Cline's settings: otherwise it skips them"]


def _starts(file: SetupFile, raw: bytes, event: bytes, root: Path) -> Sequence[EntryStart]:
    return [EntryStart(file=file.path, words=[str(file.path)], stdin=event)] if file.path.name == "PreToolUse" else []


SETUP = HostSetup(
    programs=("cline",),
    folders=(".cline", "Documents/Cline", ".clinerules"),
    files=_files,
    steps=_steps,
    starts=_starts,
)
