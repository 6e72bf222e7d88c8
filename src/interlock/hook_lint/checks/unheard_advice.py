"""The model never reads this

## What
A hook prints advice for the model on stdout or stderr, and ends with exit code 0.

## Why
The model reads what a hook prints only on SessionStart, UserPromptSubmit and UserPromptExpansion. Elsewhere, text on
stdout goes to a debug log, and stderr is thrown away if the hook ends with 0.

## Example
```sh
echo "Remember to run the tests after this edit"
exit 0
```

## Fix
```sh
echo '{"hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": "Run the tests after this edit"}}'
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import UNSET

from interlock.effect import effects_of
from interlock.hook_lint.fate import answer_in, says_no
from interlock.hook_lint.finding import LintFinding, at
from interlock.hook_lint.program import Ending, OutputPart
from interlock.hook_lint.wiring import HookSubject

CODE = "IL301"
ABOUT = "hook"
_HEARD = frozenset({"SessionStart", "UserPromptSubmit", "UserPromptExpansion", "PostModelSwitch", "PreCompact"})
# Words that ask a reader to act, as an entry in a log does not.
_ADVICE = re.compile(
    r"\b(?:please|remember to|make sure|consider|you (?:should|must|need to|can|may want to)|don't forget|"
    r"do not forget|be sure to|try to|instead of|use \S+ instead|should be (?:run|updated|used|added)|suggestion|"
    r"reminder|tip|hint)\b",
    re.IGNORECASE,
)
# How a warning begins.
_WARNING = re.compile(
    r"^(?:\s*\[[^\]]*\])?(?:\W*(?:warn(?:ing)?|caution|attention)\b|\s*⚠)"
    # Not that the hook itself lacks something.
    r"(?!\W*(?:warn(?:ing)?\W*)?(?:no|missing|could(?: no|n')t|cannot|can't|failed|unable|skip\w*|invalid)\b)",
    re.IGNORECASE | re.MULTILINE,
)


def find(subject: HookSubject) -> Iterator[LintFinding]:
    """Every advice that is printed where the model reads nothing."""
    program = subject.program
    if program.mode != "command" or not subject.wires or any(event in _HEARD for event in subject.events):
        return
    if not all("context" in effects_of(event) for event in subject.events):
        return
    seen = set()
    for ending in program.endings:
        if ending.code != 0 or ending.how == "raise" or answer_in(ending) is not None or says_no(ending) is not None:
            continue
        for said in ending.on("stdout", "stderr"):
            if said.value is UNSET and said.span not in seen and (_ADVICE.search(said.text) or _warns(ending, said)):
                seen.add(said.span)
                message = f"on {subject.events[0]} the model never reads this"
                yield at(CODE, program, said.span, message, "answer with `additionalContext`", severity="warning")


def _warns(ending: Ending, said: OutputPart) -> bool:
    """Whether a text warns of the call itself, and not of something that the hook lacks."""
    return bool(ending.paths) and not ending.on_error and _WARNING.search(said.text) is not None
