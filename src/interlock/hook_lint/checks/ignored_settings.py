"""One mistake makes Claude Code ignore the whole settings file

## What
A settings file that is not JSON, a value of the wrong kind, or an entry of PreToolUse that cannot be loaded.

## Why
Claude Code drops the *whole* file, with every hook and every permission in it, and shows at most a line in its debug
log.

## Example
```json
{"hooks": {"PreToolUse": [{"matcher": ["Bash"], "hooks": [{"type": "command", "command": "./guard.sh"}]}]}}
```

## Fix
```json
{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "./guard.sh"}]}]}}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from interlock.hook_lint.finding import LintFinding
from interlock.hook_lint.wiring import SettingsSubject

CODE = "IL413"
ABOUT = "settings"
_OLD = "clients as old as 2.1.197"
_THEN = {"managed": "the client does not run it", "frontmatter": "the client runs no hook of this file"}


def find(subject: SettingsSubject) -> Iterator[LintFinding]:
    """Every reason for which a client drops the whole file."""
    settings = subject.settings
    if settings is None or subject.holder in ("plugin", "example"):
        return
    for problem in settings.problems:
        if subject.holder == "managed" and not problem.text.startswith("an entry"):
            continue  # the rest of the file is in force
        if problem.drops == "file" and problem.clients != _OLD and not _has_its_own_check(problem.text):
            message = f"{problem.text}: {_THEN.get(subject.holder, 'the client ignores the whole file')}"
            yield LintFinding(code=CODE, source=problem.source, message=message)


def _has_its_own_check(text: str) -> bool:
    return "has no array `hooks`" in text  # IL407
