"""With exit code 2, the model reads stderr but not stdout

## What
A hook exits with 2 and says why only on stdout, as text or in JSON whose keys Claude Code does not know.

## Why
With exit code 2, Claude Code takes the reason from stderr. If nothing is on stderr, the model reads "No stderr output":
the call is refused, but the model does not know why and tries the same in another way.

## Example
```sh
echo "Blocked: $file_path is generated"
exit 2
```

## Fix
```sh
echo "Blocked: $file_path is generated" >&2
exit 2
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from msgspec import UNSET

from interlock.hook_lint.fate import TOP_KEYS, says_no
from interlock.hook_lint.finding import LintFinding, at
from interlock.hook_lint.intent import is_for_another_agent
from interlock.hook_lint.program import ANY_KEY, Ending, OutputPart
from interlock.hook_lint.rewording import on_stderr
from interlock.hook_lint.wiring import HookSubject

CODE = "IL303"
ABOUT = "hook"
FIXES = True
_HEARD = frozenset({"PreToolUse", "PostToolUse", "PostToolUseFailure", "Stop", "SubagentStop", "TeammateIdle"})
_WORDS = re.compile(r"[^\W\d_]{3,}")


def find(subject: HookSubject) -> Iterator[LintFinding]:
    """Every last line on stdout before such an end, if nothing of what the hook says is on stderr."""
    program = subject.program
    if program.mode != "command" or program.unread or not _HEARD.issuperset(subject.events):
        return
    seen = set()
    for ending in program.endings:
        said = _only_on_stdout(ending)
        if said is not None and said.span not in seen and not is_for_another_agent(program, said.span):
            seen.add(said.span)
            message = "with exit code 2, the model reads only stderr, so it never sees this"
            help, fix = "print it to stderr", on_stderr(program, said.span)
            yield at(CODE, program, said.span, message, help, severity="warning", fix=fix)


def _only_on_stdout(ending: Ending) -> OutputPart | None:
    if ending.how == "raise" or ending.code != 2 or ending.on("stderr"):
        return None
    said = ending.on("stdout")
    if not said or any(_may_be_json(one) for one in said):
        return None
    refuses = says_no(ending) is not None or (bool(ending.paths) and not ending.on_error)
    return said[-1] if refuses and (said[-1].value is not UNSET or _WORDS.search(said[-1].text)) else None


def _has_words(value: dict[str, Any]) -> bool:
    return any(isinstance(one, str) and _WORDS.search(one) for one in value.values())


def _may_be_json(said: OutputPart) -> bool:
    text = said.text.lstrip()
    if isinstance(said.value, dict):
        return ANY_KEY in said.value or bool(TOP_KEYS & said.value.keys()) or not _has_words(said.value)
    return said.value is not UNSET or said.by_parts or text.startswith("{") or text.strip(" …\n") == "" or '":' in text
