"""Interlock's entries for Copilot CLI: a file of its own among the hooks of a project or a person.

VS Code reads the same folders. It knows the command and the time limit by other names than Copilot's own, which Copilot
knows as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from interlock.hosts.base.commands import hook_command
from interlock.hosts.base.places import host_folder
from interlock.hosts.base.setup import EntryFile, HostScope, HostSetup
from interlock.hosts.copilot.events import EVENTS
from interlock.hosts.copilot.trust import TRUST, switched_off

__all__ = ["FILE", "SETUP", "entry_file", "hooks_file"]

FILE = "interlock.json"

# What the model must read instead of a result that nobody could check: an exit code alone would leave it as it is.
_UNCHECKED = '{"decision":"block","reason":"Interlock could not check this result."}'


def hooks_file(scope: HostScope, root: Path, home: Path) -> Path:
    """The file for Interlock's entries."""
    if scope == "project":
        return root / ".github" / "hooks" / FILE
    return host_folder("COPILOT_HOME", home, ".copilot") / "hooks" / FILE


def entry_file(path: Path) -> EntryFile:
    """A file of hooks with all entries, which VS Code runs too."""
    entries = []
    for name, event in EVENTS.items():
        if event.seconds is not None:
            instead = _UNCHECKED if name == "PostToolUse" else ""
            command = hook_command("copilot", name, refuses=event.failing != "notice", instead=instead)
            limits = {"timeout": event.seconds, "timeoutSec": event.seconds}
            entries.append((("hooks", name), {"type": "command", "command": command, **limits}))
    return EntryFile(path=path, entries=entries, start={"version": 1})


def _files(scope: HostScope, root: Path, home: Path) -> Sequence[EntryFile]:
    return [entry_file(hooks_file(scope, root, home))]


def _steps(scope: HostScope, root: Path) -> Sequence[str]:
    if scope == "user":
        return []
    return [
        f"start `copilot` in {root} once and trust the folder: until then, it runs none of the folder's hooks,"
        " and `copilot -p` does not say so"
    ]


def _marks(root: Path) -> Mapping[str, str]:
    return {"COPILOT_CLI": "1", "COPILOT_PROJECT_DIR": str(root), "CLAUDE_PROJECT_DIR": str(root)}


SETUP = HostSetup(
    programs=("copilot",),
    folders=(".copilot",),
    files=_files,
    steps=_steps,
    entries_with=("vscode",),
    trust=TRUST,
    switched_off=switched_off,
    run_by=lambda: ("/bin/bash", "--norc", "--noprofile", "-c"),
    marks=_marks,
)
