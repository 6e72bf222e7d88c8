"""A pattern that begins with a dash is taken for an option

## What
A hook gives grep a pattern such as `--force` or `-rf` without `-e` or `--` in front of it.

## Why
grep takes it for an option and fails, and an `if` takes that for "not found". So the pattern is never found.

## Example
```sh
for pattern in "rm -rf" "--no-verify"; do
  if echo "$command" | grep -qF "$pattern"; then exit 2; fi
done
```

## Fix
```sh
for pattern in "rm -rf" "--no-verify"; do
  if echo "$command" | grep -qF -- "$pattern"; then exit 2; fi
done
```
"""

from __future__ import annotations

from collections.abc import Iterator

from interlock.hook_lint.finding import LintFinding, at
from interlock.hook_lint.wiring import HookSubject

CODE = "IL603"
ABOUT = "hook"


def find(subject: HookSubject) -> Iterator[LintFinding]:
    """Every search for such a pattern, each place once."""
    program = subject.program
    seen = set()
    for use in program.patterns:
        if use.option_like and use.span not in seen:
            seen.add(use.span)
            message = f"grep takes `{use.text}` for an option, so it is never found"
            yield at(CODE, program, use.span, message, "put -- or -e in front of the pattern")
