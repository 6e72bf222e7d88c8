r"""A path that exists on one machine is wrong on every other

## What
Settings that a team shares start a script by a path in one person's home, or on a drive of one machine.

## Why
On every other machine the file does not exist. The hook never runs there, and nothing says so.

## Example
```json
{"type": "command", "command": "/Users/ann/shop/.claude/hooks/guard.sh"}
```

## Fix
```json
{"type": "command", "command": "\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/guard.sh"}
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from interlock.hook_lint.finding import LintFinding, about_wire
from interlock.hook_lint.wiring import SettingsSubject
from interlock.hosts.claude_code.places import config_folder

CODE = "IL403"
ABOUT = "settings"
_HOME = re.compile(
    r"(?:^|[\s\"'=])("
    r"(?:/Users/|/home/|/mnt/[a-z]/(?:Users/)?|[A-Za-z]:[\\/]+Users[\\/]+)[\w.-]+[\\/][^\s\"']*"
    r"|[A-Za-z]:[\\/]+(?!(?:Program Files|ProgramData|Windows|msys\d*|tools|Python\d+)\b)[^\s\\/\"']+[\\/][^\s\"']*"
    r"|/(?:Volumes|media|mnt|data|srv|opt|root)/[^\s\"']+/\.claude/[^\s\"']*)",
    re.IGNORECASE,
)
_NOT_A_PERSON = re.compile(r"^/home/(?:runner|vscode|node|user)/|^/Users/(?:runner|Shared)/")


def find(subject: SettingsSubject) -> Iterator[LintFinding]:
    """Every such path in settings that are shared."""
    is_own = Path(subject.file).absolute().is_relative_to(config_folder())
    if subject.holder not in ("project", "plugin", "frontmatter", "example") or is_own:
        return
    for wire in subject.wires:
        text = " ".join([str(wire.handler.get("command", "")), *map(str, wire.handler.get("args", ()))])
        found = _HOME.search(text)
        if found is None or _NOT_A_PERSON.search(found[1]):
            continue
        folder = "${CLAUDE_PLUGIN_ROOT}" if subject.holder == "plugin" else "$CLAUDE_PROJECT_DIR"
        message = f"`{found[1]}` exists on only one machine"
        finding = about_wire(CODE, wire, "command", message, f'begin the path with "{folder}"')
        if finding is not None:
            yield finding
