"""An answer must name its event

## What
`hookSpecificOutput` has no `hookEventName`, or names another event.

## Why
The client checks the name. If it is missing or wrong, the whole answer is dropped: the call runs, and the input
stays as it was. Only a notice in the terminal tells the person.

## Example
```json
{"hookSpecificOutput": {"permissionDecision": "deny", "permissionDecisionReason": "no"}}
```

## Fix
```json
{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "no"}}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from interlock.hook_lint.answers import answers_of
from interlock.hook_lint.finding import LintFinding, at
from interlock.hook_lint.program import ANY_KEY, UNKNOWN
from interlock.hook_lint.wiring import HookSubject

CODE = "IL206"
ABOUT = "hook"


def find(subject: HookSubject) -> Iterator[LintFinding]:
    """Every answer that names no event, or one under which the hook does not run."""
    for ending, said in answers_of(subject.program):
        part = said.value.get("hookSpecificOutput")
        if not isinstance(part, dict) or ANY_KEY in part or not part or ending.code == 2:
            continue
        named = part.get("hookEventName")
        if named is UNKNOWN or (isinstance(named, str) and "…" in named) or named in subject.events:
            continue
        if named is None:
            message = "`hookSpecificOutput` without `hookEventName`: the client drops the whole answer"
        elif not subject.wires:
            continue  # nothing says under which event it runs
        else:
            message = f"this hook runs on {' and '.join(subject.events)}, and its answer names `{named}`: it is dropped"
        help = f'add "hookEventName": "{subject.events[0]}"' if named is None else f'write "{subject.events[0]}"'
        yield at(CODE, subject.program, said.span, message, help)
