r"""A missing script never runs

## What
An entry starts a file that does not exist.

## Why
`bash missing.sh` and `node missing.js` exit with 127 or 1, which refuses nothing: every call runs. `python3 missing.py`
exits with 2, which refuses *every* call. You want neither.

## Example
```json
{"type": "command", "command": "bash \"$CLAUDE_PROJECT_DIR\"/.claude/hooks/gaurd.sh"}
```

## Fix
```json
{"type": "command", "command": "bash \"$CLAUDE_PROJECT_DIR\"/.claude/hooks/guard.sh"}
```
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePath

from interlock.errors import did_you_mean
from interlock.hook_lint.finding import LintFinding, about_wire
from interlock.hook_lint.wiring import HookWire, SettingsSubject

CODE = "IL402"
ABOUT = "settings"


def find(subject: SettingsSubject) -> Iterator[LintFinding]:
    """Every script of the project or the plugin that is not there."""
    if subject.holder == "example":
        return  # where it is copied to, the script may be
    for wire in subject.wires:
        script, root = wire.script, wire.root
        if script is None or root is None or script.exists() or not script.is_relative_to(root):
            continue
        if not script.parent.is_dir() and not (root / ".git").exists():
            continue  # only the settings were given to be looked at
        names = [file.name for file in script.parent.iterdir()] if script.parent.is_dir() else []
        help = did_you_mean(script.name, names, otherwise="add the file, or remove the entry") or ""
        found = about_wire(CODE, wire, "command", f"`{_display_path(script, root)}` does not exist{_then(wire)}", help)
        if found is not None:
            yield found


def _display_path(script: Path, root: Path) -> str:
    return str(script.relative_to(root))


def _then(wire: HookWire) -> str:
    """What happens to the calls."""
    if wire.event != "PreToolUse":
        return ", so this hook never runs"
    by_python = PurePath(wire.words[0]).name.startswith("python")
    return ": Python exits with 2, so every call is refused" if by_python else ", so it refuses nothing"
