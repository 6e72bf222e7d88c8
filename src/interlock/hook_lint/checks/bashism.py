"""A hook that /bin/sh runs uses features of bash

## What
A script whose first line names `sh`, a script that an entry starts with `sh`, or a command in the settings uses
`[[ … ]]`, arrays, `<<<` or anything else that a plain POSIX shell does not have.

## Why
Commands in settings run under `/bin/sh`, whatever shell the person uses. On Debian and Ubuntu that is dash. To dash,
`[[` is a program that does not exist, so the condition is false and the guard lets everything through. Other forms are
a `Syntax error` and exit with 2, which refuses every call.

## Example
```sh
#!/bin/sh
if [[ "$command" == *"rm -rf"* ]]; then exit 2; fi
```

## Fix
```sh
#!/bin/bash
if [[ "$command" == *"rm -rf"* ]]; then exit 2; fi
```
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from interlock.hook_lint.finding import LintFinding, at
from interlock.hook_lint.program import HookProgram
from interlock.hook_lint.rewording import first_line
from interlock.hook_lint.wiring import HookSubject, HookWire

CODE = "IL505"
ABOUT = "hook"
FIXES = True
_PLAIN = frozenset({"sh", "dash", "ash", "busybox", "posh"})
_SHELLS = _PLAIN | {"bash", "zsh", "ksh", "mksh"}


def find(subject: HookSubject) -> Iterator[LintFinding]:
    """The first such form of a program that a plain shell runs."""
    program = subject.program
    if not program.beyond_posix:
        return
    shells = [_shell_of(program, wire) for wire in subject.wires] or [program.shell]
    if not any(shell in _PLAIN for shell in shells):
        return
    first, *others = program.beyond_posix
    also = ", ".join(f"`{form.name}`" for form in others[:3])
    message = f"`sh` runs this, and it has no `{first.name}`" + (f" (nor {also})" if also else "")
    help = "begin the script with #!/bin/bash" if program.shell else "start it with bash: bash -c '…', or bash FILE"
    started = [_shell_before(wire) for wire in subject.wires]
    fix = first_line(program, "#!/bin/bash") if not any(started) else None
    yield at(CODE, program, first.span, message, help, fix=fix)


def _shell_of(program: HookProgram, wire: HookWire) -> str:
    """The shell that runs a program under an entry."""
    if wire.script is None or PurePath(program.file) == PurePath(wire.file):
        return str(wire.handler.get("shell") or "sh")
    return _shell_before(wire) or program.shell or "sh"


def _shell_before(wire: HookWire) -> str:
    """The shell that an entry names for its script: then the script's first line does not count."""
    for word in wire.words:
        name = PurePath(word).name
        if name in _SHELLS:
            return name
        if wire.script is None or name == wire.script.name:
            break
    return ""
