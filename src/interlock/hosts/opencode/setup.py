"""Interlock's plugin for OpenCode, with the words that start the client put into it."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

from interlock.config.places import socket_path
from interlock.hosts.base.commands import COULD_NOT_RUN
from interlock.hosts.base.places import client_file, python
from interlock.hosts.base.setup import HostScope, HostSetup, OwnFile
from interlock.hosts.opencode.events import EVENTS

__all__ = ["SETUP", "plugin_text"]

_SOURCE = Path(__file__).with_name("plugin.js")
_PLACE = '"INTERLOCK"'


def plugin_text() -> str:
    """The plugin for this installation."""
    known = {
        "client": [str(python()), "-I", "-S", str(client_file())],
        "socket": str(socket_path()),
        "seconds": {name: event.seconds for name, event in EVENTS.items() if event.seconds is not None},
        "failed": COULD_NOT_RUN,
    }
    return _SOURCE.read_text(encoding="utf-8").replace(_PLACE, json.dumps(known, indent=2), 1)


def _files(scope: HostScope, root: Path, home: Path) -> Sequence[OwnFile]:
    named = os.environ.get("XDG_CONFIG_HOME") or home / ".config"
    folder = root / ".opencode" if scope == "project" else Path(named).absolute() / "opencode"
    return [OwnFile(path=folder / "plugins" / "interlock.js", content=plugin_text().encode())]


def _steps(scope: HostScope, root: Path) -> Sequence[str]:
    return ["restart OpenCode: it loads plugins when it starts, and none with `--pure`"]


SETUP = HostSetup(programs=("opencode",), folders=(".config/opencode", ".opencode"), files=_files, steps=_steps)
