"""Interlock's entries for Qwen Code: `hooks` in its settings, with time limits in milliseconds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from interlock.hosts.base.commands import hook_command
from interlock.hosts.base.samples import SESSION
from interlock.hosts.base.setup import EntryFile, HostScope, HostSetup, OffSwitch
from interlock.hosts.base.switches import first_with
from interlock.hosts.qwen.events import EVENTS

__all__ = ["SETUP"]

# An exit code alone would leave a result as it is, so this is printed if Interlock cannot be run.
_WHY = "[withheld by Interlock: it could not be run. A person can find out why with: interlock doctor]"
_INSTEAD = {
    "PostToolUse": f'{{"continue":false,"stopReason":"{_WHY}"}}',
    "PostToolBatch": f'{{"decision":"block","reason":"{_WHY}"}}',
}
_ABOUT_CALLS = ("PreToolUse", "PermissionRequest", "PostToolUse", "PostToolUseFailure")
_SWITCH = "disableAllHooks"
_FOLDERS = ("QWEN_PROJECT_DIR", "GEMINI_PROJECT_DIR", "CLAUDE_PROJECT_DIR")  # variables that name the project


def _files(scope: HostScope, root: Path, home: Path) -> Sequence[EntryFile]:
    folder = (root if scope == "project" else home) / ".qwen"
    entries = []
    for name, event in EVENTS.items():
        if event.seconds is not None:
            refuses = event.failing != "notice"
            command = hook_command("qwen", name, refuses=refuses, instead=_INSTEAD.get(name, ""))
            handler = {"name": "interlock", "type": "command", "command": command, "timeout": event.seconds * 1000}
            matcher = {"matcher": "*"} if name in _ABOUT_CALLS else {}
            entries.append((("hooks", name), {**matcher, "hooks": [handler]}))
    return [EntryFile(path=folder / "settings.json", entries=entries, jsonc=True, bom=True)]


def _switched_off(scope: HostScope, root: Path, home: Path) -> Sequence[OffSwitch]:
    found = first_with([root / ".qwen" / "settings.json", home / ".qwen" / "settings.json"], _SWITCH)
    is_off = found is not None and found[1] is True
    return [OffSwitch(file=found[0], key=_SWITCH, what="all hooks of Qwen")] if found and is_off else []


def _marks(root: Path) -> Mapping[str, str]:
    return {**dict.fromkeys(_FOLDERS, str(root)), "QWEN_CODE_SESSION_ID": SESSION}


SETUP = HostSetup(
    programs=("qwen",),
    folders=(".qwen",),
    scopes=("user", "project"),
    files=_files,
    switched_off=_switched_off,
    run_by=lambda: ("bash", "-c"),
    marks=_marks,
)
