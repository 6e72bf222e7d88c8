"""Bash can write the files that this guard protects from Write and Edit

## What
A hook that guards files runs on Write and Edit, but no guard in these settings runs on Bash.

## Why
An agent that may not edit `.env` writes it with `echo … > .env`, `sed -i`, `tee` or Python. Models do so readily when a
tool is refused.

## Example
```json
{"matcher": "Write|Edit", "hooks": [{"type": "command", "command": "./protect-env.sh"}]}
```

## Fix
```json
{"matcher": "Write|Edit|NotebookEdit|Bash", "hooks": [{"type": "command", "command": "./protect-env.sh"}]}
```

The hook must then find the files in the command. That is what `interlock init` is for: a rule about a path also holds
for commands.
"""

from __future__ import annotations

from collections.abc import Iterator

from interlock.hook_lint.finding import LintFinding, about
from interlock.hook_lint.guarding import guards
from interlock.hook_lint.wiring import HookSubject

CODE = "IL605"
ABOUT = "hook"
_EDITS = frozenset({"Write", "Edit", "MultiEdit", "NotebookEdit"})
_FILES = _EDITS - {"NotebookEdit"}  # notebooks are hardly written by commands
_PATH = ("tool_input", "file_path")


def find(subject: HookSubject) -> Iterator[LintFinding]:
    """Every guard of paths whose entries name tools for edits alone, beside no entry for Bash."""
    tools = set(subject.tools or ())
    if not tools & _FILES or not tools <= _EDITS or subject.covers_shell or not guards(subject):
        return
    if not any(_PATH in ending.paths for ending in subject.program.endings):
        return
    for wire in subject.wires:
        if wire.event == "PreToolUse" and wire.matcher_node is not None:
            message = "Bash can write the same files, and no guard here checks it"
            yield about(CODE, wire.file, wire.matcher_node, message, "guard Bash as well", severity="warning")
