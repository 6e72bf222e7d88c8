"""What one check says about one hook."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent
from types import ModuleType

from interlock.hook_lint.read import read_programs
from interlock.hook_lint.wiring import HookSubject, HookWire


def guard(text: str, *, event: str = "PreToolUse", name: str = "guard.sh", command: str = "") -> HookSubject:
    """A hook, and the entry that starts it if there is a command."""
    [program] = read_programs(name, dedent(text))
    wires: tuple[HookWire, ...] = ()
    if command:
        script = Path(name) if name in command else None
        file = name if script is None else "settings.json"
        wires = (HookWire(event=event, holder="project", handler={"command": command}, file=file, script=script,
                      words=tuple(command.split())),)  # fmt: skip
    return HookSubject(program=program, wires=wires, events=(event,))


def findings(check: ModuleType, text: str, **more: str) -> list[tuple[int, str]]:
    """The lines that the check complains about, and what it says."""
    return [(one.source.line, one.message) for one in check.find(guard(text, **more))]


def lines(check: ModuleType, text: str, **more: str) -> list[int]:
    return [line for line, _ in findings(check, text, **more)]
