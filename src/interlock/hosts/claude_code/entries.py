"""Interlock's entry for each event: which events have one, how long a host waits, and how it is recognised."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

from interlock.hosts.claude_code.address import Address, web_entry
from interlock.hosts.claude_code.events import WEB_EVENTS, WIRED
from interlock.hosts.claude_code.places import Scope, client_file, launcher_file, python, socket_path
from interlock.hosts.claude_code.recovery import PROJECT, TOLD_AT, direct, with_notice

__all__ = ["PROJECT", "Entries", "Handler", "earlier_forms", "entries_for", "entry", "is_entry", "shared_entry"]

Handler: TypeAlias = dict[str, Any]
Entries: TypeAlias = Mapping[str, Handler]


def entry(event: str, program: Path, client: Path, socket: Path) -> Handler:
    """The entry for one event on this machine: no search path, nothing from the environment.

    `program` is the launcher, which takes the words that Python would and also does the right thing without any: other
    hosts that read these settings leave them out.
    """
    return _handler(event, [str(program), "-I", "-S", str(client), event, str(socket), PROJECT])


def shared_entry(event: str) -> Handler:
    """The entry in a file that other machines read too: it needs `interlock` on the PATH."""
    return _handler(event, ["interlock", "client", event, PROJECT])


def _handler(event: str, words: list[str]) -> Handler:
    limits = {"timeout": WIRED[event], "onFailure": "block"}
    if event == TOLD_AT:
        return {"type": "command", "command": with_notice(words), **limits}
    return {"type": "command", "command": words[0], "args": words[1:], **limits}


def earlier_forms(entries: Entries) -> tuple[Entries, ...]:
    """The entries that were written in another form before, and still work for Claude Code.

    They started the client directly, with the interpreter as their program. Version 0.1.0 had the host wait for ten
    minutes at most.
    """
    later = {event: _by_python(direct(one)) for event, one in entries.items()}
    first = {event: {**one, "timeout": min(one["timeout"], 600)} for event, one in later.items()}
    return tuple(
        {event: handler for event, handler in form.items() if handler != entries[event]} for form in (first, later)
    )


def _by_python(handler: Handler) -> Handler:
    return {**handler, "command": str(python())} if "/" in handler["command"] else handler


def entries_for(scope: Scope, address: Address | None = None) -> Entries:
    """The entries for a settings file of this scope; with an address, calls go there, which saves a process each."""
    if scope == "project":
        return {event: shared_entry(event) for event in WIRED}
    # Once: each looks at the disk, and a daemon's first event waits.
    launcher, interpreter, client, socket = launcher_file(), python(), client_file(), socket_path()
    # A shell starts the client for a prompt: with the interpreter, because it says so if that is gone.
    programs = {event: interpreter if event == TOLD_AT else launcher for event in WIRED}
    spawned = {event: entry(event, program, client, socket) for event, program in programs.items()}
    if address is None:
        return spawned
    return spawned | {event: web_entry(event, address, WIRED[event]) for event in WIRED if event in WEB_EVENTS}


def is_entry(event: str, handler: Handler) -> bool:
    """Whether an installation of Interlock, perhaps another or an older one, has written this."""
    if handler.get("type") == "http":
        return re.fullmatch(rf"http://127\.0\.0\.1:\d+/hook/{event}", str(handler.get("url"))) is not None
    handler = direct(handler)
    args = handler.get("args")
    if handler.get("type") != "command" or not isinstance(args, list):
        return False
    if handler.get("command") == "interlock":
        return args == ["client", event, PROJECT]
    return (
        len(args) == 6
        and args[:2] == ["-I", "-S"]
        and str(args[2]).endswith("/interlock/client.py")
        and args[3] == event
        and args[5] == PROJECT
    )
