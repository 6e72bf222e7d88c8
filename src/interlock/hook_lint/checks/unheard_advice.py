"""The model never reads this

## What
A hook prints advice for the model, or a warning about a call, on stdout or stderr, and ends with exit code 0. Or it
prints on PostCompact what the model is to remember.

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
from interlock.hook_lint.intent import asks_to_act
from interlock.hook_lint.program import Ending, HookProgram, OutputPart, Span
from interlock.hook_lint.wiring import HookSubject

CODE = "IL301"
ABOUT = "hook"
_HEARD = frozenset({"SessionStart", "UserPromptSubmit", "UserPromptExpansion", "PostModelSwitch", "PreCompact"})
_MANY_WORDS = 8
_WARNS = re.compile(
    r"⚠|\b(?:warn(?:ing)?|caution|attention|aviso|achtung|attenzione|uwaga)\b|경고|警告|注意", re.IGNORECASE
)
_OF_ITSELF = re.compile(
    r"not (?:found|installed|available|set|exist)|missing|unexpected|could ?n[o']t|cannot|ignor|skipp|fail|error"
    r"|invalid|unknown|time[d]?[ -]?out|unavailable|does ?n[o']t exist|no such",
    re.IGNORECASE,
)


def find(subject: HookSubject) -> Iterator[LintFinding]:
    """Every advice that is printed where the model reads nothing, and every warning about a call that runs."""
    program = subject.program
    if program.mode != "command" or not subject.wires:
        return
    if "PostCompact" in subject.events:
        yield from _after_compaction(program)
    if any(event in _HEARD for event in subject.events):
        return
    if not all("context" in effects_of(event) for event in subject.events):
        return
    seen: set[Span] = set()
    for ending in program.endings:
        if ending.code != 0 or ending.how == "raise" or answer_in(ending) is not None or says_no(ending) is not None:
            continue
        said = next((one for one in ending.on("stdout", "stderr") if _is_for_the_model(one, ending, subject)), None)
        if said is not None and said.span not in seen:
            message = f"on {subject.events[0]} the model never reads this"
            yield at(CODE, program, said.span, message, "answer with `additionalContext`", severity="warning")
        if said is not None:
            seen |= {one.span for one in ending.said}  # the rest of the same advice


def _is_for_the_model(said: OutputPart, ending: Ending, subject: HookSubject) -> bool:
    if said.value is not UNSET:
        return False
    return asks_to_act(said.text) or (subject.events == ("PreToolUse",) and _warns_of_call(ending, said.text))


def _warns_of_call(ending: Ending, text: str) -> bool:
    """Whether a way warns about what a call would do, and not about the hook itself."""
    about_call = ending.found and ending.paths and not ending.is_default and not ending.on_error
    return bool(about_call) and _WARNS.search(text) is not None and _OF_ITSELF.search(text) is None


def _after_compaction(program: HookProgram) -> Iterator[LintFinding]:
    """What is printed to bring the context back."""
    for ending in program.endings:
        if ending.code != 0 or ending.how == "raise" or answer_in(ending) is not None:
            continue
        said = [one for one in ending.on("stdout") if one.value is UNSET]
        if sum(len(one.text.split()) for one in said) >= _MANY_WORDS:
            help = "print it on SessionStart, which comes after a compaction too, with the matcher `compact`"
            yield at(CODE, program, said[0].span, "on PostCompact the model never reads this", help, severity="warning")
            return
