"""A guard in the background cannot refuse anything

## What
The entry of a guard has `"async": true`.

## Why
Claude Code does not wait for it. The call runs at once, and the hook's answer is read later, if at all.

## Example
```json
{"type": "command", "command": "./guard.sh", "async": true}
```

## Fix
```json
{"type": "command", "command": "./guard.sh"}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from interlock.hook_lint.finding import LintFinding, about_wire
from interlock.hook_lint.guarding import GUARDED, guards
from interlock.hook_lint.wiring import HookSubject

CODE = "IL504"
ABOUT = "hook"


def find(subject: HookSubject) -> Iterator[LintFinding]:
    """Every such entry of a hook that refuses calls."""
    if not guards(subject):
        return
    for wire in subject.wires:
        background = wire.handler.get("async") is True or wire.handler.get("asyncRewake") is True
        if wire.event in GUARDED and background and wire.handler.get("onFailure") != "block":
            key = "async" if "async" in wire.handler else "asyncRewake"
            found = about_wire(
                CODE, wire, key, "this guard runs in the background and cannot refuse anything", f"remove `{key}`"
            )
            if found is not None:
                yield found
