"""A known-bad call through the installed entry, spawned exactly as the client would: it must be denied."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from pathlib import Path

from msgspec import DecodeError, json

from interlock.doctor.finding import Finding, ok, problem
from interlock.install.entries import PROJECT, Handler
from interlock.install.rules import matches_all
from interlock.install.standing import SettingsFile, our_entries, standing
from interlock.program import run_program
from interlock.source import InterlockError

__all__ = ["BAD", "look"]

BAD = "interlock pause --for 8h"  # denied by the built-in rules, whatever the policy says
_PATIENCE = 60.0


def look(project: Path) -> Iterator[Finding]:
    """Try every entry of ours for PreToolUse. Loud unless denied."""
    found = standing(project)
    ours = [entries["PreToolUse"] for entries in our_entries()]
    entries = [
        (file, hook.handler)
        for file in found.files
        for hook in file.running
        if hook.event == "PreToolUse" and hook.handler in ours and matches_all(hook.matcher)
    ]
    if not entries:
        yield problem("canary", "there is no entry of ours to try", "run `interlock init`")
    for file, handler in entries:
        try:
            why = _let_through(handler, file, project)
        except InterlockError as error:
            why = error.in_one_line()
        if why:
            yield problem("canary", f"THE GUARD DOES NOT HOLD: the entry in {file.path} did not deny `{BAD}`: {why}")
        else:
            yield ok("canary", f"the entry in {file.path} denied `{BAD}`")


def _let_through(handler: Handler, file: SettingsFile, project: Path) -> str:
    """What the entry did instead of denying; nothing if it denied."""
    call = {"tool_name": "Bash", "tool_input": {"command": BAD}, "tool_use_id": f"toolu_{secrets.token_hex(8)}"}
    base = {"session_id": f"doctor-{secrets.token_hex(8)}", "transcript_path": "", "cwd": str(project)}
    event = json.encode({**base, "hook_event_name": "PreToolUse", **call}) + b"\n"
    words = [handler["command"], *(word.replace(PROJECT, str(project)) for word in handler["args"])]
    environ = {**os.environ, **(file.settings.env if file.settings is not None else {})}
    environ |= {"CLAUDE_PROJECT_DIR": str(project), "CLAUDECODE": "1"}
    ran = run_program(words, stdin=event, cwd=str(project), env=environ, timeout=min(handler["timeout"], _PATIENCE))
    if ran.late:
        return f"it did not answer within {_PATIENCE:g} s"
    if ran.held:
        return "it left something behind that holds its output, which a client does not accept"
    try:
        said = json.decode(ran.stdout)["hookSpecificOutput"]
        decision, reason = said["permissionDecision"], said["permissionDecisionReason"]
    except (DecodeError, KeyError, TypeError):
        return f"it answered {ran.stdout[:200]!r} and exit {ran.code}"
    if decision != "deny":
        return f"it answered {decision}"
    return "" if "for a person" in reason else f"it denied because {reason}"
