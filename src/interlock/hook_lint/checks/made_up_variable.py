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
    r"(?:CLAUDE_|HOOK_|CC_)?(?:TOOL_(?:INPUT|NAME|OUTPUT|RESULT|RESPONSE|ARGS|PARAMS|USE_ID|EXIT_CODE|COMMAND)(?:_\w+)?|FILE_PATHS?|HOOK_EVENT(?:_NAME)?"
    r"|PROJECT_(?:DIR|ROOT|PATH)|SESSION_ID|TRANSCRIPT_PATH|WORKING_DIR(?:ECTORY)?"
    r"|(?:HOOK_)?INPUT_JSON|EVENT_NAME|USER_PROMPT|NOTIFICATION|BASH_COMMAND|COMMAND)"
)
# Names that people choose for variables of their own; only with a client's prefix they are meant to be the client's.
_COMMON = frozenset({
    "COMMAND", "FILE_PATH", "FILE_PATHS", "USER_PROMPT", "NOTIFICATION", "EVENT_NAME", "PROJECT_ROOT", "PROJECT_PATH",
    "SESSION_ID", "TRANSCRIPT_PATH", "WORKING_DIR", "WORKING_DIRECTORY",
})  # fmt: skip
# What the event has under a name.
_FIELDS: dict[str, tuple[str, ...]] = {
    "SESSION_ID": ("session_id",),
    "TRANSCRIPT_PATH": ("transcript_path",),
    "TOOL_NAME": ("tool_name",),
    "FILE_PATH": ("tool_input", "file_path"),
    "USER_PROMPT": ("prompt",),
}


def find(subject: HookSubject) -> Iterator[LintFinding]:
    """Every such variable that nothing else sets and that the hook does not do without."""
    program = subject.program
    seen = set()
    for read in program.names:
        if read.kind != "environment" or read.name in seen or not _is_made_up(read.name):
            continue
        field = _FIELDS.get(read.name.removeprefix("CLAUDE_").removeprefix("HOOK_"))
        if any(one.path == field for one in program.reads):
            continue  # it is a fallback, for another agent perhaps
        # A fallback that is not the event leaves the hook with nothing to judge by.
        if read.has_default and (program.reads_event or not read.decides):
            continue
        seen.add(read.name)
        message = f"Claude Code does not set `{read.name}`, so it is empty on every event"
        event = "read the event, which is JSON on standard input"
        help = "read `CLAUDE_PROJECT_DIR`" if "PROJECT_" in read.name else event
        yield at(CODE, program, read.span, message, help)


def _is_made_up(name: str) -> bool:
    if name in _REAL or name.startswith(_REAL_STARTS) or name in _COMMON:
        return False
    return _MADE_UP.fullmatch(name) is not None
