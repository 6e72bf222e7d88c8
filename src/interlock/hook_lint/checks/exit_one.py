"""A hook says no and ends with an exit code that does not block

## What
A hook prints a refusal and ends with 1, or with any other code but 2, on an event that a hook can stop.

## Why
For Claude Code only exit code 2 is a refusal. Any other code but 0 is a "non-blocking error": the person sees a short
notice, the model sees nothing, and the call runs.

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

from collections.abc import Iterator

from interlock.hook_lint.fate import EXIT_TWO_BLOCKS, fate_of, says_no
from interlock.hook_lint.finding import LintFinding, at
from interlock.hook_lint.guarding import is_meant_as_refusal
from interlock.hook_lint.intent import is_meant_to_block, is_only_a_warning
from interlock.hook_lint.rewording import exit_two
from interlock.hook_lint.wiring import HookSubject

CODE = "IL201"
ABOUT = "hook"
FIXES = True


def find(subject: HookSubject) -> Iterator[LintFinding]:
    """Every refusal that ends with the wrong code."""
    program = subject.program
    events = [event for event in subject.events if event in EXIT_TWO_BLOCKS]
    if program.mode != "command" or not events:
        return
    for ending in program.endings:
        # The last command has its code too; what it is about is known by words alone.
        if (
            not (ending.how == "exit" or (ending.how == "command" and says_no(ending)))
            or ending.code in (None, 0, 2)
            or is_only_a_warning(program, ending.span)
        ):
            continue
        if any(fate_of(event, ending, program).does != "nothing" for event in events):
            continue
        if is_meant_as_refusal(ending) or (not ending.on_error and is_meant_to_block(program, ending.span)):
            yield at(
                CODE,
                program,
                ending.span,
                f"exit code {ending.code} does not stop anything: the call runs",
                "end with 2, and say why on stderr",
                fix=exit_two(program, ending.span, ending.code) if ending.how == "exit" else None,
            )
