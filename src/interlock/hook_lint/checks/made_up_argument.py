"""Claude Code passes no arguments to a hook

## What
A hook decides by `$1` or `sys.argv[1]`, but its entry passes no arguments.

## Why
Claude Code runs the command exactly as it is written in the settings, and describes the call in JSON on standard input.
So the argument is empty on every event.

## Example
```sh
# in settings: "command": "./guard.sh"
if [[ "$1" == *"rm -rf"* ]]; then exit 2; fi
```

## Fix
```sh
command=$(jq -r '.tool_input.command // empty')
if [[ "$command" == *"rm -rf"* ]]; then exit 2; fi
```
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from interlock.hook_lint.finding import LintFinding, at
from interlock.hook_lint.guess import is_called_after_event
from interlock.hook_lint.wiring import HookSubject, HookWire

CODE = "IL103"
ABOUT = "hook"


def find(subject: HookSubject) -> Iterator[LintFinding]:
    """Every argument that the hook judges by and that no entry passes."""
    program = subject.program
    if any(_passes_words(wire) for wire in subject.wires):
        return
    if not subject.wires and (program.reads_event or not is_called_after_event(program.file)):
        return
    for read in program.names:
        if read.kind == "argument" and read.decides and not (read.has_default and program.reads_event):
            message = "Claude Code passes no arguments to a hook, so this is always empty"
            if subject.wires:
                entry = PurePath(subject.wires[0].file).name
                message = f"the entry in {entry} passes no arguments, so this is always empty"
            yield at(CODE, program, read.span, message, "read the event, which is JSON on standard input")
            return


def _passes_words(wire: HookWire) -> bool:
    """Whether an entry passes words to its script, or may do so."""
    if wire.script is None or not wire.words:
        return True
    names = [PurePath(word).name for word in wire.words]
    return wire.script.name not in names or names.index(wire.script.name) < len(names) - 1
