"""A matcher is not a permission rule

## What
A matcher such as `Bash(git *)` or `Write(*.env)`.

## Why
A matcher is compared with the name of the tool, and characters such as `(` and `*` make it a regular expression.
`Bash(git *)` looks for a tool called `Bashgit`, so the hook never runs.

## Example
```json
{"matcher": "Bash(rm *)", "hooks": [{"type": "command", "command": "./guard.sh"}]}
```

## Fix
```json
{"matcher": "Bash", "hooks": [{"type": "command", "command": "./guard.sh", "if": "Bash(rm *)"}]}
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from interlock.hook_lint.finding import LintFinding, about
from interlock.hook_lint.matchers import BY_TOOL, groups_of
from interlock.hook_lint.wiring import SettingsSubject

CODE = "IL408"
ABOUT = "settings"
_RULE = re.compile(r"(?:^|\|)\s*(\w+)\((?!\?)[^)|]*[ *:./][^)]*\)\s*(?:\||$)")


def find(subject: SettingsSubject) -> Iterator[LintFinding]:
    """Every matcher that is written like a rule of the permissions."""
    for event, matcher, node in groups_of(subject):
        found = _RULE.search(matcher) if event in BY_TOOL else None
        if found is not None:
            message = f"`{matcher}` is compared with the name of the tool, so this hook never runs"
            help = f'write "matcher": "{found[1]}", and put the rule into the entry as "if"'
            yield about(CODE, subject.file, node, message, help)
