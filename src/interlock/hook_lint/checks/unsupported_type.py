"""This event does not run hooks of this type

## What
An `http` hook on SessionStart or Setup, a `prompt` or `agent` hook on an event outside a conversation, or an `agent`
hook on PermissionRequest.

## Why
Claude Code writes an error into its log and goes on. The hook never runs.

## Example
```json
{"SessionStart": [{"hooks": [{"type": "http", "url": "http://127.0.0.1:8080/start"}]}]}
```

## Fix
```json
{"SessionStart": [{"hooks": [{"type": "command", "command": "curl -s --data-binary @- http://127.0.0.1:8080/start"}]}]}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from interlock.event import EVENTS
from interlock.files.jsonedit import JsonNode
from interlock.hook_lint.finding import LintFinding, about
from interlock.hook_lint.matchers import handlers_of
from interlock.hook_lint.wiring import SettingsSubject

CODE = "IL411"
ABOUT = "settings"
_NO_CONVERSATION = frozenset({
    "SessionStart", "Setup", "SubagentStart", "SessionEnd", "Notification", "PreCompact", "PostCompact", "ConfigChange",
    "WorktreeCreate", "WorktreeRemove", "TaskCreated", "TaskCompleted", "TeammateIdle", "Elicitation",
    "ElicitationResult",
})  # fmt: skip
_NEVER: dict[str, frozenset[str]] = {
    "http": frozenset({"SessionStart", "Setup"}),
    "prompt": _NO_CONVERSATION,
    "agent": _NO_CONVERSATION | {"PermissionRequest"},
}


def find(subject: SettingsSubject) -> Iterator[LintFinding]:
    """Every entry whose type its event does not run."""
    for event, handler in handlers_of(subject):
        kind = handler.value.get("type")
        if event in EVENTS and isinstance(kind, JsonNode) and event in _NEVER.get(str(kind.value), ()):
            message = f"{event} does not run hooks of type `{kind.value}`"
            yield about(CODE, subject.file, kind, message, "use a `command` hook")
