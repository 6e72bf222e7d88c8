"""A callback that is not async always fails

## What
A function that is registered with the Agent SDK is defined with `def` or `lambda` and returns a plain value.

## Why
The SDK awaits every callback. A dictionary cannot be awaited, so each run of the hook fails, and a hook that fails lets
the call run. Given as `can_use_tool`, the same mistake refuses every call.

## Example
```python
def guard(input_data, tool_use_id, context):
    return {}
```

## Fix
```python
async def guard(input_data, tool_use_id, context):
    return {}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from interlock.hook_lint.finding import LintFinding, at
from interlock.hook_lint.wiring import HookSubject

CODE = "IL801"
ABOUT = "hook"


def find(subject: HookSubject) -> Iterator[LintFinding]:
    """The callback itself."""
    program = subject.program
    if program.language != "python" or program.mode == "command" or program.is_async:
        return
    outcome = "every call it is asked about is refused" if program.mode == "permission" else "the call runs"
    message = f"the SDK awaits this callback, which fails because it is not async: {outcome}"
    help = "write `async def`"
    yield at(CODE, program, program.entry, message, help if program.name != "lambda" else f"{help}, with a name")
