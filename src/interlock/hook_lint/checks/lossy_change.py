"""A changed input replaces the whole input

## What
`updatedInput` contains only the field that changes.

## Why
Claude Code replaces the input and does not merge it. If a required field is missing, the call is refused; if an
optional one is missing, such as the `timeout` of Bash or the `offset` of Read, it is lost silently. An argument of an
MCP tool falls back to its default.

## Example
```python
{"hookEventName": "PreToolUse", "updatedInput": {"command": safe}}
```

## Fix
```python
{"hookEventName": "PreToolUse", "updatedInput": {**tool_input, "command": safe}}
```
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interlock.facts.fields import known_fields
from interlock.hook_lint.answers import answers_of, updated_input
from interlock.hook_lint.finding import LintFinding, at
from interlock.hook_lint.program import ANY_KEY
from interlock.hook_lint.tools import tools_of
from interlock.hook_lint.wiring import HookSubject

CODE = "IL212"
ABOUT = "hook"
_RARE = {"dangerouslyDisableSandbox", "pages", "allow_large"}  # of no use in an example of what is lost


def find(subject: HookSubject) -> Iterator[LintFinding]:
    """Every changed input that does not begin with the old one, for a tool that has more fields."""
    for ending, said in answers_of(subject.program):
        given = updated_input(said.value)
        if not isinstance(given, dict) or ANY_KEY in given or not given or ending.code == 2:
            continue
        lost = _lost(given, subject)
        if lost:
            listed = ", ".join(f"`{name}`" for name in sorted(lost))
            message = f"`updatedInput` replaces the whole input, so {listed} would be lost"
            yield at(CODE, subject.program, said.span, message, "copy the input, and change the copy")


def _lost(given: dict[str, Any], subject: HookSubject) -> set[str]:
    """The fields that a call may have and that are not in a changed input, for the tools that it fits."""
    known = [(known_fields(tool) or {}).keys() - _RARE for tool in tools_of(subject)]
    return {name for fields in known if fields & given.keys() for name in fields - given.keys()}
