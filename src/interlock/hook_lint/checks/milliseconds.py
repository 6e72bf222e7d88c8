"""A time limit in milliseconds is a thousand times too long

## What
The `timeout` of an entry looks like milliseconds.

## Why
Claude Code reads it as seconds. `5000` is 83 minutes, so a hook that hangs blocks the session for as long.

## Example
```json
{"type": "command", "command": "./guard.sh", "timeout": 5000}
```

## Fix
```json
{"type": "command", "command": "./guard.sh", "timeout": 5}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from interlock.files.jsonedit import JsonNode
from interlock.hook_lint.finding import Fix, FixEdit, LintFinding, about
from interlock.hook_lint.matchers import handlers_of
from interlock.hook_lint.wiring import SettingsSubject

CODE = "IL502"
ABOUT = "settings"
FIXES = True
_MOST, _THOUSAND = 7200, 1000  # two hours are a long time for a hook, and some ask a person


def find(subject: SettingsSubject) -> Iterator[LintFinding]:
    """Every time limit that is a round number of milliseconds and more than any hook needs in seconds."""
    for _, handler in handlers_of(subject):
        node = handler.value.get("timeout")
        value = node.value if isinstance(node, JsonNode) else None
        if not isinstance(value, int | float) or isinstance(value, bool) or value < _THOUSAND:
            continue
        if value % _THOUSAND and value <= _MOST:
            continue
        seconds = value / _THOUSAND
        text = f"{seconds:g}"
        fix = Fix(f"write {text}", subject.file, (FixEdit(node.start, node.end, text),)) if seconds >= 1 else None
        message = f"`timeout` is in seconds: this is {value / 60:.0f} minutes"
        yield about(CODE, subject.file, node, message, f"write {text} if you meant milliseconds", fix=fix)
