r"""A folder with a space in its name breaks the command

## What
A command contains `$CLAUDE_PROJECT_DIR` or `${CLAUDE_PLUGIN_ROOT}` without quotes.

## Why
In a folder such as `/Users/ann/my shop`, the shell splits the path into two words. No such program exists, so the hook
exits with 127 and every call runs.

## Example
```json
{"type": "command", "command": "$CLAUDE_PROJECT_DIR/.claude/hooks/guard.sh"}
```

## Fix
```json
{"type": "command", "command": "\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/guard.sh"}
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from interlock.hook_lint.finding import Fix, FixEdit, LintFinding, about_wire
from interlock.hook_lint.wiring import HookWire, SettingsSubject

CODE = "IL405"
ABOUT = "settings"
FIXES = True
_VARIABLE = re.compile(
    r"\$(?:\{(?:CLAUDE_PROJECT_DIR|CLAUDE_PLUGIN_ROOT)\}|(?:CLAUDE_PROJECT_DIR|CLAUDE_PLUGIN_ROOT)\b)"
)
_PLAIN = re.compile(r"[^\\\"'`]*")


def find(subject: SettingsSubject) -> Iterator[LintFinding]:
    """Every command in which the variable is outside quotes."""
    for wire in subject.wires:
        command = wire.handler.get("command")
        if not isinstance(command, str) or "args" in wire.handler:
            continue  # an entry with `args` runs without a shell
        bare = next((found for found in _VARIABLE.finditer(command) if not _is_quoted(command, found.start())), None)
        if bare is None:
            continue
        message = f"`{bare[0]}` is not in quotes: in a folder with a space in its name, this hook never runs"
        help = f'put it in quotes: "{bare[0]}"'
        found = about_wire(CODE, wire, "command", message, help, severity="warning", fix=_fix(wire, command))
        if found is not None:
            yield found


def _is_quoted(command: str, place: int) -> bool:
    """Whether a place is inside quotes of the shell. In single quotes nothing is expanded; that is another mistake."""
    quote = ""
    for at, char in enumerate(command[:place]):
        if char in "\"'" and quote in ("", char) and command[at - 1 : at] != "\\":
            quote = "" if quote else char
    return bool(quote)


def _fix(wire: HookWire, command: str) -> Fix | None:
    """Quotes around the variable, where the rest of the command has none that could change their meaning."""
    node = wire.part("command")
    if node is None or _PLAIN.fullmatch(command) is None:
        return None
    written = _VARIABLE.sub(lambda found: f'\\"{found[0]}\\"', command)
    return Fix("put quotes around the variable", wire.file, (FixEdit(node.start, node.end, f'"{written}"'),))
