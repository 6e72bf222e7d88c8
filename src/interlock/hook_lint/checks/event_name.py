"""An answer must name its event

## What
`hookSpecificOutput` has no `hookEventName`, or names another event.

## Why
Claude Code checks the name. If it is missing or wrong, the whole answer is dropped: the call runs, and the input stays
as it was. Only a notice in the terminal tells the person.

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
from interlock.hook_lint.finding import Fix, LintFinding, at
from interlock.hook_lint.program import ANY_KEY, UNKNOWN, Span
from interlock.hook_lint.rewording import field_added, value_replaced
from interlock.hook_lint.wiring import HookSubject

CODE = "IL206"
ABOUT = "hook"
FIXES = True


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
            message = (
                f"this hook runs on {' and '.join(subject.events)}, but its answer names `{named}`, so it is dropped"
            )
        help = f'add "hookEventName": "{subject.events[0]}"' if named is None else f'write "{subject.events[0]}"'
        yield at(CODE, subject.program, said.span, message, help, fix=_fix(subject, said.span, named))


def _fix(subject: HookSubject, span: Span, named: object) -> Fix | None:
    """The name of the event, where the hook runs on one alone."""
    if len(subject.events) != 1 or not subject.wires:
        return None
    if named is None:
        return field_added(subject.program, span, "hookSpecificOutput", "hookEventName", subject.events[0])
    return value_replaced(subject.program, span, "hookEventName", str(named), subject.events[0])
