"""Hooks under an event that does not exist never run

## What
An entry under a name that is not an event of Claude Code.

## Why
Claude Code drops such an entry and does not say so. Names must match exactly: `preToolUse` and `pre-tool-use` are not
`PreToolUse`.

## Example
```json
{"hooks": {"pre-tool-use": [{"hooks": [{"type": "command", "command": "./guard.sh"}]}]}}
```

## Fix
```json
{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "./guard.sh"}]}]}}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from interlock.errors import Source, did_you_mean
from interlock.event import EVENTS
from interlock.hook_lint.finding import Fix, FixEdit, LintFinding
from interlock.hook_lint.matchers import names_under_hooks
from interlock.hook_lint.wiring import SettingsSubject

CODE = "IL406"
ABOUT = "settings"
FIXES = True


def find(subject: SettingsSubject) -> Iterator[LintFinding]:
    """Every name under `hooks` that is not an event."""
    plain = {name.lower(): name for name in EVENTS}
    meanings = [plain.get(_letters(name)) for name, _ in names_under_hooks(subject)]
    for name, node in names_under_hooks(subject):
        if name in EVENTS:
            continue
        meant = plain.get(_letters(name))
        is_free = meanings.count(meant) == 1  # of two lists under one name, only the last counts
        start = node.key_start
        line = subject.text.count("\n", 0, start) + 1
        column = start - subject.text.rfind("\n", 0, start)
        edits = (FixEdit(start, start + len(name) + 2, f'"{meant}"'),)
        yield LintFinding(
            code=CODE,
            source=Source(subject.file, line, column),
            message=f"there is no event `{name}`, so its hooks never run",
            help=_help(name, meant, is_free),
            length=len(name) + 2,
            fix=Fix(f"rename it to `{meant}`", subject.file, edits) if meant and is_free else None,
        )


def _letters(name: str) -> str:
    return name.replace("-", "").replace("_", "").lower()


def _help(name: str, meant: str | None, is_free: bool) -> str:
    if meant is None:
        return did_you_mean(name, EVENTS) or "`interlock docs protocol#events` lists all events"
    return f"write `{meant}`" if is_free else f"move its hooks to the list of `{meant}`"
