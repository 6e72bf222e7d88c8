"""Interlock's entry for Amp: the first of its permissions, for every tool, and the program that it names."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import json

from interlock.hosts.amp.delegate import PERMISSIONS, delegate_text, settings_file
from interlock.hosts.base.denials import text_of
from interlock.hosts.base.entry_lists import read_lists
from interlock.hosts.base.setup import EntryFile, EntryStart, HostScope, HostSetup, OwnFile, SetupFile

__all__ = ["SETUP"]

_PROGRAM = "interlock-delegate"


def _files(scope: HostScope, root: Path, home: Path) -> Sequence[SetupFile]:
    folder = home / ".config" / "amp"
    program = folder / _PROGRAM
    entry = {"tool": "*", "action": "delegate", "to": str(program)}
    return [
        OwnFile(path=program, content=delegate_text(program).encode(), mode=0o755),
        EntryFile(path=settings_file(folder), entries=[((PERMISSIONS,), entry)], first=True, jsonc=True),
    ]


def _starts(file: SetupFile, raw: bytes, event: bytes, root: Path) -> Sequence[EntryStart]:
    """The program that the entry names. It is sent the arguments of a call, and told the rest by variables."""
    found = read_lists(text_of(raw), file).plain() if isinstance(file, EntryFile) else {}
    listed = found.get(PERMISSIONS)
    programs = [one.get("to") for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    ours = [program for program in programs if isinstance(program, str) and Path(program).name == _PROGRAM]
    call = json.decode(event)
    told = {"AGENT": "amp", "AGENT_TOOL_NAME": call["tool_name"], "AMP_THREAD_ID": call["session_id"]}
    given = json.encode(call["tool_input"])
    return [EntryStart(file=file.path, words=[program], stdin=given, environ=told) for program in ours[:1]]


# Amp did not read the permissions of a project's `.amp/settings.json` when it was driven.
SETUP = HostSetup(programs=("amp",), folders=(".config/amp",), scopes=("user",), files=_files, starts=_starts)
