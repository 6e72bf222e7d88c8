"""An answer with other text around it is not read

## What
A hook prints something on stdout besides its one JSON object: a log line before it, or a second object. Or the object
is incomplete, or not valid JSON.

## Why
Unless stdout begins with `{` and is one JSON object, Claude Code takes it for plain text. On most events, plain text is
thrown away, so a deny in it has no effect.

## Example
```python
print("checking", command)
print(json.dumps({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny"}}))
```

## Fix
```python
print("checking", command, file=sys.stderr)
print(json.dumps({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny"}}))
```
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET

from interlock.hook_lint.fate import TOP_KEYS
from interlock.hook_lint.finding import LintFinding, at
from interlock.hook_lint.program import OutputPart
from interlock.hook_lint.wiring import HookSubject

CODE = "IL214"
ABOUT = "hook"
_SURE = ("hookSpecificOutput", "decision", "continue")  # in a text that begins with a brace


def find(subject: HookSubject) -> Iterator[LintFinding]:
    """Every text, or second object, on the way to an answer."""
    program = subject.program
    seen = set()
    for ending in program.endings if program.mode == "command" else ():
        said = [one for one in ending.on("stdout") if one.value is not UNSET or one.text.strip()]
        if len(said) == 1 and _is_broken(said[0]) and ending.code != 2:
            message = "this begins like an answer but is not valid JSON, so Claude Code does not read it"
            yield at(CODE, program, said[0].span, message, "print one whole JSON object")
        answers = [one for one in said if isinstance(one.value, dict) and set(one.value) & TOP_KEYS]
        if len(said) < 2 or not answers or ending.code == 2:
            continue
        other = next(one for one in said if one is not answers[0])
        if other.span not in seen and (other.value is not UNSET or other.text.strip(" …\n")):
            seen.add(other.span)
            message = "because of this text on stdout, Claude Code does not read the JSON"
            yield at(CODE, program, other.span, message, "write it to stderr, or to a file")


def _is_broken(said: OutputPart) -> bool:
    """Whether a text is meant to be an answer. What is known only at run time may complete it."""
    text = said.text.lstrip() if said.value is UNSET else ""
    return text.startswith("{") and "…" not in text and any(f'"{key}"' in text for key in _SURE)
