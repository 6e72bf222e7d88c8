r"""A plugin's script is searched for in the user's project

## What
The `hooks.json` of a plugin starts a script by a relative path, or by `$CLAUDE_PROJECT_DIR`.

## Why
Hooks run in the session's folder, which is the user's project and not the plugin. The script is not in it.

## Example
```json
{"type": "command", "command": "./hooks/guard.sh"}
```

## Fix
```json
{"type": "command", "command": "\"${CLAUDE_PLUGIN_ROOT}\"/hooks/guard.sh"}
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from interlock.hook_lint.finding import LintFinding, about_wire
from interlock.hook_lint.wiring import SettingsSubject

CODE = "IL412"
ABOUT = "settings"
_KINDS = r"\.(?:sh|bash|py|js|mjs|cjs|ts|rb|pl)"
_SCRIPT = re.compile(rf"^(?:\./)?(?:[\w.-]+/)+[\w.-]+{_KINDS}$|^\./[\w.-]+$")
_OF_PROJECT = re.compile(rf"^\$\{{?CLAUDE_PROJECT_DIR\}}?/.*{_KINDS}$")


def find(subject: SettingsSubject) -> Iterator[LintFinding]:
    """Every script of a plugin that is not found by the plugin's own folder."""
    if subject.holder != "plugin":
        return
    for wire in subject.wires:
        command = " ".join(wire.words)
        if "CLAUDE_PLUGIN_ROOT" in str(wire.handler) or "$(" in command:
            continue
        own = next((word for word in wire.words if _SCRIPT.match(word) or _OF_PROJECT.match(word)), None)
        if own is not None:
            message = f"Claude Code looks for `{own}` in the user's project, not in the plugin"
            found = about_wire(CODE, wire, "command", message, 'begin the path with "${CLAUDE_PLUGIN_ROOT}"')
            if found is not None:
                yield found
