"""A hook that allows by default skips every permission prompt

## What
A hook answers `allow` for calls that it has no opinion about.

## Why
`allow` does not mean "no objection": it skips the permission prompt. Every call that reaches the end of this hook runs
without a question, whatever the person has chosen. A hook that does not object should say nothing.

## Example
```python
if is_dangerous(command):
    deny("no")
print(json.dumps({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow"}}))
```

## Fix
```python
if is_dangerous(command):
    deny("no")
sys.exit(0)
```
"""

from __future__ import annotations

from collections.abc import Iterator

from interlock.hook_lint.answers import answers_of
from interlock.hook_lint.fate import fate_of
from interlock.hook_lint.finding import LintFinding, at
from interlock.hook_lint.wiring import HookSubject

CODE = "IL701"
ABOUT = "hook"
_PROMPTED = ("PreToolUse", "PermissionRequest")
_READING = frozenset({"Read", "Glob", "Grep", "LS"})  # of a list with these, it is meant that its calls are allowed


def find(subject: HookSubject) -> Iterator[LintFinding]:
    """Every allow on the way of calls to which nothing in the hook applies."""
    program = subject.program
    for ending, said in answers_of(program):
        if (
            not ending.is_default
            or ending.on_error
            or "updatedInput" in str(said.value)
            or _READING & set(ending.tools)
        ):
            continue
        if any(event in _PROMPTED and fate_of(event, ending, program).does == "allows" for event in subject.events):
            message = "this allows every call that is not refused above, and skips the person's own permissions"
            yield at(CODE, program, said.span, message, "print nothing, and exit with 0")
