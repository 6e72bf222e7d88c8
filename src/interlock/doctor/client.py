"""Which client is installed, and which of Interlock's answers it honours."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from interlock.doctor.finding import Finding, note, ok, problem
from interlock.errors import InterlockError
from interlock.process import clean_environment, run_program

__all__ = ["HONOURED_SINCE", "find_client", "look", "version_of", "without_entries"]

Version = tuple[int, ...]

# What Interlock relies on → the first version of the client that honours it, and what happens with an older one.
HONOURED_SINCE: dict[str, tuple[Version, str]] = {
    "entries without a shell": ((2, 1, 139), "Interlock's entries are not run at all"),
    "replaced results": ((2, 1, 121), "a secret in a result reaches the model"),
    "asking in auto mode": ((2, 1, 211), "a question in auto mode is answered by a classifier"),
    "a refusal by exit code beside unreadable output": ((2, 1, 214), "such a call runs"),
    "refusing when an entry fails": ((2, 1, 295), "a call whose entry is killed or late runs"),
}


def find_client(named: Path | None = None) -> Path | None:
    """The client that a person would start."""
    if named is not None:
        return named if named.is_file() else None
    found = shutil.which("claude")
    if found is not None:
        return Path(found)
    # The installers of the client put it here, and a shell that was opened before may not have the folder on its PATH.
    usual = [Path.home() / ".local/bin/claude", Path.home() / ".claude/local/claude"]
    return next((place for place in usual if place.is_file()), None)


def version_of(client: Path) -> Version | None:
    """The version that a client reports. It is asked in a temporary home, so that it leaves no files behind."""
    with tempfile.TemporaryDirectory() as folder:
        environ = {
            **clean_environment(os.environ),
            "HOME": folder,
            "CLAUDE_CONFIG_DIR": folder,
            "DISABLE_TELEMETRY": "1",
        }
        try:
            ran = run_program([str(client), "--version"], stdin=b"", cwd=folder, env=environ, timeout=20)
        except InterlockError:
            return None
    found = re.search(rb"(\d+)\.(\d+)\.(\d+)", ran.stdout)
    return tuple(int(part) for part in found.groups()) if found and ran.code == 0 else None


def look(named: Path | None = None) -> Iterator[Finding]:
    """The client that was found, and what it does not honour."""
    client = find_client(named)
    if client is None:
        where = f"`{named}` is not a program" if named is not None else "no Claude Code was found"
        yield note("client", where, "install it, or name it with --client")
        return
    version = version_of(client)
    if version is None:
        yield problem("client", f"`{client} --version` printed no version", "name another client with --client")
        return
    shown = ".".join(map(str, version))
    missing = [(what, since, then) for what, (since, then) in HONOURED_SINCE.items() if version < since]
    if not missing:
        yield ok("client", f"Claude Code {shown} honours all of Interlock's answers ({client})")
    for what, since, then in missing:
        needed = ".".join(map(str, since))
        yield problem(
            "client", f"Claude Code {shown} does not honour {what}: {then}", f"update it to {needed} or newer"
        )


def without_entries() -> Iterator[Finding]:
    """That there is a client which asks nobody here, where others do."""
    client = find_client()
    if client is not None:
        text = f"it is used here ({client}) and does not ask Interlock; `interlock init` guards it"
        yield note("Claude Code", text)
