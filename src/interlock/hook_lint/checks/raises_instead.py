"""An exception does not block

## What
A hook refuses a call by raising an exception that nothing catches.

## Why
A program that ends with an exception exits with 1, and an Agent SDK callback that raises counts as one that said
nothing. In both cases the call runs.

## Example
```python
if "rm -rf" in command:
    raise ValueError("rm -rf is not allowed")
```

## Fix
```python
if "rm -rf" in command:
    print("rm -rf is not allowed", file=sys.stderr)
    sys.exit(2)
```
"""

from __future__ import annotations

from collections.abc import Iterator

from interlock.effect import effects_of
from interlock.hook_lint.finding import LintFinding, at
from interlock.hook_lint.wiring import HookSubject

CODE = "IL202"
ABOUT = "hook"
_INSTEAD = {
    "command": "print the reason on stderr and exit with 2",
    "callback": "return a deny: hookSpecificOutput with hookEventName, permissionDecision and permissionDecisionReason",
}


def find(subject: HookSubject) -> Iterator[LintFinding]:
    """Every exception that is raised because of what the call would do."""
    program = subject.program
    closes = subject.wires and all(wire.blocks_on_failure for wire in subject.wires)
    if program.mode == "permission" or closes or not any("deny" in effects_of(event) for event in subject.events):
        return
    for ending in program.endings:
        if ending.how == "raise" and ending.paths and not ending.on_error:
            message = "an exception does not stop anything: the call runs"
            yield at(CODE, program, ending.span, message, _INSTEAD[program.mode])
