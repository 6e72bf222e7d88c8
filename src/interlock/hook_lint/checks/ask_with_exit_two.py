"""Exit code 2 turns a question into a refusal

## What
A hook answers `ask` in JSON and exits with 2.

## Why
Exit code 2 always refuses, whatever is on stdout. Nobody is asked, and the model reads stderr.

## Example
```sh
echo '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "ask"}}'
exit 2
```

## Fix
```sh
echo '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "ask"}}'
exit 0
```
"""

from __future__ import annotations

from collections.abc import Iterator

from interlock.hook_lint.answers import answers_of
from interlock.hook_lint.finding import LintFinding, at
from interlock.hook_lint.wiring import HookSubject

CODE = "IL208"
ABOUT = "hook"


def find(subject: HookSubject) -> Iterator[LintFinding]:
    """Every question, or allow, that is answered with exit code 2."""
    if subject.program.mode != "command":
        return
    for ending, said in answers_of(subject.program):
        part = said.value.get("hookSpecificOutput")
        word = part.get("permissionDecision") if isinstance(part, dict) else None
        if ending.code == 2 and word in ("ask", "allow"):
            message = f"exit code 2 refuses the call, so `{word}` has no effect"
            yield at(CODE, subject.program, ending.span, message, "exit with 0")
