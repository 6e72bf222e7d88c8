"""A blocking call in a callback stops the whole program

## What
An async callback makes a blocking call: `time.sleep`, `requests`, `urllib`, `subprocess.run`, `input`.

## Why
While it waits, nothing else on the event loop runs: no message from Claude Code is read, no other hook answers, and no
time-out fires. Several calls at once are judged one after the other, and Claude Code may stop waiting for them.

## Example
```python
async def guard(input_data, tool_use_id, context):
    verdict = requests.post("http://localhost:8000/check", json=input_data).json()
```

## Fix
```python
async def guard(input_data, tool_use_id, context):
    async with httpx.AsyncClient() as client:
        verdict = (await client.post("http://localhost:8000/check", json=input_data)).json()
```
"""

from __future__ import annotations

from collections.abc import Iterator

from interlock.hook_lint.finding import LintFinding, at
from interlock.hook_lint.wiring import HookSubject

CODE = "IL803"
ABOUT = "hook"


def find(subject: HookSubject) -> Iterator[LintFinding]:
    """Every such call that the callback makes, by itself or in a function that it calls."""
    program = subject.program
    for span in program.blocking:
        called = program.text[span.start : span.end].partition("(")[0].strip()
        message = f"`{called}` stops the event loop while the callback waits for it"
        yield at(
            CODE, program, span, message, "await something instead, or use `asyncio.to_thread`", severity="warning"
        )
