"""Interlock's entries for Droid, in the file from which it takes its hooks.

Its documentation names `hooks.json`, and `settings.json` where there is none. Versions were seen that read only the
settings. So the entries are always in the settings, and where a person has another file, also in that.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from interlock.hosts.base.commands import hook_command
from interlock.hosts.base.setup import EntryFile, HostScope, HostSetup, OffSwitch
from interlock.hosts.base.switches import first_with
from interlock.hosts.droid.events import EVENTS

__all__ = ["SETUP"]

_SETTINGS = "settings.json"
_SWITCH = "hooksDisabled"
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
    return [
        "in sessions that are running, review the new hooks with `/hooks`: a session keeps the hooks it started with"
    ]


def _switched_off(scope: HostScope, root: Path, home: Path) -> Sequence[OffSwitch]:
    """Either settings switch every hook off, whatever the others say."""
    places = (_folder("user", root, home) / _SETTINGS, _folder("project", root, home) / _SETTINGS)
    found = (first_with([place], _SWITCH) for place in places)
    return [OffSwitch(file=one[0], key=_SWITCH, what="all hooks of Droid") for one in found if one and one[1] is True]


SETUP = HostSetup(programs=("droid",), folders=(".factory",), files=_files, steps=_steps, switched_off=_switched_off)
