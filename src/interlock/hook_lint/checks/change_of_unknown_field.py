"""A field that the tool does not have changes nothing

## What
`updatedInput` sets a field that the tool does not have: `file` for `file_path`, `cmd` for `command`.

## Why
Claude Code drops fields that the tool does not know. The call runs as the model wrote it, or is refused because a
required field is missing.

## Example
```python
{"hookEventName": "PreToolUse", "updatedInput": {**tool_input, "cmd": safe}}
```

## Fix
```python
{"hookEventName": "PreToolUse", "updatedInput": {**tool_input, "command": safe}}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from interlock.errors import suggest
from interlock.facts.fields import known_fields
from interlock.hook_lint.answers import answers_of, updated_input
from interlock.hook_lint.finding import LintFinding, at
from interlock.hook_lint.program import ANY_KEY
from interlock.hook_lint.tools import tools_of
from interlock.hook_lint.wiring import HookSubject

CODE = "IL213"
ABOUT = "hook"


def find(subject: HookSubject) -> Iterator[LintFinding]:
    """Every such field, if all tools that the hook is for are known."""
    known = [known_fields(tool) for tool in tools_of(subject)]
    if not known or None in known:
        return
    fields = {name for one in known if one is not None for name in one}
    for ending, said in answers_of(subject.program):
        given = updated_input(said.value)
        if not isinstance(given, dict) or ending.code == 2:
            continue
        for name in given:
            if name != ANY_KEY and name not in fields and "…" not in name:
                meant = suggest(name, fields)
                message = f"no tool of this hook has a field `{name}`, so this changes nothing"
                yield at(CODE, subject.program, said.span, message, f"did you mean `{meant}`?" if meant else "")
                break
