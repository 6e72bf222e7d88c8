"""A Stop hook that always blocks never lets the agent stop

## What
A Stop or SubagentStop hook blocks without checking `stop_hook_active`: always, or for as long as a program such as the
tests fails.

## Why
The agent is told to go on, stops again, and is told to go on again. Claude Code gives up after eight rounds, each of
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

import re
from collections.abc import Iterator

from interlock.hook_lint.fate import fate_of
from interlock.hook_lint.finding import LintFinding, at
from interlock.hook_lint.program import HookProgram
from interlock.hook_lint.wiring import HookSubject

CODE = "IL704"
ABOUT = "hook"
_STOPS = ("Stop", "SubagentStop")


# Signs that it counts, or remembers that it has blocked already, or looks at what has been said since.
_REMEMBERS = re.compile(
    r"\btouch\b|\brm\b|unlink|write|mkdir|session_id|transcript|last_assistant_message|\bopen\([^)]*['\"][wa]"
)
_INTO_FILE = re.compile(r">>?\s*(?!/dev/null|&)[\"'$~/.\w]")
_ONLY_READS = frozenset({"jq", "cat", "echo", "printf", "grep", "date"})


def find(subject: HookSubject) -> Iterator[LintFinding]:
    """The first end that blocks whatever has happened, or until a program of the project says that all is well."""
    program = subject.program
    if not subject.wires or not set(subject.events) <= {*_STOPS} or "stop_hook_active" in program.own_text:
        return
    for ending in program.endings:
        if not all(fate_of(event, ending, program).does == "denies" for event in subject.events):
            continue
        if not ending.when and not ending.on_error:
            message = "this blocks every stop, even one right after it has blocked"
        elif _waits(program):
            message = "this blocks every stop for as long as a program fails, even one right after it has blocked"
        else:
            continue
        yield at(CODE, program, ending.span, message, "let the agent stop if `stop_hook_active` is true")
        return


def _waits(program: HookProgram) -> bool:
    """Whether a hook judges by what a program says alone, and remembers nothing from one stop to the next."""
    runs = any(use.name not in _ONLY_READS for use in program.uses)
    keeps = _REMEMBERS.search(program.own_text) or (program.language == "shell" and _INTO_FILE.search(program.own_text))
    return runs and not program.reads and not keeps
