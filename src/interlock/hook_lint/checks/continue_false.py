"""`continue: false` does not stop a call

## What
A PreToolUse hook answers `continue: false` without a deny, or a Stop hook answers it to keep the agent working.

## Why
`continue: false` ends the turn *after* the call: the tool still runs. On Stop and SubagentStop it lets the agent stop,
which is the opposite of `decision: block`.

## Example
```json
{"continue": false, "stopReason": "rm -rf is not allowed"}
```

## Fix
```json
{"continue": false, "stopReason": "rm -rf is not allowed",
 "hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny"}}
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from interlock.hook_lint.answers import answers_of
from interlock.hook_lint.fate import fate_of
from interlock.hook_lint.finding import LintFinding, at
from interlock.hook_lint.guarding import GUARDED
from interlock.hook_lint.wiring import HookSubject

CODE = "IL209"
ABOUT = "hook"
# What a reason says that asks the agent to go on.
_GOES_ON = re.compile(
    r"\b(?:keep (?:going|working)|go on|continue working|please|you (?:must|should|need to)|(?:fix|finish|complete) "
    r"(?:the|this|these|them|it|all)|not (?:done|finished|complete) yet)\b",
    re.IGNORECASE,
)
_KEEPS_WORKING = ("Stop", "SubagentStop")


def find(subject: HookSubject) -> Iterator[LintFinding]:
    """Every `continue: false` that does not do what it seems to."""
    program = subject.program
    if program.mode == "callback" and not subject.wires:
        return  # on which event it is called is not known
    for ending, said in answers_of(program):
        if said.value.get("continue") is not False or ending.code == 2:
            continue
        if any(event in GUARDED and fate_of(event, ending, program).does == "nothing" for event in subject.events):
            message = "`continue: false` does not stop the call: it runs, and the turn ends afterwards"
            yield at(CODE, program, said.span, message, "answer with `permissionDecision: deny` as well")
        elif set(subject.events) <= {*_KEEPS_WORKING} and _is_feedback(said.value):
            message = "`continue: false` lets the agent stop, and the model never reads the reason"
            yield at(CODE, program, said.span, message, "keep it working with `decision: block` and a `reason`")


def _is_feedback(said: dict[str, Any]) -> bool:
    """Whether a reason for the model is given where only a person reads one."""
    if said.get("decision") is not None:
        return False
    return bool(said.get("reason")) or _GOES_ON.search(str(said.get("stopReason", ""))) is not None
