"""Interlock's scripts for Cline, each named after its event, where both the extension and the SDK look for them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from interlock.hosts.base.commands import COULD_NOT_RUN, hook_command
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
    return f"{_HEAD}exec {hook_command('cline', event, refuses=True, instead=instead)}\n"


def _files(scope: HostScope, root: Path, home: Path) -> Sequence[OwnFile]:
    folder = root / ".clinerules" / "hooks" if scope == "project" else home / "Documents" / "Cline" / "Hooks"
    wired = [name for name, event in EVENTS.items() if event.seconds is not None]
    return [OwnFile(path=folder / name, content=script_text(name).encode(), mode=0o755) for name in wired]


def _steps(scope: HostScope, root: Path) -> Sequence[str]:
    return ["check that hooks are enabled in Cline's settings: it skips them otherwise"]


def _starts(file: SetupFile, raw: bytes, event: bytes, root: Path) -> Sequence[EntryStart]:
    return [EntryStart(file=file.path, words=[str(file.path)], stdin=event)] if file.path.name == "PreToolUse" else []


SETUP = HostSetup(
    programs=("cline",),
    folders=(".cline", "Documents/Cline", ".clinerules"),
    files=_files,
    steps=_steps,
    starts=_starts,
)
