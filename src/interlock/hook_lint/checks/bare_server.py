"""A server's name alone does not match its tools

## What
A matcher such as `mcp__github`.

## Why
A matcher that is only letters and underscores must be a whole name. The tools are called `mcp__github__create_issue`
and so on, so the hook never runs.

## Example
```json
{"matcher": "mcp__github", "hooks": [{"type": "command", "command": "./guard.sh"}]}
```

## Fix
```json
{"matcher": "mcp__github__.*", "hooks": [{"type": "command", "command": "./guard.sh"}]}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from interlock.hook_lint.finding import Fix, FixEdit, LintFinding, about
from interlock.hook_lint.matchers import BY_TOOL, exact_names, groups_of
from interlock.hook_lint.wiring import SettingsSubject

CODE = "IL410"
ABOUT = "settings"
FIXES = True


def find(subject: SettingsSubject) -> Iterator[LintFinding]:
    """Every such name in a matcher of names."""
    for event, matcher, node in groups_of(subject):
        names = exact_names(matcher) or ()
        bare = next((name for name in names if name.startswith("mcp__") and name.count("__") == 1), None)
        if bare is None or event not in BY_TOOL:
            continue
        message = f"no tool is called just `{bare}`, so this never matches"
        edit = FixEdit(node.start, node.end, f'"{matcher.replace(bare, bare + "__.*")}"')
        fix = Fix("make it a pattern", subject.file, (edit,)) if len(names) == 1 else None
        yield about(CODE, subject.file, node, message, f"write `{bare}__.*`", fix=fix)
