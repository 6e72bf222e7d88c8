r"""A relative path depends on the session's current folder

## What
An entry of a project starts a script by a relative path.

## Why
Hooks run in the session's current folder. After `cd src`, `.claude/hooks/guard.sh` is looked for in `src`. `bash` then
exits with 127 and refuses nothing; `python3` exits with 2 and refuses every call.

## Example
```json
{"type": "command", "command": "bash .claude/hooks/guard.sh"}
```

## Fix
```json
{"type": "command", "command": "bash \"$CLAUDE_PROJECT_DIR\"/.claude/hooks/guard.sh"}
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from interlock.hook_lint.commands import is_interpreter
from interlock.hook_lint.finding import Fix, FixEdit, LintFinding, about_wire
from interlock.hook_lint.wiring import HookWire, SettingsSubject

CODE = "IL404"
ABOUT = "settings"
FIXES = True
_SCRIPT = re.compile(r"^(?:\./)?(?:[\w.-]+/)*[\w.-]+\.(?:sh|bash|py|js|mjs|cjs|ts|rb|pl)$")
_GOES = re.compile(r"\bcd\b|git rev-parse|\$\(")


def find(subject: SettingsSubject) -> Iterator[LintFinding]:
    """Every such path as the program of an entry, or as the script of its interpreter."""
    if subject.holder not in ("project", "local", "example"):
        return
    for wire in subject.wires:
        word = _relative_script(wire)
        if word is not None:
            message = f"`{word}` is looked for in the session's current folder, which `cd` changes"
            help = f'write "$CLAUDE_PROJECT_DIR"/{word.removeprefix("./")}'
            found = about_wire(CODE, wire, "command", message, help, severity="warning", fix=_fix(wire, word))
            if found is not None:
                yield found


def _relative_script(wire: HookWire) -> str | None:
    command = wire.handler.get("command")
    if not isinstance(command, str) or _GOES.search(command):
        return None
    for word in wire.words:
        if is_interpreter(word) or word.startswith("-") or word == "run":
            continue
        return word if _SCRIPT.match(word) and "/" in word else None
    return None


def _fix(wire: HookWire, word: str) -> Fix | None:
    node = wire.part("command")
    if node is None or "args" in wire.handler or str(node.value).count(word) != 1:
        return None
    written = str(node.value).replace(word, f'"$CLAUDE_PROJECT_DIR"/{word.removeprefix("./")}')
    escaped = written.replace("\\", "\\\\").replace('"', '\\"')
    return Fix("begin the path with the project's folder", wire.file, (FixEdit(node.start, node.end, f'"{escaped}"'),))
