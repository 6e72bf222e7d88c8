"""An entry outside a group never runs

## What
A handler is directly in the list of its event, not in a group with a `hooks` list.

## Why
Claude Code expects `{"matcher": …, "hooks": [handler]}`. A handler in place of a group cannot be loaded. On PreToolUse
and PermissionRequest, the client then ignores the *whole* settings file, permissions included.

## Example
```json
{"hooks": {"PreToolUse": [{"type": "command", "command": "./guard.sh"}]}}
```

## Fix
```json
{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "./guard.sh"}]}]}}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from interlock.files.jsonedit import JsonNode
from interlock.hook_lint.finding import Fix, FixEdit, LintFinding, about
from interlock.hook_lint.matchers import entries_of
from interlock.hook_lint.wiring import SettingsSubject

CODE = "IL407"
ABOUT = "settings"
FIXES = True
_FATAL = ("PreToolUse", "PermissionRequest")


def find(subject: SettingsSubject) -> Iterator[LintFinding]:
    """Every handler in the place of a group."""
    for event, entry in entries_of(subject):
        parts = entry.value
        if isinstance(parts, dict) and "hooks" not in parts and {"command", "url", "prompt"} & parts.keys():
            then = "the client ignores the whole file" if event in _FATAL else "it never runs"
            yield about(
                CODE, subject.file, entry, f"this entry is not inside a group with `hooks`, so {then}",
                'write {"hooks": [ … ]} around it', fix=_fix(subject, entry),
            )  # fmt: skip


def _fix(subject: SettingsSubject, group: JsonNode) -> Fix | None:
    """The group around a handler that has no matcher, which would have to move."""
    if "matcher" in group.value:
        return None
    edits = (FixEdit(group.start, group.start, '{"hooks": ['), FixEdit(group.end, group.end, "]}"))
    return Fix("put it into a group", subject.file, edits)
