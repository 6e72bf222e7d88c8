"""`systemMessage` is for the person

## What
A hook puts advice for the model into `systemMessage`. Or it refuses a call and says why only there.

## Why
Claude Code shows `systemMessage` to the person. The model never reads it and cannot act on it. After a refusal without
a reason, it does not know what was wrong and tries the same in another way.

## Example
```json
{"systemMessage": "You must run the tests before you commit"}
```

## Fix
```json
{"hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": "Run the tests before you commit"}}
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from interlock.hook_lint.answers import answers_of
from interlock.hook_lint.finding import LintFinding, at
from interlock.hook_lint.program import ANY_KEY
from interlock.hook_lint.wiring import HookSubject

CODE = "IL302"
ABOUT = "hook"
# What is said to a model: an order, and the tools or the code that it works with.
_FOR_THE_MODEL = re.compile(
    r"\b(?:you (?:must|should|need to|have to|are (?:not )?(?:allowed|required))|do not (?:use|edit|run|write|modify)|"
    r"use the \w+ tool|before (?:you )?(?:continu|commit|proceed|edit)\w*|claude (?:must|should))\b",
    re.IGNORECASE,
)
# Where the model reads the reason of a refusal. That of a refused prompt is for the person.
_EXPLAINED = frozenset({"PreToolUse", "PostToolUse", "PostToolUseFailure", "Stop", "SubagentStop"})


def find(subject: HookSubject) -> Iterator[LintFinding]:
    """Every such message that is the only thing a hook says, or the only reason that it gives."""
    for ending, said in answers_of(subject.program):
        if ending.code == 2 or subject.program.mode == "permission":
            continue
        if _EXPLAINED.issuperset(subject.events) and _explains_refusal(said.value):
            message = "the model is not told why: only the person sees `systemMessage`"
            help = "say why in `permissionDecisionReason`, or in `reason` next to `decision`"
            yield at(CODE, subject.program, said.span, message, help, severity="warning")
        elif _is_lost_advice(said.value):
            message = "only the person sees `systemMessage`; the model never reads it"
            yield at(CODE, subject.program, said.span, message, "use `additionalContext`", severity="warning")


def _explains_refusal(said: Mapping[str, Any]) -> bool:
    """Whether an answer refuses, and what it says is in `systemMessage` alone."""
    part = said.get("hookSpecificOutput", {})
    if not isinstance(part, dict) or ANY_KEY in said or ANY_KEY in part or not said.get("systemMessage"):
        return False
    refuses = said.get("decision") == "block" or part.get("permissionDecision") == "deny"
    return refuses and not (said.get("reason") or part.get("permissionDecisionReason") or part.get("additionalContext"))


def _is_lost_advice(said: Mapping[str, Any]) -> bool:
    text, part = said.get("systemMessage"), said.get("hookSpecificOutput")
    told = isinstance(part, dict) and (part.get("additionalContext") or part.get("permissionDecision"))
    if not isinstance(text, str) or told or said.get("decision") is not None:
        return False
    return _FOR_THE_MODEL.search(text) is not None
