"""If a program that a guard needs is missing, every call passes

## What
A guard reads the event with `jq`, `node` or another program, and does not check that it is installed.

## Why
On a machine without it, the value is empty or the hook exits with 127. Neither refuses a call, and nothing says so.

## Example
```sh
command=$(jq -r .tool_input.command)
```

## Fix
```sh
command -v jq >/dev/null || { echo "this guard needs jq" >&2; exit 2; }
command=$(jq -r .tool_input.command)
```
"""

from __future__ import annotations

from collections.abc import Iterator

from interlock.hook_lint.finding import LintFinding, at
from interlock.hook_lint.guarding import guards
from interlock.hook_lint.wiring import HookSubject

CODE = "IL501"
ABOUT = "hook"
# Python and Perl are on nearly every machine that runs the client.
_NEEDED = frozenset({"jq", "node", "yq", "gron", "jaq", "bun", "deno", "ruby"})


def find(subject: HookSubject) -> Iterator[LintFinding]:
    """The first use of each such program in a guard that does not end with 2 without it."""
    program = subject.program
    closes = subject.wires and all(wire.blocks_on_failure for wire in subject.wires) and "set -e" in program.own_text
    if closes or program.mode != "command" or not guards(subject):
        return
    seen = set()
    for use in program.uses:
        if use.name in _NEEDED and use.decides and not use.is_checked and not use.closes and use.name not in seen:
            seen.add(use.name)
            message = f"without `{use.name}`, this guard refuses nothing and does not say so"
            help = f"exit with 2 if it is missing: command -v {use.name} >/dev/null || exit 2"
            yield at(CODE, program, use.span, message, help, severity="warning")
