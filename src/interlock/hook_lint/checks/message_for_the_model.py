"""`systemMessage` is for the person

## What
A hook puts advice for the model into `systemMessage`.

## Why
The client shows `systemMessage` to the person, and the model never reads it. The model cannot act on it.

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
from collections.abc import Iterator

from interlock.hook_lint.answers import answers_of
from interlock.hook_lint.finding import LintFinding, at
from interlock.hook_lint.wiring import HookSubject

CODE = "IL302"
ABOUT = "hook"
# What is said to a model: an order, and the tools or the code that it works with.
_FOR_THE_MODEL = re.compile(
    r"\b(?:you (?:must|should|need to|have to|are (?:not )?(?:allowed|required))|do not (?:use|edit|run|write|modify)|"
    r"use the \w+ tool|before (?:you )?(?:continu|commit|proceed|edit)\w*|claude (?:must|should))\b",
    re.IGNORECASE,
)


def find(subject: HookSubject) -> Iterator[LintFinding]:
    """Every such message that is the only thing a hook says."""
    for ending, said in answers_of(subject.program):
        text = said.value.get("systemMessage")
        part = said.value.get("hookSpecificOutput")
        told = isinstance(part, dict) and (part.get("additionalContext") or part.get("permissionDecision"))
        if not isinstance(text, str) or told or said.value.get("decision") is not None or ending.code == 2:
            continue
        if _FOR_THE_MODEL.search(text):
            message = "`systemMessage` is shown to the person; the model never reads it"
            yield at(CODE, subject.program, said.span, message, "use `additionalContext`", severity="warning")
