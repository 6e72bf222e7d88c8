"""Exit code 2 does nothing on this event

## What
A hook exits with 2 on an event that no exit code can stop.

## Why
Only JSON can answer a permission prompt. SessionStart, Notification, SubagentStart and others have nothing to stop: at
most, the person sees stderr, and everything goes on.

## Example
```json
{"PermissionRequest": [{"hooks": [{"type": "command", "command": "echo no >&2; exit 2"}]}]}
```

## Fix
```sh
echo '{"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": {"behavior": "deny", "message": "no"}}}'
```
"""

from __future__ import annotations

from collections.abc import Iterator

from interlock.hook_lint.fate import EXIT_TWO_BLOCKS, EXIT_TWO_IS_HEARD, answer_in
from interlock.hook_lint.finding import LintFinding, at
from interlock.hook_lint.wiring import HookSubject

CODE = "IL210"
ABOUT = "hook"
_INSTEAD = {
    "PermissionRequest": "print `hookSpecificOutput` with `decision: {behavior: deny, message: …}`",
    "SubagentStart": "refuse the Agent tool on PreToolUse",
    "SessionStart": "refuse on UserPromptSubmit or PreToolUse",
}


def find(subject: HookSubject) -> Iterator[LintFinding]:
    """Every end with 2 where the entries say that it is ignored."""
    program = subject.program
    deaf = [event for event in subject.events if event not in EXIT_TWO_BLOCKS | EXIT_TWO_IS_HEARD]
    if program.mode != "command" or not subject.wires or len(deaf) < len(subject.events):
        return
    for ending in program.endings:
        if ending.how == "exit" and ending.code == 2 and not ending.on_error and answer_in(ending) is None:
            message = f"exit code 2 has no effect on {deaf[0]}"
            yield at(CODE, program, ending.span, message, _INSTEAD.get(deaf[0], "this event cannot be stopped"))
