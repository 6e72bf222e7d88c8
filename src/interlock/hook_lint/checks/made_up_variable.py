"""Claude Code does not set this variable

## What
A hook decides by an environment variable that Claude Code does not set, such as `CLAUDE_TOOL_INPUT` or `TOOL_NAME`.

## Why
The call is described in JSON on standard input and nowhere else, so the variable is empty on every event.

## Example
```sh
if [[ "$CLAUDE_TOOL_INPUT" == *"rm -rf"* ]]; then exit 2; fi
```

## Fix
```sh
command=$(jq -r '.tool_input.command // empty')
if [[ "$command" == *"rm -rf"* ]]; then exit 2; fi
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from interlock.hook_lint.finding import LintFinding, at
from interlock.hook_lint.wiring import HookSubject

CODE = "IL102"
ABOUT = "hook"
# What the client sets for a hook, and what it reads from its own environment and passes on.
_REAL = frozenset({
    "CLAUDE_PROJECT_DIR", "CLAUDE_PLUGIN_ROOT", "CLAUDE_PLUGIN_DATA", "CLAUDE_ENV_FILE", "CLAUDE_EFFORT", "CLAUDE_PID",
    "CLAUDE_CONFIG_DIR",
})  # fmt: skip
_REAL_STARTS = ("CLAUDE_CODE_", "CLAUDE_PLUGIN_OPTION_")
_MADE_UP = re.compile(
    r"(?:CLAUDE_|HOOK_|CC_)?(?:TOOL_(?:INPUT|NAME|OUTPUT|RESULT|RESPONSE|ARGS|PARAMS|USE_ID)(?:_\w+)?|FILE_PATHS?|HOOK_EVENT(?:_NAME)?"
    r"|(?:HOOK_)?INPUT_JSON|EVENT_NAME|USER_PROMPT|NOTIFICATION|BASH_COMMAND|COMMAND)"
)
# Names that people choose for variables of their own; only with a client's prefix they are meant to be the client's.
_COMMON = frozenset({"COMMAND", "FILE_PATH", "FILE_PATHS", "USER_PROMPT", "NOTIFICATION", "EVENT_NAME"})


def find(subject: HookSubject) -> Iterator[LintFinding]:
    """Every such variable that nothing else sets and that the hook does not do without."""
    program = subject.program
    seen = set()
    for read in program.names:
        if read.kind != "environment" or read.name in seen or not _is_made_up(read.name):
            continue
        # A fallback that is not the event leaves the hook with nothing to judge by.
        if read.has_default and (program.reads_event or not read.decides):
            continue
        seen.add(read.name)
        message = f"Claude Code does not set `{read.name}`, so it is empty on every event"
        yield at(CODE, program, read.span, message, "read the event, which is JSON on standard input")


def _is_made_up(name: str) -> bool:
    if name in _REAL or name.startswith(_REAL_STARTS) or name in _COMMON:
        return False
    return _MADE_UP.fullmatch(name) is not None
