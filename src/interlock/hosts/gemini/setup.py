"""Interlock's entries for Gemini: `hooks` in its settings, with time limits in milliseconds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from interlock.hosts.base.commands import hook_command
from interlock.hosts.base.samples import SESSION
from interlock.hosts.base.setup import EntryFile, HostScope, HostSetup
from interlock.hosts.gemini.dialect import NATIVE
from interlock.hosts.gemini.events import EVENTS
from interlock.hosts.gemini.trust import NAME, TRUST, switched_off

__all__ = ["SETUP"]

_ABOUT_CALLS = ("PreToolUse", "PostToolUse")
_FOLDERS = ("GEMINI_PROJECT_DIR", "GEMINI_CWD", "CLAUDE_PROJECT_DIR")  # variables that name the project


def _files(scope: HostScope, root: Path, home: Path) -> Sequence[EntryFile]:
    folder = (root if scope == "project" else home) / ".gemini"
    entries = []
    for name, event in EVENTS.items():
        if event.seconds is not None:
            command = hook_command("gemini", name, refuses=event.failing != "notice")
            handler = {"name": NAME, "type": "command", "command": command, "timeout": event.seconds * 1000}
            matcher = {"matcher": "*"} if name in _ABOUT_CALLS else {}
            entries.append((("hooks", NATIVE[name]), {**matcher, "hooks": [handler]}))
    return [EntryFile(path=folder / "settings.json", entries=entries, jsonc=True)]


def _steps(scope: HostScope, root: Path) -> Sequence[str]:
    if scope == "user":
        return ()
    return [
        "trust this folder: start `gemini` here once and answer its question, or use `/permissions trust`; until then, "
        "and with `--skip-trust`, Gemini skips a project's hooks and does not say so"
    ]


def _marks(root: Path) -> Mapping[str, str]:
    return {**dict.fromkeys(_FOLDERS, str(root)), "GEMINI_SESSION_ID": SESSION}


SETUP = HostSetup(
    programs=("gemini",),
    folders=(".gemini",),
    # A person's own hooks run in every folder. Those of a project need trust, which `--skip-trust` does not give them.
    scopes=("user", "project"),
    files=_files,
    steps=_steps,
    trust=TRUST,
    switched_off=switched_off,
    run_by=lambda: ("bash", "-c"),
    marks=_marks,
)
