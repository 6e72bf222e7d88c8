r"""JSON that is read or written as text breaks at the first quote

## What
A guard cuts the command out of the event with grep, sed or awk, or builds its answer by putting text between quotes.

## Why
In JSON a quote is written as `\"`. A pattern such as `"command":"[^"]*"` stops at the first one: the guard sees `echo `
of `echo "x"; rm -rf /`. An answer with a quote or a newline in its reason is no longer JSON: Claude Code drops it, and
the call runs.

## Example
```sh
command=$(grep -o '"command":"[^"]*"' | cut -d'"' -f4)
echo "{\"decision\": \"block\", \"reason\": \"not allowed: $command\"}"
```

## Fix
```sh
command=$(jq -r '.tool_input.command // empty')
jq -n --arg reason "not allowed: $command" '{decision: "block", reason: $reason}'
```
"""

from __future__ import annotations

from collections.abc import Iterator

from interlock.hook_lint.fate import fate_of
from interlock.hook_lint.finding import LintFinding, at
from interlock.hook_lint.guarding import guards
from interlock.hook_lint.program import InputRead
from interlock.hook_lint.wiring import HookSubject

CODE = "IL604"
ABOUT = "hook"
_FREE_TEXT = frozenset({"command", "content", "new_string", "old_string", "new_source", "prompt", "description", "url"})


def find(subject: HookSubject) -> Iterator[LintFinding]:
    """What a guard reads as text, and every refusal that is put together from pieces."""
    program = subject.program
    if program.mode != "command":
        return
    if guards(subject):
        for read in program.reads:
            if _is_cut(read, program.reads):
                message = f"this stops at the first quote in `{read.path[-1]}`: the rest is not checked"
                yield at(CODE, program, read.span, message, "read the event with jq")
    seen = set()
    for ending in program.endings:
        for said in ending.on("stdout"):
            if not said.by_parts or said.span in seen or ending.code == 2:
                continue
            if any(fate_of(event, ending, program).does in ("denies", "asks") for event in subject.events):
                seen.add(said.span)
                message = "a quote or newline in the inserted text makes this invalid JSON, and the call runs"
                yield at(CODE, program, said.span, message, "make it with jq: jq -n --arg reason \"$reason\" '{…}'")


def _is_cut(read: InputRead, reads: tuple[InputRead, ...]) -> bool:
    """Whether a value is cut out of the JSON in such a way, and nothing reads it otherwise."""
    ends_at_quote = '[^"' in read.by_text.replace("\\", "") and '[^"\\\\' not in read.by_text
    if not ends_at_quote or read.path[-1] not in _FREE_TEXT:
        return False
    return all(one.by_text for one in reads if one.path == read.path)
