"""An MCP tool has a longer name

## What
A matcher or a comparison names a tool such as `process_refund` exactly.

## Why
Only Claude Code's own tools have short names. A tool of an MCP server, also one that the Agent SDK defines in the same
process, is called `mcp__payments__process_refund`. The hook never runs for it.

## Example
```python
HookMatcher(matcher="process_refund", hooks=[check_refund])
```

## Fix
```python
HookMatcher(matcher="mcp__.*__process_refund", hooks=[check_refund])
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from interlock.facts.tools import known_tools
from interlock.hook_lint.checks.unknown_tool import OTHER_NAMES
from interlock.hook_lint.finding import LintFinding, at
from interlock.hook_lint.tools import TOOL_NAME
from interlock.hook_lint.wiring import HookSubject

CODE = "IL606"
ABOUT = "hook"
_NAME = re.compile(r"[a-z][a-z0-9]*(?:[_-][a-z0-9]+)+")


def find(subject: HookSubject) -> Iterator[LintFinding]:
    """Every comparison with the short name of a server's tool, if its whole name occurs nowhere."""
    program = subject.program
    plain = {name.lower() for name in known_tools()}
    for one in program.comparisons:
        if one.path != TOOL_NAME or "mcp__" in program.own_text:
            continue
        for value in one.values:
            if _NAME.fullmatch(value) and value not in plain and value not in OTHER_NAMES:
                message = f"an MCP tool is called `mcp__SERVER__{value}`, so `{value}` never matches"
                yield at(CODE, program, one.span, message, f'test whether the name ends with "__{value}"')
                break
