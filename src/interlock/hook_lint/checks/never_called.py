"""A guard in a function that nothing calls never runs

## What
A hook does its work in a function, but the file only defines the function. Claude Code starts the file, which then ends
at once.

## Why
The program exits with 0 and prints nothing, which means "no objection" to every call. Claude Code does not call
functions in a file: it starts the file and writes the event to its standard input.

## Example
```python
def main():
    event = json.load(sys.stdin)
    if "rm -rf" in event["tool_input"].get("command", ""):
        sys.exit(2)
```

## Fix
```python
def main():
    event = json.load(sys.stdin)
    if "rm -rf" in event["tool_input"].get("command", ""):
        sys.exit(2)


main()
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from interlock.hook_lint.finding import LintFinding, at
from interlock.hook_lint.wiring import HookSubject

CODE = "IL106"
ABOUT = "hook"
_MAIN = re.compile(r"\b(?:main|run|hook|handle|guard)\b|\b(?:run|handle)_")


def find(subject: HookSubject) -> Iterator[LintFinding]:
    """The function with the work in it. Without an entry a file may be a part of something else."""
    program = subject.program
    span = program.never_run
    if program.mode != "command" or span is None:
        return
    is_program = program.text.startswith("#!") and _MAIN.search(program.text, span.start, span.end)
    if subject.wires or is_program:
        message = "nothing calls this function, so the hook lets every call run"
        yield at(CODE, program, span, message, "call it at the end of the file")
