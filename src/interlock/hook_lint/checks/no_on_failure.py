"""A guard that fails lets the call run

## What
The entry of a guard has no `"onFailure": "block"`, or its `HookMatcher` no `on_failure="block"`.

## Why
If the hook crashes, is too slow, is missing or prints something that the client cannot read, the call runs. With
`onFailure` such a failure refuses it. Claude Code has had the key since 2.1.295; older versions ignore it.

## Example
```json
{"type": "command", "command": "./guard.sh"}
```

## Fix
```json
{"type": "command", "command": "./guard.sh", "onFailure": "block"}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from interlock.hook_lint.finding import Fix, FixEdit, LintFinding, about_wire, at
from interlock.hook_lint.guarding import GUARDED, guards
from interlock.hook_lint.program import HookProgram
from interlock.hook_lint.wiring import HookSubject, HookWire

CODE = "IL503"
ABOUT = "hook"
FIXES = True
_MESSAGE = "if this guard crashes or is too slow, the call runs"


def find(subject: HookSubject) -> Iterator[LintFinding]:
    """Every entry of a hook that refuses calls."""
    if not guards(subject):
        return
    yield from _without_option(subject.program)
    for wire in subject.wires:
        if (
            wire.event in GUARDED
            and "onFailure" not in wire.handler
            and wire.handler.get("type") in ("command", "http")
        ):
            help = 'add "onFailure": "block"'
            found = about_wire(CODE, wire, "command", _MESSAGE, help, severity="warning", fix=_fix(wire))
            if found is not None:
                yield found


def _without_option(program: HookProgram) -> Iterator[LintFinding]:
    """Where a callback is given to the SDK. A matcher with several callbacks gives the same finding for each."""
    option = 'on_failure="block"' if program.language == "python" else 'onFailure: "block"'
    for one in program.registered:
        if one.event in GUARDED and not one.on_failure:
            yield at(CODE, program, one.span, _MESSAGE, f"add {option}", severity="warning")


def _fix(wire: HookWire) -> Fix | None:
    if wire.node is None:
        return None
    end = wire.node.end - 1
    last = max(part.end for part in wire.node.children)
    return Fix(
        "refuse the call if the hook fails", wire.file, (FixEdit(last, min(last, end), ', "onFailure": "block"'),)
    )
