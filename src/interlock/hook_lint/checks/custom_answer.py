"""An answer with made-up keys means nothing

## What
A hook refuses a call with JSON whose keys Claude Code does not know, such as `blocked`, `error` or `message`. Or it
answers with a key that Claude Code knows, and puts all its words into others.

## Why
The client reads `hookSpecificOutput`, `decision`, `reason`, `continue`, `stopReason` and `systemMessage`. It leaves out
every other key and says nothing about it, so the answer is empty and the call runs, or
nobody reads what it says.

## Example
```json
{"blocked": true, "error": "rm -rf is not allowed"}
```

## Fix
```json
{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny",
                        "permissionDecisionReason": "rm -rf is not allowed"}}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from interlock.effect import effects_of
from interlock.hook_lint.answers import answers_of
from interlock.hook_lint.fate import TOP_KEYS, fate_of, says_no
from interlock.hook_lint.finding import LintFinding, at
from interlock.hook_lint.program import ANY_KEY
from interlock.hook_lint.wiring import HookSubject

CODE = "IL204"
ABOUT = "hook"
_ELSEWHERE = frozenset({"permissionDecision", "permissionDecisionReason", "updatedInput"})  # IL205
_TELLING = frozenset({"error", "message", "reason", "msg", "success", "ok"})  # of a failure of the hook itself too
# Keys of words, none of which the client reads at the top of an answer.
_WORDS = ("message", "msg", "feedback", "suggestion", "suggestions", "warning", "warnings", "explanation", "advice",
          "recommendation", "recommendations", "hint", "details", "error")  # fmt: skip
_WORDLESS = frozenset({"decision", "continue", "suppressOutput"})
_SPOKEN = TOP_KEYS - _WORDLESS
_OF_CALL = ("tool_input", "prompt", "tool_response")


def find(subject: HookSubject) -> Iterator[LintFinding]:
    """Every answer without a single key that the client reads, which seems to refuse the call."""
    program = subject.program
    yield from _unread_words(subject)
    if not any("deny" in effects_of(event) for event in subject.events):
        return
    for ending, said in answers_of(program):
        keys = set(said.value)
        if not keys or ANY_KEY in keys or keys & (TOP_KEYS | _ELSEWHERE):
            continue
        if keys <= _TELLING:
            refuses = not ending.on_error and any(path[0] in _OF_CALL for path in ending.paths if path)
        else:
            refuses = says_no(ending) is said or (bool(ending.paths) and bool(keys & _TELLING))
        if refuses and all(fate_of(event, ending, program).does == "nothing" for event in subject.events):
            shown = ", ".join(f"`{key}`" for key in said.value)
            message = f"Claude Code reads none of these keys: {shown}; the call runs"
            yield at(CODE, program, said.span, message, "answer with `hookSpecificOutput` and a `permissionDecision`")


def _unread_words(subject: HookSubject) -> Iterator[LintFinding]:
    """Every answer with a key that the client reads, and with words only where it reads none."""
    if subject.program.mode == "permission":
        return
    for ending, said in answers_of(subject.program):
        keys = set(said.value)
        if ending.code == 2 or ANY_KEY in keys or not keys & _WORDLESS or keys & (_SPOKEN | _ELSEWHERE):
            continue
        unread = [key for key in _WORDS if said.value.get(key)]
        if unread and said.value.get("decision") in (None, "approve", "block"):
            message = f"Claude Code leaves out `{unread[0]}`, so it is never read"
            help = "say it in `reason` or `systemMessage`, or to the model in `additionalContext`"
            yield at(CODE, subject.program, said.span, message, help, severity="warning")
