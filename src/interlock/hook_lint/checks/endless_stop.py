"""A Stop hook that always blocks never lets the agent stop

## What
A Stop or SubagentStop hook blocks and looks neither at `stop_hook_active` nor at anything else that could change.

## Why
The agent is told to go on, stops again, and is told to go on again. The client gives up after eight rounds, each of
which costs a request.

## Example
```sh
echo "Run the tests before you stop" >&2
exit 2
```

## Fix
```sh
if [ "$(jq -r .stop_hook_active)" = true ]; then exit 0; fi
echo "Run the tests before you stop" >&2
exit 2
```
"""

from __future__ import annotations

from collections.abc import Iterator

from interlock.hook_lint.fate import fate_of
from interlock.hook_lint.finding import LintFinding, at
from interlock.hook_lint.wiring import HookSubject

CODE = "IL704"
ABOUT = "hook"
_STOPS = ("Stop", "SubagentStop")


def find(subject: HookSubject) -> Iterator[LintFinding]:
    """The first end that blocks whatever has happened."""
    program = subject.program
    if not subject.wires or not set(subject.events) <= {*_STOPS} or "stop_hook_active" in program.text:
        return
    for ending in program.endings:
        if not ending.when and all(fate_of(event, ending, program).does == "denies" for event in subject.events):
            message = "this blocks every stop, also the one after it has blocked"
            yield at(CODE, program, ending.span, message, "let the agent stop if `stop_hook_active` is true")
            return
