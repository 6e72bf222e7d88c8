"""A permission decision at the top level is not read

## What
`permissionDecision`, or another key that belongs inside `hookSpecificOutput`, is at the top of the answer.

## Why
Claude Code ignores keys that it does not know at the top level. There is no error and no notice: the call runs.

## Example
```json
{"permissionDecision": "deny", "permissionDecisionReason": "no"}
```

## Fix
```json
{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "no"}}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from interlock.effect import effects_of
from interlock.event import EVENTS
from interlock.hook_lint.answers import answers_of
from interlock.hook_lint.finding import LintFinding, at
from interlock.hook_lint.wiring import HookSubject

CODE = "IL205"
ABOUT = "hook"
# Where each key is read, instead.
_INSIDE = {
    "permissionDecision": ("PreToolUse", "PreModelSwitch"),
    "updatedInput": ("PreToolUse",),
    "behavior": ("PermissionRequest",),
    "updatedToolOutput": ("PostToolUse",),
    "additionalContext": tuple(event for event in EVENTS if "context" in effects_of(event)),
}


def find(subject: HookSubject) -> Iterator[LintFinding]:
    """Every answer with such a key at its top, and without the part that it belongs to."""
    if subject.program.mode == "permission":
        return  # there, these are the keys
    answers = [(ending, said) for ending, said in answers_of(subject.program) if ending.code != 2]
    refuses = any(said.value.get("permissionDecision") in ("deny", "ask") for _, said in answers)
    allows = 0
    for _, said in answers:
        if "hookSpecificOutput" in said.value or said.value.get("decision") in ("approve", "block"):
            continue
        if said.value.get("permissionDecision") == "allow" and "updatedInput" not in said.value:
            allows += 1
            if refuses or allows > 1:
                continue  # without effect, and so is what it would have
        found = next(
            (key for key, events in _INSIDE.items() if key in said.value and {*events} & {*subject.events}), None
        )
        if found is not None:
            event = next(event for event in _INSIDE[found] if event in subject.events)
            message = f"Claude Code does not read `{found}` at the top level"
            help = f'put it inside "hookSpecificOutput" together with "hookEventName": "{event}"'
            yield at(CODE, subject.program, said.span, message, help)
