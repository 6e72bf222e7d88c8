"""If several hooks change one call, one of them wins by chance

## What
Two hooks of one event change the input of the same tool.

## Why
Hooks run at the same time, each on the call as the model wrote it. The answer of the one that finishes last replaces
the others: a hook that adds a flag undoes another one's redirection into a sandbox.

## Example
```json
{"matcher": "Bash", "hooks": [{"type": "command", "command": "./sandbox.py"},
                              {"type": "command", "command": "./flags.py"}]}
```

## Fix
Make all changes in one hook, one after the other.
"""

from __future__ import annotations

from collections.abc import Iterator

from interlock.hook_lint.answers import answers_of, updated_input
from interlock.hook_lint.finding import LintFinding, about_wire
from interlock.hook_lint.matchers import exact_names
from interlock.hook_lint.wiring import HookWire, SettingsSubject

CODE = "IL703"
ABOUT = "settings"


def find(subject: SettingsSubject) -> Iterator[LintFinding]:
    """Every entry whose program changes inputs, after another one for the same tool."""
    before: list[HookWire] = []
    for wire in subject.wires:
        if wire.event != "PreToolUse" or not _rewrites(subject, wire):
            continue
        others = (one for one in before if _what(one) != _what(wire) and _meet(one.matcher, wire.matcher))
        other = next(others, None)
        before.append(wire)
        if other is not None:
            node = other.part("command")
            place = f"the command on line {node.line}" if node is not None else "another command"
            name = f"`{other.script.name}`" if other.script is not None else place
            message = f"this changes the same calls as {name}, and the last to finish wins"
            found = about_wire(CODE, wire, "command", message, "make all changes in one hook")
            if found is not None:
                yield found


def _rewrites(subject: SettingsSubject, wire: HookWire) -> bool:
    """Whether an answer of what an entry starts has a changed input."""
    said = (said for program in subject.programs_of(wire) for _, said in answers_of(program))
    return any(updated_input(one.value) is not None for one in said)


def _what(wire: HookWire) -> object:
    """What an entry runs: the client runs one command once."""
    return wire.script if wire.script is not None else wire.handler.get("command")


def _meet(first: str | None, second: str | None) -> bool:
    """Whether two matchers surely share a tool."""
    names = [exact_names(matcher or "") for matcher in (first, second)]
    if any(one == () for one in names):
        return True
    return first == second or (None not in names and bool({*(names[0] or ())} & {*(names[1] or ())}))
