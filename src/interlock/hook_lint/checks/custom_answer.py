"""An answer with made-up keys means nothing

## What
A hook refuses a call with JSON whose keys Claude Code does not know, such as `blocked`, `error` or `message`. Or its
message is only under such keys: `context`, `additionalContext` at the top level, `outputToAssistant`, or in a
`hookSpecificOutput` on an event that has none.

## Why
Claude Code reads `hookSpecificOutput`, `decision`, `reason`, `continue`, `stopReason` and `systemMessage`. It ignores
every other key without saying so. The answer is then empty and the call runs, or nobody reads the message.

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

from collections.abc import Iterator, Mapping
from typing import Any

from interlock.effect import effects_of
from interlock.hook_lint.answers import answers_of
from interlock.hook_lint.fate import TOP_KEYS, fate_of, says_no
from interlock.hook_lint.finding import LintFinding, at
from interlock.hook_lint.intent import asks_to_act
from interlock.hook_lint.program import ANY_KEY, UNKNOWN, Span
from interlock.hook_lint.wiring import HookSubject
from interlock.hosts.claude_code.outputs import OUTPUTS

CODE = "IL204"
ABOUT = "hook"
_ELSEWHERE = frozenset({"permissionDecision", "permissionDecisionReason", "updatedInput"})  # IL205
_TELLING = frozenset({"error", "message", "reason", "msg", "success", "ok"})  # of a failure of the hook itself too
# Keys of words, none of which the client reads at the top of an answer.
_WORDS = ("message", "msg", "feedback", "suggestion", "suggestions", "warning", "warnings", "explanation", "advice",
          "recommendation", "recommendations", "hint", "details", "error")  # fmt: skip
# Keys in which people put what the model is to know.
_CONTEXT = ("additionalContext", "additional_context", "context", "outputToAssistant", "systemPrompt", "inject")
_WORDLESS = frozenset({"decision", "continue", "suppressOutput"})
_SPOKEN = TOP_KEYS - _WORDLESS
_OF_CALL = ("tool_input", "prompt", "tool_response")
_FEWEST_WORDS = 3


def find(subject: HookSubject) -> Iterator[LintFinding]:
    """Every answer that seems to refuse the call, or has words, without a single key for it that the client reads."""
    seen: set[Span] = set()
    for said, message, help in _unread_refusals(subject):
        seen.add(said)
        yield at(CODE, subject.program, said, message, help)
    yield from _unread_words(subject, seen)


def _unread_refusals(subject: HookSubject) -> Iterator[tuple[Span, str, str]]:
    if not any("deny" in effects_of(event) for event in subject.events):
        return
    for ending, said in answers_of(subject.program):
        keys = set(said.value)
        if not keys or ANY_KEY in keys or keys & (TOP_KEYS | _ELSEWHERE):
            continue
        if keys <= _TELLING:
            refuses = not ending.on_error and any(path[0] in _OF_CALL for path in ending.paths if path)
        else:
            refuses = says_no(ending) is said or (bool(ending.paths) and bool(keys & _TELLING))
        if refuses and all(fate_of(event, ending, subject.program).does == "nothing" for event in subject.events):
            shown = ", ".join(f"`{key}`" for key in said.value)
            message = f"Claude Code reads none of these keys: {shown}; the call runs"
            yield said.span, message, "answer with `hookSpecificOutput` and a `permissionDecision`"


def _unread_words(subject: HookSubject, seen: set[Span]) -> Iterator[LintFinding]:
    """Every answer with words only where the client reads none."""
    if subject.program.mode == "permission":
        return
    for ending, said in answers_of(subject.program):
        if ending.code == 2 or said.span in seen:
            continue
        unread, help = _unread_key(said.value, subject)
        if unread:
            seen.add(said.span)
            message = f"Claude Code ignores `{unread}`, so nobody reads it"
            yield at(CODE, subject.program, said.span, message, help, severity="warning")


def _unread_key(said: Mapping[str, Any], subject: HookSubject) -> tuple[str, str]:
    """The key with words that the client does not read, and what to do instead; empty if there is none."""
    keys = set(said)
    part = said.get("hookSpecificOutput")
    inner = part if isinstance(part, dict) else {}
    has_context = any("context" in effects_of(event) for event in subject.events)
    help = "say it in `reason` or `systemMessage`, or to the model in `additionalContext`"
    inside = 'put it into "hookSpecificOutput", as `additionalContext`' if has_context else "say it in `systemMessage`"
    if "additionalContext" in keys and not inner and has_context:
        return "", ""  # IL205
    if keys & (_SPOKEN - {"hookSpecificOutput"} | _ELSEWHERE) or said.get("decision") not in (None, "approve", "block"):
        return "", ""
    if inner:
        return (_unread_inside(inner, subject.events), inside) if ANY_KEY not in inner else ("", "")
    if keys & _WORDLESS and ANY_KEY not in keys:
        return next((key for key in _WORDS if said.get(key)), ""), help
    if not subject.wires or keys & TOP_KEYS:
        return "", ""
    for key, value in said.items():
        if (key in _CONTEXT and value and ANY_KEY not in keys) or (key in _WORDS and asks_to_act(value)):
            return key, inside
    return "", ""


def _unread_inside(part: Mapping[str, Any], events: tuple[str, ...]) -> str:
    """The key with words in the part of one event, if none of its keys is one that the client reads there."""
    known = {name for event in events if event in OUTPUTS for name in OUTPUTS[event].__struct_encode_fields__}
    if known & part.keys() or _ELSEWHERE & part.keys() or "decision" in part or not part.get("hookEventName"):
        return ""
    words = (key for key, value in part.items() if key != "hookEventName" and _may_be_words(value))
    return next((f"hookSpecificOutput.{key}" for key in words), "")


def _may_be_words(value: Any) -> bool:
    return value is UNKNOWN or (isinstance(value, str) and len(value.split()) >= _FEWEST_WORDS)
