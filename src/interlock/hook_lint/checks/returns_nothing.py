"""A callback that returns None counts as a failed hook

## What
A callback of the Python Agent SDK ends without a return value on one of its paths, or returns `None`.

## Why
The SDK expects a dictionary. Anything else is an error: the hook counts as failed, and the call runs. To have no
objection, return `{}`.

## Example
```python
async def guard(input_data, tool_use_id, context):
    if "rm -rf" in input_data["tool_input"].get("command", ""):
        return deny("not this")
```

## Fix
```python
async def guard(input_data, tool_use_id, context):
    if "rm -rf" in input_data["tool_input"].get("command", ""):
        return deny("not this")
    return {}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from interlock.hook_lint.finding import LintFinding, at
from interlock.hook_lint.guarding import GUARDED
from interlock.hook_lint.wiring import HookSubject

CODE = "IL802"
ABOUT = "hook"


def find(subject: HookSubject) -> Iterator[LintFinding]:
    """Every way that returns nothing: its `return`, or the function if it is left at its end."""
    program = subject.program
    if program.language != "python" or program.mode != "callback" or not program.is_async:
        return  # one that is not async fails anyway
    seen = set()
    for ending in program.endings:
        if ending.how not in ("return", "end") or ending.on("return") or ending.on_error:
            continue
        span = program.entry if ending.how == "end" else ending.span
        if span in seen:
            continue
        seen.add(span)
        where = "its end" if ending.how == "end" else "this `return`"
        guarded = any(event in GUARDED for event in subject.events)
        message = f"at {where} the callback returns None, which the SDK reports as a failed hook"
        yield at(CODE, program, span, message, "return `{}`", severity="error" if guarded else "warning")
