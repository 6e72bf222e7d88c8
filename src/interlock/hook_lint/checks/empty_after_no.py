"""A hook says no only in its log, so the call runs

## What
A hook prints or logs a refusal, and then succeeds without an answer: exit code 0 and no JSON, or `return {}`. Or a
script exits with 2 inside a subshell, such as a loop behind a pipe. That ends the subshell, and the script goes on.

## Why
Only the answer and the exit code count. A hook that succeeds without an answer has no objection, whatever it has
printed. The log says "blocked", but the call ran.

## Example
```python
async def block_delete(input_data, tool_use_id, context):
    if input_data["tool_name"] == "delete_account":
        print("Blocked delete_account!")
    return {}
```

## Fix
```python
async def block_delete(input_data, tool_use_id, context):
    if input_data["tool_name"] == "delete_account":
        return {
            "hookSpecificOutput": {
                "hookEventName": "PreToolUse",
                "permissionDecision": "deny",
                "permissionDecisionReason": "Accounts are deleted by people.",
            }
        }
    return {}
```
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from msgspec import UNSET

from interlock.hook_lint.fate import EXIT_TWO_BLOCKS, answer_in, fate_of, says_no
from interlock.hook_lint.finding import LintFinding, at
from interlock.hook_lint.intent import hands_on
from interlock.hook_lint.wiring import HookSubject

CODE = "IL203"
ABOUT = "hook"
# Where a refusal is sure to be meant; elsewhere the same words report what happened.
_HEARD = frozenset({"UserPromptSubmit", "UserPromptExpansion"})
_MANY_LINES = 4
_ASKS_CODE = re.compile(r"\$\?|PIPESTATUS|\bwait\b")
_INSTEAD_OF_SUBSHELL = "feed the loop with `done < <(…)` instead of a pipe, or end the hook behind it: `… || exit 2`"
_EVENTS = ("PreToolUse", "PermissionRequest", "UserPromptSubmit", "UserPromptExpansion")


def find(subject: HookSubject) -> Iterator[LintFinding]:
    """Every refusal in words that is followed by no answer, and every exit with 2 that ends only a subshell."""
    found = [*_lost_exits(subject)]
    yield from found
    yield from () if found else _refusals_in_words(subject)


def _lost_exits(subject: HookSubject) -> Iterator[LintFinding]:
    program = subject.program
    events = [event for event in subject.events if event in EXIT_TWO_BLOCKS]
    if not events or _ASKS_CODE.search(program.own_text):
        return
    lost = {span for ending in program.endings if ending.code == 0 and not ending.on_error for span in ending.lost
            if all(fate_of(event, ending, program).does == "nothing" for event in events)}  # fmt: skip
    for span in sorted(lost, key=lambda span: span.start):
        message = "this ends only the subshell that it is in: the hook goes on, and refuses nothing"
        yield at(CODE, program, span, message, _INSTEAD_OF_SUBSHELL)


def _refusals_in_words(subject: HookSubject) -> Iterator[LintFinding]:
    program = subject.program
    events = [event for event in subject.events if event in _EVENTS]
    if not events or program.mode == "permission":
        return
    # A record of every call is written before the decision, and says only what that will be.
    recorded = {said.span for ending in program.endings if ending.code != 0 for said in ending.on("log")}
    for ending in program.endings:
        if ending.how == "raise" or ending.code != 0 or ending.on_error:
            continue
        answer = answer_in(ending)
        said = says_no(ending)
        if said is None or said is answer or said.span in recorded or (answer is not None and answer.value):
            continue
        if hands_on(said.text) or (said.stream == "stdout" and _is_context(said.text, events)):
            continue
        if said.stream in ("stdout", "return") and said.value is not UNSET:
            continue  # an answer that something else on stdout makes unreadable
        if all(fate_of(event, ending, program).does == "nothing" for event in events):
            instead = "return a deny" if program.mode == "callback" else "exit with 2, or print a deny as JSON"
            yield at(
                CODE, program, said.span, "this refuses nothing: the hook then succeeds, and the call runs", instead
            )


def _is_context(text: str, events: Collection[str]) -> bool:
    """Whether it is what the model is told beside a prompt: that is long, and says "blocked" of something else."""
    return _HEARD.issuperset(events) and text.strip().count("\n") >= _MANY_LINES
