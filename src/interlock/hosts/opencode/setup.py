"""Interlock's plugin for OpenCode, with the words that start the client put into it."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from interlock.config.places import socket_path
from interlock.hosts.base.commands import COULD_NOT_RUN
from interlock.hosts.base.denials import object_in
from interlock.hosts.base.places import client_file, host_folder, python
from interlock.hosts.base.setup import EntryStart, HostScope, HostSetup, OwnFile, SetupFile
from interlock.hosts.opencode.events import EVENTS

__all__ = ["SETUP", "plugin_text"]

_SOURCE = Path(__file__).with_name("plugin.js")
_PLACE = '"INTERLOCK"'
_KNOWN = re.compile(r"^const \{ client, socket.* = (\{$.*?^\})$", re.DOTALL | re.MULTILINE)
_TRY = Path(__file__).with_name("try_plugin.mjs")
_RUNTIMES = ("bun", "node")  # OpenCode has the first in it


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
    folder = root / ".opencode" if scope == "project" else host_folder("XDG_CONFIG_HOME", home, ".config") / "opencode"
    return [OwnFile(path=folder / "plugins" / "interlock.js", content=plugin_text().encode())]


def _steps(scope: HostScope, root: Path) -> Sequence[str]:
    return ["restart OpenCode: it loads plugins only when it starts, and none with `--pure`"]


def _starts(file: SetupFile, raw: bytes, event: bytes, root: Path) -> Sequence[EntryStart]:
    """The plugin with a call handed to it; where nothing runs JavaScript, the client that the plugin starts."""
    runtime = next(filter(None, map(shutil.which, _RUNTIMES)), None)
    if runtime is not None:
        return [EntryStart(file=file.path, words=[runtime, str(_TRY), str(file.path)], stdin=event)]
    found = _KNOWN.search(raw.decode("utf-8", "replace"))
    known = object_in(found[1]) if found is not None else None
    if known is None:
        return []
    words = [*known["client"], "opencode:PreToolUse", known["socket"], str(root)]
    return [EntryStart(file=file.path, words=words, stdin=event)]


SETUP = HostSetup(
    programs=("opencode",),
    folders=(".config/opencode", ".opencode"),
    files=_files,
    steps=_steps,
    starts=_starts,
)
