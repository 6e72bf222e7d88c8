"""Interlock's entries for Droid, in the file from which it takes its hooks.

Its documentation names `hooks.json`, and `settings.json` where there is none. Versions were seen that read only the
settings. So the entries are always in the settings, and where a person has another file, also in that.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec import DecodeError, json

from interlock.hosts.base.commands import hook_command
from interlock.hosts.base.setup import EntryFile, HostScope, HostSetup
from interlock.hosts.droid.events import EVENTS

__all__ = ["SETUP"]

_SETTINGS = "settings.json"
_OTHERS = ("hooks.json", "hooks/hooks.json")
_ABOUT_CALLS = ("PreToolUse", "PostToolUse")


def _folder(scope: HostScope, root: Path, home: Path) -> Path:
    return (root if scope == "project" else home) / ".factory"


def _files(scope: HostScope, root: Path, home: Path) -> Sequence[EntryFile]:
    folder = _folder(scope, root, home)
    places = [folder / _SETTINGS, *(folder / name for name in _OTHERS if (folder / name).is_file())]
    entries = [((("hooks", name), _entry(name))) for name, event in EVENTS.items() if event.seconds is not None]
    return [EntryFile(path=place, entries=entries) for place in places]


def _entry(name: str) -> dict[str, Any]:
    event = EVENTS[name]
    command = hook_command("droid", name, refuses=event.failing != "notice")
    matcher = {"matcher": "*"} if name in _ABOUT_CALLS else {}
    return {**matcher, "hooks": [{"type": "command", "command": command, "timeout": event.seconds}]}


def _steps(scope: HostScope, root: Path) -> Sequence[str]:
    found = [
        f"remove `hooksDisabled` from {settings}: it switches every hook off"
        for settings in (_folder("user", root, Path.home()) / _SETTINGS, _folder("project", root, root) / _SETTINGS)
        if _switches_off(settings)
    ]
    review = "review the new hooks with `/hooks` in sessions that are running: each keeps those that it started with"
    return [*found, review]


def _switches_off(settings: Path) -> bool:
    try:
        found = json.decode(settings.read_bytes())
    except (OSError, DecodeError):
        return False  # a file that is not there switches nothing off; one that cannot be read is not edited either
    return isinstance(found, dict) and found.get("hooksDisabled") is True


SETUP = HostSetup(programs=("droid",), folders=(".factory",), files=_files, steps=_steps)
