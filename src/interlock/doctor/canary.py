"""A known-bad call, sent through the installed entry exactly as the client would send it: it must be denied."""

from __future__ import annotations

import http.client
import os
import secrets
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from msgspec import Struct, json

from interlock.doctor.finding import Finding, note, ok, problem
from interlock.doctor.known_bad import BAD, PATIENCE, complaint, why_cut_short, why_not_denied
from interlock.errors import InterlockError
from interlock.hosts.claude_code.address import proxy_problem
from interlock.hosts.claude_code.entries import PROJECT, Handler
from interlock.hosts.claude_code.host import denied
from interlock.hosts.claude_code.settings_rules import matches_all
from interlock.hosts.claude_code.settings_state import SettingsFile, SettingsState, our_entries, settings_state
from interlock.process import run_program

__all__ = ["look"]

_KEPT = ("HOME", "XDG_RUNTIME_DIR")  # variables that settings cannot set for a hook


class _Session(Struct, frozen=True):
    """A session as a client would start it here."""

    id: str
    start: Path
    environ: Mapping[str, str]

    def event(self, name: str, **fields: Any) -> bytes:
        base = {"session_id": self.id, "transcript_path": "", "cwd": str(self.start), "hook_event_name": name}
        return json.encode({**base, **fields}) + b"\n"


def look(start: Path) -> Iterator[Finding]:
    """Try each of Interlock's PreToolUse entries that a client started here would run. Anything but a deny is loud."""
    # Real settings and a real process: reading the settings alone cannot show that the entry works on this machine.
    found = settings_state(start)
    session = _Session(f"doctor-{secrets.token_hex(8)}", start, _environment(found, start))
    entries = [(file, handler) for file in found.files if (handler := _ours(file, "PreToolUse")) is not None]
    if not entries:
        # That is no second problem: the settings say why there is none.
        yield note("canary", "not sent: Interlock has no entry to send it through")
    for file, handler in entries:
        try:
            why = _let_through(handler, file, session)
        except InterlockError as error:
            why = error.in_one_line()
        if why:
            yield problem("canary", complaint(file.path, why))
        else:
            yield ok("canary", f"the entry in {file.path} denied `{BAD}`")


def _environment(found: SettingsState, start: Path) -> dict[str, str]:
    """The environment that the client gives a hook: its own, and over it the variables that the settings set."""
    set_there = {name: value for name, value in found.env.items() if name not in _KEPT}
    return {**os.environ, **set_there, "CLAUDE_PROJECT_DIR": str(start), "CLAUDECODE": "1"}


def _ours(file: SettingsFile, event: str) -> Handler | None:
    ours = [entries.get(event) for entries in our_entries()]
    running = (hook for hook in file.running if hook.event == event and matches_all(hook.matcher))
    return next((hook.handler for hook in running if hook.handler in ours), None)


def _let_through(handler: Handler, file: SettingsFile, session: _Session) -> str:
    """What the entry did instead of denying; an empty text if it denied."""
    call = {"tool_name": "Bash", "tool_input": {"command": BAD}, "tool_use_id": f"toolu_{secrets.token_hex(8)}"}
    event = session.event("PreToolUse", **call)
    if handler["type"] == "http":
        # HTTP entries cannot start a daemon. In a real session, the entry that is spawned at its start does that.
        beginning = _ours(file, "SessionStart")
        if beginning is None:
            return "Interlock has no entry for the start of a session, so no daemon would be started"
        _spawn(beginning, session, session.event("SessionStart", source="startup"))
        return _post(handler, session, event)
    return _spawn(handler, session, event)


def _spawn(handler: Handler, session: _Session, event: bytes) -> str:
    words = [handler["command"], *(word.replace(PROJECT, str(session.start)) for word in handler["args"])]
    patience = min(handler["timeout"], PATIENCE)
    ran = run_program(words, stdin=event, cwd=str(session.start), env=session.environ, timeout=patience)
    return why_cut_short(ran, patience) or why_not_denied(denied, ran.stdout, ran.stderr, ran.code)


def _post(handler: Handler, session: _Session, event: bytes) -> str:
    """Send it as the client does, but not through a proxy, which would learn the token."""
    if (diverted := proxy_problem(session.environ, {})) is not None:
        return diverted
    address = urlsplit(handler["url"])
    connection = http.client.HTTPConnection(str(address.hostname), address.port, timeout=PATIENCE)
    try:
        connection.request("POST", address.path, event, {"Content-Type": "application/json", **handler["headers"]})
        answer = connection.getresponse()
        said = answer.read()
    except (OSError, http.client.HTTPException) as error:
        return f"it cannot be reached: {error or type(error).__name__}"
    finally:
        connection.close()
    if not 200 <= answer.status < 300:
        return f"it answered {answer.status} {answer.reason}"
    return why_not_denied(denied, said, how=f"status {answer.status}")
