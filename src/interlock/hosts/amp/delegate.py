"""The program that Amp asks: a script that starts the client, and has Amp's own rules in it.

Amp starts it without arguments and says the rest in the environment, so the script passes that on as words.
"""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from msgspec import json

from interlock.errors import InterlockError
from interlock.files import jsonedit
from interlock.hosts.amp.dialect import OWN
from interlock.hosts.amp.permissions import own_permission
from interlock.hosts.base.commands import COULD_NOT_RUN, client_words
from interlock.jsontext import read_object
from interlock.process import run_program

__all__ = ["PERMISSIONS", "delegate_text", "event_of_call", "settings_file"]

PERMISSIONS = "amp.permissions"
_SETTINGS = ("settings.json", "settings.jsonc")  # beside the script: Amp reads the first that is there
_LIST = ("permissions", "list", "--builtin", "--json")
_SECONDS = 20.0  # that Amp may take to show its own rules
_MARK = "# built in: "
_WORDS = '"$PWD" "$PWD" "$AGENT_TOOL_NAME" "${AMP_THREAD_ID:-process-$PPID}" "$0"'
_HEAD = """#!/bin/sh
# Amp asks this program whether a call may run, and Interlock answers. `interlock init` writes this file, and
# `interlock uninstall` removes it. The last line has Amp's own rules as they were then: they decide where no
# policy does.
"""


def settings_file(folder: Path) -> Path:
    """A person's settings: a new file of the first name would put those in one of the second out of force."""
    return next((folder / name for name in _SETTINGS if (folder / name).exists()), folder / _SETTINGS[0])


def delegate_text(place: Path) -> str:
    """The script for this installation. If Amp does not say its rules now, those in the script that is there stay."""
    words = client_words("amp", "PreToolUse")
    program, client = shlex.quote(words[0]), shlex.quote(words[3])
    # It reads what Amp sends even then: Amp fails if that is not read.
    refusal = f"{{ cat >/dev/null; echo {shlex.quote(COULD_NOT_RUN)} >&2; exit 2; }}"
    lines = (
        f"test -x {program} && test -r {client} || {refusal}",
        f"exec {shlex.join(words)} {_WORDS}",
        f"{_MARK}{json.encode(_built_in() or _kept_rules(place)).decode()}",
    )
    return "".join((_HEAD, *(f"{line}\n" for line in lines)))


@cache
def _built_in() -> list[Any]:
    """The rules that come with Amp; none if it does not say them."""
    amp = shutil.which("amp")
    if amp is None:
        return []
    try:
        # They are the same for everybody, and Amp says nothing if a person's own settings are broken.
        with TemporaryDirectory() as home:
            env = {**os.environ, "HOME": home}
            ran = run_program([amp, *_LIST], stdin=b"", cwd=home, env=env, timeout=_SECONDS)
        return json.decode(ran.stdout, type=list[Any]) if ran.code == 0 else []
    except (InterlockError, ValueError):
        return []


def event_of_call(raw: bytes, words: Sequence[str]) -> bytes:
    """The event of the arguments of a call, and of what the script says besides."""
    if len(words) != 4:
        raise InterlockError("Amp's call must name the folder, the tool, the thread and the program's own path")
    cwd, tool, thread, script = words
    given = read_object(raw)
    place = Path(script)
    own = own_permission(_entries(settings_file(place.parent)), _kept_rules(place), tool, given, script)
    about = {"hook_event_name": "PreToolUse", "session_id": thread, "cwd": cwd}
    return json.encode({**about, "tool_name": tool, "tool_input": given, OWN: own})


def _entries(settings: Path) -> list[Any]:
    """A person's own rules. If they cannot be read, one that is not a rule: a person is asked then."""
    try:
        found = jsonedit.read(settings.read_text(encoding="utf-8"), jsonc=True).plain()
    except (OSError, ValueError, InterlockError):
        return [None]
    listed = found.get(PERMISSIONS, []) if isinstance(found, dict) else None
    return listed if isinstance(listed, list) else [None]


def _kept_rules(script: Path) -> list[Any]:
    try:
        last = script.read_text(encoding="utf-8").splitlines()[-1]
        return json.decode(last.removeprefix(_MARK), type=list[Any])
    except (OSError, ValueError, IndexError):
        return []
