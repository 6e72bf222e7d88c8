"""Which host really sends an event: several run the entries that were made for another.

Copilot CLI, VS Code and Cursor read Claude Code's settings, VS Code reads Copilot's, and Droid copies Claude Code's
entries into its own. The event itself says most about who sends it; where two hosts send nearly the same, the
environment that the client was started with decides. It never does so alone: a host that was started in the shell of
another has inherited the variables of both.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias

from msgspec.structs import replace

from interlock.daemon.frames import ANY_HOST, HookRequest
from interlock.errors import InterlockError
from interlock.facts.tools import known_tools
from interlock.hosts import HOSTS, Host
from interlock.hosts.base.decode import peek_event_name
from interlock.hosts.client_literals import FIRST
from interlock.jsontext import read_object

__all__ = ["environ_of", "real_caller"]

Environ: TypeAlias = Callable[[], Mapping[str, str]]

# Claude Code sends none of these beside the fields of a call, and every other host that may run its entries sends one.
_KEYS = ("timestamp", "cursor_version", "conversation_id", "turn_id", "hookName", "toolName", "sessionId")
# Droid sends Claude Code's fields alone, and its own modes.
_MODES = ("off", "spec", "auto-low", "auto-medium", "auto-high")
_MARKS = tuple(f'"{word}"'.encode() for word in (*_KEYS, *_MODES))
# Who else runs the entries of a host: whoever else sends its events has no business there.
_ALSO_RUN = {
    FIRST: ("copilot", "vscode", "cursor", "codex", "droid", "gemini", "qwen"),
    "copilot": ("vscode",),
}


def real_caller(request: HookRequest, environ: Environ) -> HookRequest:
    """The request as one of the host that sends it. Nothing is parsed for an event that looks like Claude Code's."""
    if request.host == FIRST and not any(mark in request.raw for mark in _MARKS):
        return request
    try:
        payload = read_object(request.raw)
    except InterlockError:
        return request if request.host != ANY_HOST else _nobody(request)
    if request.host == FIRST and payload.get("permission_mode") not in _MODES and payload.keys().isdisjoint(_KEYS):
        return request  # one of the marks is in the fields of a call
    if (own := HOSTS.get(request.host)) is not None and request.host != FIRST and own.recognises(environ(), payload):
        return request
    found = next((host for host in HOSTS.values() if host.name != FIRST and host.recognises(environ(), payload)), None)
    if request.host == ANY_HOST:
        return _nobody(request) if found is None else _request_of(request, found)
    if found is None:
        whose = _owner_of_tool(request.host, payload.get("tool_name"))
        if whose is None:
            return request  # it is read as what it is said to be, or refused
        return replace(request, problem=f"this looks like a call of {whose.title}, which sends other events than this")
    if found.name not in _ALSO_RUN.get(request.host, ()):
        why = (
            f"this event looks like one of {found.title}, and came by Interlock's entry for {HOSTS[request.host].title}"
        )
        return replace(request, problem=why)
    return replace(request, host=found.name)


def _owner_of_tool(entry: str, tool: object) -> Host | None:
    """Which other host that runs these entries has such a tool. Read as another's, no rule would know its call."""
    if not isinstance(tool, str) or tool in known_tools():
        return None
    others = (HOSTS[name] for name in _ALSO_RUN.get(entry, ()))
    return next((host for host in others if tool in host.tools), None)


def _request_of(request: HookRequest, host: Host) -> HookRequest:
    """The request of a host that left out the arguments of the entry: its event says what it is."""
    try:
        event = host.dialect.decode(request.raw).hook_event_name
    except InterlockError:
        event = peek_event_name(request.raw) or "PreToolUse"
    return replace(request, host=host.name, event=event)


def _nobody(request: HookRequest) -> HookRequest:
    why = "no host that Interlock knows sends such an event without saying which it is"
    return replace(request, host=FIRST, event=peek_event_name(request.raw) or "PreToolUse", problem=why)


def environ_of(pid: int) -> Mapping[str, str]:
    """The environment that a process was started with; empty if it cannot be read."""
    try:
        found = Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return {}
    pairs = (os.fsdecode(one).partition("=") for one in found.split(b"\0"))
    return {name: value for name, equals, value in pairs if equals}
