"""A hook says no, but its exit code does not block

## What
A hook prints a refusal and exits with 1, or any other code but 2, on an event that a hook can stop.

## Why
For Claude Code, only exit code 2 is a refusal. Any other code except 0 is a "non-blocking error": the person sees a
short notice, the model sees nothing, and the call runs.

## Example
```sh
if [[ "$command" == *"rm -rf"* ]]; then
  echo "Blocked: rm -rf" >&2
  exit 1
fi
```

## Fix
```sh
if [[ "$command" == *"rm -rf"* ]]; then
  echo "Blocked: rm -rf" >&2
  exit 2
fi
```
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from interlock.hook_lint.fate import EXIT_TWO_BLOCKS, fate_of, says_no
from interlock.hook_lint.finding import LintFinding, at
from interlock.hook_lint.guarding import is_meant_as_refusal
from interlock.hook_lint.intent import is_meant_to_block, is_only_a_warning
from interlock.hook_lint.program import Ending, HookProgram
from interlock.hook_lint.rewording import exit_two
from interlock.hook_lint.wiring import HookSubject

CODE = "IL201"
ABOUT = "hook"
FIXES = True

_CALLS = frozenset({"PreToolUse", "PermissionRequest"})
_PROMPTS = frozenset({"UserPromptSubmit", "UserPromptExpansion"})
_JUDGED = _CALLS | _PROMPTS
_STOPS = frozenset({"Stop", "SubagentStop", "TaskCompleted", "TeammateIdle"})
# What is said to an agent that is not to stop yet.
_NOT_YET = re.compile(
    r"\b(?:cannot|can't|can not|must not|may not) (?:\w+ )?(?:end|stop|finish|complete|close|exit|proceed)|"
    r"\b(?:incomplete|unfinished|uncommitted)\b|not (?:yet )?(?:complete[d]?|finished|done|passing)\b|"
    r"\btests? (?:are |is |have )?fail|\bbefore (?:you )?(?:stop|end|finish|complet)\w*|\bmust be (?:\w+ )?before\b",
    re.IGNORECASE,
)


def find(subject: HookSubject) -> Iterator[LintFinding]:
    """Every refusal that ends with the wrong code."""
    program = subject.program
    events = [event for event in subject.events if event in EXIT_TWO_BLOCKS]
    if program.mode != "command" or not events:
        return
    for ending in program.endings:
        if ending.code in (None, 0, 2) or is_only_a_warning(program, ending.span, ending.code):
            continue
        if any(fate_of(event, ending, program).does != "nothing" for event in events):
            continue
        if _is_refusal(ending, program, events):
            yield at(
                CODE,
                program,
                ending.span,
                f"exit code {ending.code} does not stop anything: {_outcome(events)}",
                "exit with 2, and say why on stderr",
                fix=exit_two(program, ending.span, ending.code) if ending.how == "exit" else None,
            )


def _outcome(events: Collection[str]) -> str:
    if _STOPS.issuperset(events):
        return "the agent stops"
    if _PROMPTS.issuperset(events):
        return "the prompt is sent"
    return "the call runs" if not _CALLS.isdisjoint(events) else "everything goes on"


def _is_refusal(ending: Ending, program: HookProgram, events: Collection[str]) -> bool:
    says = says_no(ending) is not None
    if ending.how != "exit":
        # The last command has its code too; what it is about is known by words alone.
        return ending.how == "command" and says
    if not _JUDGED.isdisjoint(events):
        return is_meant_as_refusal(ending) or (not ending.on_error and is_meant_to_block(program, ending.span))
    return says or (_STOPS.issuperset(events) and _holds_back(ending))


def _holds_back(ending: Ending) -> bool:
    """Whether a way tells the agent what is left to do. There is no call that it could refuse."""
    said = " ".join(one.text for one in ending.on("stderr", "stdout"))
    return bool(ending.when) and not ending.on_error and _NOT_YET.search(said) is not None
