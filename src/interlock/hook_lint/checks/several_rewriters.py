"""If several hooks change one call, one of them wins by chance

## What
Two hooks of one event change the input of the same tool.

## Why
Hooks run at the same time, each on the call as the model wrote it. The answer of the one that finishes last replaces
the others: a redirection into a sandbox is undone by a hook that adds a flag.

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
        program = subject.programs.get(wire.script.resolve()) if wire.script is not None else None
        if program is None or wire.event != "PreToolUse":
            continue
        if all(updated_input(said.value) is None for _, said in answers_of(program)):
            continue
        other = next((one for one in before if one.script != wire.script and _meet(one.matcher, wire.matcher)), None)
        before.append(wire)
        if other is not None and other.script is not None:
            message = f"this changes the same calls as `{other.script.name}`, and the last to finish wins"
            found = about_wire(CODE, wire, "command", message, "make all changes in one hook")
            if found is not None:
                yield found


def _meet(first: str | None, second: str | None) -> bool:
    """Whether two matchers surely share a tool."""
    names = [exact_names(matcher or "") for matcher in (first, second)]
    if any(one == () for one in names):
        return True
    return first == second or (None not in names and bool({*(names[0] or ())} & {*(names[1] or ())}))
