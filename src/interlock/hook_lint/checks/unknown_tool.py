"""There is no tool with this name

## What
A hook compares `tool_name` with a name that no Claude Code tool has: `bash`, `write_file`, `edit_file`, `shell`. Or it
uses only the former name of a tool: `Task`, `KillShell`.

## Why
Names are compared exactly. `bash` never equals `Bash`, so the hook ignores every call. A matcher with the former name
of a tool still works, but `tool_name` in the event is always the current one: `Agent`, `TaskStop`.

## Example
```python
if event["tool_name"] in ("bash", "write_file"):
```

## Fix
```python
if event["tool_name"] in ("Bash", "Write"):
```
"""

from __future__ import annotations

from collections.abc import Iterator

from interlock.facts.tools import known_tools, present_name
from interlock.hook_lint.event_fields import fields_of
from interlock.hook_lint.finding import LintFinding, at
from interlock.hook_lint.rewording import word_replaced
from interlock.hook_lint.tools import TOOL_NAME
from interlock.hook_lint.wiring import HookSubject

CODE = "IL104"
ABOUT = "hook"
FIXES = True
OTHER_NAMES = {
    "shell": "Bash", "run_shell_command": "Bash", "execute_command": "Bash", "run_command": "Bash", "terminal": "Bash",
    "run_terminal_cmd": "Bash", "execute_bash": "Bash", "bash_tool": "Bash", "BashTool": "Bash",
    "write_file": "Write", "create_file": "Write", "write_to_file": "Write", "file_write": "Write",
    "WriteFile": "Write", "edit_file": "Edit", "replace_in_file": "Edit", "str_replace": "Edit",
    "str_replace_editor": "Edit", "str_replace_based_edit_tool": "Edit", "replace": "Edit", "EditFile": "Edit",
    "read_file": "Read", "file_read": "Read", "ReadFile": "Read", "view": "Read", "web_fetch": "WebFetch",
    "web_search": "WebSearch", "FileWrite": "Write", "FileEdit": "Edit", "FileRead": "Read",
}  # fmt: skip


def find(subject: HookSubject) -> Iterator[LintFinding]:
    """Every comparison with such names alone. Beside a right name they are there for other agents."""
    plain = {name.lower(): name for name in known_tools()}
    compared = [one for one in subject.program.comparisons if one.path == TOOL_NAME]
    right = {value for one in compared for value in one.values if value in plain.values()}
    right |= {
        plain[value.lower()] for one in compared if one.is_cased for value in one.values if value.lower() in plain
    }
    searched = " ".join(one.text for one in subject.program.patterns if one.path == TOOL_NAME)
    has_tool = all("tool_name" in fields_of(event) for event in subject.events)
    for one in compared:
        for value in one.values:
            present = present_name(value)
            if present != value:
                if not has_tool or one.is_cased or present in right or present in searched:
                    continue
                message = f"the event calls this tool `{present}`, so `{value}` never matches"
                yield at(CODE, subject.program, one.span, message, f"write `{present}`")
                break
            meant = OTHER_NAMES.get(value) or (plain.get(value.lower()) if value not in plain.values() else None)
            if meant is None or meant in right or value.startswith("mcp__"):
                continue
            message = f"Claude Code has no tool called `{value}`, so this is never true"
            spans = [other.span for other in compared if value in other.values]
            fix = word_replaced(subject.program, spans, value, meant)
            yield at(CODE, subject.program, one.span, message, f"write `{meant}`", fix=fix)
            break
