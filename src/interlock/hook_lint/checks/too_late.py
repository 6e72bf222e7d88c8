"""PostToolUse is too late to refuse

## What
A hook that runs after a tool answers with a decision about the call.

## Why
The tool has already run. `permissionDecision` on PostToolUse makes the answer invalid, and nothing is undone.

## Example
```json
{"PostToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "./deny-rm.sh"}]}]}
```

## Fix
```json
{"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "./deny-rm.sh"}]}]}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from interlock.hook_lint.answers import answers_of
from interlock.hook_lint.finding import LintFinding, at
from interlock.hook_lint.wiring import HookSubject

CODE = "IL211"
ABOUT = "hook"
_AFTER = ("PostToolUse", "PostToolUseFailure", "PostToolBatch")


def find(subject: HookSubject) -> Iterator[LintFinding]:
    """Every decision about a call in a hook that runs only afterwards."""
    if not subject.events or not set(subject.events) <= {*_AFTER}:
        return
    for _, said in answers_of(subject.program):
        part = said.value.get("hookSpecificOutput")
        decided = said.value.get(
            "permissionDecision", part.get("permissionDecision") if isinstance(part, dict) else None
        )
        if decided is not None:
            message = f"on {subject.events[0]} the tool has already run, so this decides nothing"
            yield at(CODE, subject.program, said.span, message, "run this hook on PreToolUse")
