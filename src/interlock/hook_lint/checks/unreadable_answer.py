"""An answer with other text around it is not read

## What
A hook prints something else on stdout besides its one JSON object: a log line before it, or a second object.

## Why
Unless stdout begins with `{` and is one JSON object, the client takes it for plain text. On most events plain text is
thrown away: a deny in it has no effect.

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
from interlock.hook_lint.wiring import HookSubject

CODE = "IL214"
ABOUT = "hook"


def find(subject: HookSubject) -> Iterator[LintFinding]:
    """Every text, or second object, on the way to an answer."""
    program = subject.program
    seen = set()
    for ending in program.endings if program.mode == "command" else ():
        said = [one for one in ending.on("stdout") if one.value is not UNSET or one.text.strip()]
        answers = [one for one in said if isinstance(one.value, dict) and set(one.value) & TOP_KEYS]
        if len(said) < 2 or not answers or ending.code == 2:
            continue
        other = next(one for one in said if one is not answers[0])
        if other.span not in seen and (other.value is not UNSET or other.text.strip(" …\n")):
            seen.add(other.span)
            message = "with this on stdout, the client does not read the JSON beside it"
            yield at(CODE, program, other.span, message, "write it to stderr, or to a file")
