"""An event that does not exist never runs its hooks

## What
An entry under a name that is not an event of Claude Code.

## Why
The client drops such an entry and says nothing. Names are written exactly: `preToolUse` and `pre-tool-use` are not
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

from interlock.errors import Source
from interlock.event import EVENTS
from interlock.hook_lint.finding import Fix, FixEdit, LintFinding
from interlock.hook_lint.matchers import names_under_hooks
from interlock.hook_lint.wiring import SettingsSubject

CODE = "IL406"
ABOUT = "settings"
FIXES = True


def find(subject: SettingsSubject) -> Iterator[LintFinding]:
    """Every name under `hooks` that is not an event."""
    plain = {name.replace("-", "").replace("_", "").lower(): name for name in EVENTS}
    for name, node in names_under_hooks(subject):
        if name in EVENTS:
            continue
        meant = plain.get(name.replace("-", "").replace("_", "").lower())
        start = node.key_start
        line = subject.text.count("\n", 0, start) + 1
        column = start - subject.text.rfind("\n", 0, start)
        edits = (FixEdit(start, start + len(name) + 2, f'"{meant}"'),)
        yield LintFinding(
            code=CODE,
            source=Source(subject.file, line, column),
            message=f"there is no event `{name}`, so its hooks never run",
            help=f"write `{meant}`" if meant else "see `interlock lint --explain IL406` for the names of events",
            length=len(name) + 2,
            fix=Fix(f"rename it to `{meant}`", subject.file, edits) if meant else None,
        )
