"""A warning next to an allow is never read

## What
A hook finds something dangerous, or has something to be remembered, says so in a reason, and answers `allow`.

## Why
An allow skips the prompt, and the model never reads its reason. The call runs at once, with fewer questions than if
there were no hook.

## Example
```json
{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow",
                        "permissionDecisionReason": "Warning: this deletes files"}}
```

## Fix
```json
{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "ask",
                        "permissionDecisionReason": "This deletes files"}}
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from interlock.hook_lint.answers import answers_of
from interlock.hook_lint.finding import LintFinding, at
from interlock.hook_lint.wiring import HookSubject

CODE = "IL702"
ABOUT = "hook"
_WARNS = re.compile(r"⚠|\b(?:warning|warn|danger(?:ous)?|caution|careful|risky|unsafe|destructive)\b", re.IGNORECASE)
_REMINDS = re.compile(r"\b(?:reminder|remember to|checklist|don't forget|do not forget|make sure)\b", re.IGNORECASE)
_FINE = re.compile(r"\b(?:no|not|without|non)[ -](?:a )?(?:warning|danger|risk|unsafe|destructive)", re.IGNORECASE)


def find(subject: HookSubject) -> Iterator[LintFinding]:
    """Every allow whose reason warns."""
    if "PreToolUse" not in subject.events:
        return
    for ending, said in answers_of(subject.program):
        part = said.value.get("hookSpecificOutput")
        reason = _reason_of(said.value, part if isinstance(part, dict) else {})
        if ending.code == 2 or not isinstance(reason, str):
            continue
        warns = bool(_WARNS.search(reason)) and not _FINE.search(reason)
        if warns or _REMINDS.search(reason):
            message = f"the call is allowed, and this {'warning' if warns else 'reminder'} is never read"
            yield at(CODE, subject.program, said.span, message, "answer `ask`, or give the model `additionalContext`")


def _reason_of(said: dict[str, Any], part: dict[str, Any]) -> Any:
    if part.get("additionalContext") or said.get("systemMessage"):
        return None  # the model or the person reads it
    if part.get("permissionDecision") == "allow":
        return part.get("permissionDecisionReason", said.get("reason"))
    return said.get("reason") if said.get("decision") == "approve" else None
