"""Whether Interlock's entries would run, what would run beside them, and what keeps them from running."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from interlock.doctor.finding import Finding, note, ok, problem
from interlock.files.git import is_tracked
from interlock.hosts.claude_code.address import proxy_problem
from interlock.hosts.claude_code.adoption import CannotAdopt, convert
from interlock.hosts.claude_code.events import WIRED
from interlock.hosts.claude_code.installer import read_manifest
from interlock.hosts.claude_code.places import policy_file, settings_file
from interlock.hosts.claude_code.settings_state import Beside, SettingsState, our_entries, settings_state

__all__ = ["look"]

_INIT = "run `interlock init`"
# Variables that a person's own shell may set, and what the client does then.
_SWITCHES = {"CLAUDE_CODE_SIMPLE": "runs no hooks (`--bare`)", "CLAUDE_CODE_SAFE_MODE": "runs managed hooks only"}


def look(start: Path, root: Path) -> Iterator[Finding]:
    """Findings about the settings of a client started here, and about this environment. `root` is the project's."""
    found = settings_state(start)
    yield from _wiring(found, start)
    for off in found.off:
        yield problem("settings", off.why, "remove it, or ask the administrator of this machine to")
    for text in found.problems:
        yield problem("settings", f"a client may ignore this: {text}", "correct it")
    for stale in found.stale:
        yield problem("settings", f"there is an entry of another installation: {stale}", _INIT)
    for other in found.beside:
        yield _racing(other, root)
    yield from _moved_out(root)
    for text in found.notices:
        yield note("settings", text)
    for name, effect in _SWITCHES.items():
        if os.environ.get(name, "").lower() not in ("", "0", "false", "no", "off"):
            yield problem("environment", f"`{name}` is set, so the client {effect}", f"unset {name}")
    if _is_asked_over_http(found) and (why := proxy_problem(os.environ, found.env)) is not None:
        yield problem("environment", why)


def _wiring(found: SettingsState, start: Path) -> Iterator[Finding]:
    if not found.running:
        yield problem("settings", f"none of Interlock's entries would run in a session started in {start}", _INIT)
    elif found.missing:
        listed = ", ".join(found.missing)
        yield problem("settings", f"{len(found.missing)} of {len(WIRED)} events have no working entry: {listed}", _INIT)
    else:
        files = sorted({path for paths in found.running.values() for path in paths})
        yield ok("settings", f"all {len(WIRED)} events have entries, in {', '.join(files)}")


def _racing(other: Beside, root: Path) -> Finding:
    """Another hook, and how to run it in order with the policy, if that is possible."""
    # The host starts all hooks of an event at once, so this hook may see, or undo, a call as it was before a change.
    text = f"another hook races with Interlock: {other}"
    if other.file != str(settings_file(other.scope, root)):
        return note("settings", text)
    try:
        shared = other.scope == "project" or is_tracked(Path(other.file))
        convert(other.hook, policy_file(other.scope, root), shared=shared)
    except CannotAdopt as why:
        return note("settings", f"{text}; it cannot be adopted: {why}")
    option = "" if other.scope == "local" else f" --scope {other.scope}"
    return note("settings", text, f"`interlock init{option} --adopt` runs it in order with the policy")


def _moved_out(root: Path) -> Iterator[Finding]:
    """Hooks that an earlier version moved from the shared settings into the policy."""
    file = settings_file("project", root)
    manifest = read_manifest(file)
    if manifest is not None and manifest.adopted:
        text = f"hooks were moved out of {file}, which is shared: others run them only once they trust the policy"
        yield problem("settings", text, "`interlock init --scope project` puts them back")


def _is_asked_over_http(found: SettingsState) -> bool:
    ours = [handler for entries in our_entries() for handler in entries.values() if handler["type"] == "http"]
    return any(hook.handler in ours for file in found.files for hook in file.running)
