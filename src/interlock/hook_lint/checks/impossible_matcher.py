"""A hook whose matcher matches nothing never runs

## What
A matcher names a tool that does not exist, or a value that the event never has; or it is not a regular expression.

## Why
Names are compared exactly, with capitals. For Claude Code, a matcher that matches nothing is not an error: the hook
just never runs.

## Example
```json
{"PreToolUse": [{"matcher": "bash", "hooks": [{"type": "command", "command": "./guard.sh"}]}]}
```

## Fix
```json
{"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "./guard.sh"}]}]}
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from interlock.errors import suggest
from interlock.facts.tools import known_tools
from interlock.hook_lint.finding import Fix, FixEdit, LintFinding, about
from interlock.hook_lint.matchers import BY_TOOL, VALUES, exact_names, groups_of
from interlock.hook_lint.wiring import SettingsSubject

CODE = "IL409"
ABOUT = "settings"
FIXES = True


def find(subject: SettingsSubject) -> Iterator[LintFinding]:
    """Every matcher of which no part can ever fit."""
    for event, matcher, node in groups_of(subject):
        names = exact_names(matcher)
        if names is None:
            if event in BY_TOOL and (why := _error_in(matcher)):
                yield about(
                    CODE, subject.file, node, f"`{matcher}` is not a regular expression ({why}), so it never matches"
                )
            continue
        known = known_tools() if event in BY_TOOL else VALUES.get(event)
        if known is None or not names or any(name in known or _may_be(name, event) for name in names):
            continue
        near = [suggest(name, known) for name in names]
        meant = "|".join(dict.fromkeys(name for name in near if name))
        what = "tool" if event in BY_TOOL else f"{event} event"
        message = f"no {what} is called {' or '.join(f'`{name}`' for name in names)}, so this hook never runs"
        fix = Fix(f"write `{meant}`", subject.file, (FixEdit(node.start, node.end, f'"{meant}"'),))
        sure = [str(name).lower() for name in near] == [name.lower() for name in names]
        help = (
            f"did you mean `{meant}`?"
            if meant
            else f"it can be {', '.join(f'`{one}`' for one in VALUES.get(event, ()))}"
        )
        yield about(
            CODE, subject.file, node, message, "" if event in BY_TOOL and not meant else help, fix=fix if sure else None
        )


def _may_be(name: str, event: str) -> bool:
    """Whether a name may belong to a tool that Interlock does not know: one of a server, or a new one of the client."""
    return event in BY_TOOL and (name.startswith("mcp__") or (name[:1].isupper() and name.isalnum()))


def _error_in(matcher: str) -> str:
    if matcher.startswith(("*", "+", "?")):
        return "nothing to repeat"
    opened = len(re.findall(r"(?<!\\)\[", matcher)), len(re.findall(r"(?<!\\)\]", matcher))
    return "a bracket is not closed" if opened[0] > opened[1] else ""
