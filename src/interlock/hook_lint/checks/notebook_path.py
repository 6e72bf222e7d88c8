"""NotebookEdit has no `file_path`

## What
A hook for NotebookEdit reads `tool_input.file_path` and never `tool_input.notebook_path`.

## Why
The path of a notebook is in `notebook_path`. For this tool, the hook finds no path and lets every edit run.

## Example
```python
# matcher: "Write|Edit|NotebookEdit"
path = event["tool_input"].get("file_path", "")
```

## Fix
```python
given = event["tool_input"]
path = given.get("file_path") or given.get("notebook_path") or ""
```
"""

from __future__ import annotations

from collections.abc import Iterator

from interlock.hook_lint.finding import LintFinding, at
from interlock.hook_lint.guarding import guards
from interlock.hook_lint.tools import TOOL_NAME
from interlock.hook_lint.wiring import HookSubject

CODE = "IL105"
ABOUT = "hook"
_OF_FILES = frozenset({"Edit", "Write", "MultiEdit"})
_READ, _MISSING = ("tool_input", "file_path"), ("tool_input", "notebook_path")


def find(subject: HookSubject) -> Iterator[LintFinding]:
    """The place where the path is read."""
    program = subject.program
    lists = [one.values for one in program.comparisons if one.path == TOOL_NAME]
    # Where it is in a list without the tools of other files, it is judged by its name alone.
    compared = {value for values in lists if len(values) == 1 or _OF_FILES & {*values} for value in values}
    if (
        "NotebookEdit" not in {*(subject.tools or ()), *compared}
        or program.unread
        or "notebook_path" in program.own_text
    ):
        return
    if not guards(subject):
        return  # a formatter has nothing to do with a notebook
    read = next((one for one in program.reads if one.path == _READ), None)
    if read is not None:
        message = "for NotebookEdit the path is in `notebook_path`, so this is empty"
        yield at(CODE, program, read.span, message, "read `tool_input.notebook_path` as well")
