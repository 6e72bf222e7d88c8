r"""A script that is not executable never runs

## What
An entry runs a script directly, and the file is not executable.

## Why
The shell cannot start it. It exits with 126, which refuses nothing: every call runs as if the hook did not exist.

## Example
```json
{"type": "command", "command": "\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/guard.sh"}
```

## Fix
```sh
chmod +x .claude/hooks/guard.sh
```
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path, PurePath

from interlock.hook_lint.finding import Fix, LintFinding, about_wire
from interlock.hook_lint.wiring import HookWire, SettingsSubject

CODE = "IL401"
ABOUT = "settings"
FIXES = True
_RUN = 0o111


def find(subject: SettingsSubject) -> Iterator[LintFinding]:
    """Every script that is the first word of its command and must not be executed."""
    for wire in subject.wires:
        script = wire.script
        if script is None or not script.is_file() or PurePath(wire.words[0]).name != script.name:
            continue
        if script.stat().st_mode & _RUN or not _keeps_modes(wire, script):
            continue
        if (written := Path(wire.words[0]).expanduser()).is_absolute() and written != script:
            continue  # what runs is another copy of it
        message = f"`{script.name}` is not executable, so it never runs"
        fix = Fix("make it executable", str(script), executable=True)
        finding = about_wire(CODE, wire, "command", message, f"run `chmod +x {script}`", fix=fix)
        if finding is not None:
            yield finding


def _keeps_modes(wire: HookWire, script: Path) -> bool:
    """Whether the folder knows permissions at all: a copy that was made without them says nothing about the hook."""
    root = wire.root or script.parent
    if (root / ".git").exists():
        return True
    for folder, _, files in os.walk(script.parent):
        if any((Path(folder) / name).stat().st_mode & _RUN for name in files):
            return True
    return False
