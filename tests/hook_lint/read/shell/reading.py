"""Short ways to say what was read of a shell program."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

from msgspec import UNSET

from interlock.hook_lint.program import Ending, HookProgram
from interlock.hook_lint.read.shell import read_shell

DENY = (
    '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", '
    '"permissionDecisionReason": "no"}}'
)


def program(text: str, *, first: str = "#!/bin/bash\n") -> HookProgram:
    [found] = read_shell("guard.sh", first + dedent(text))
    return found


def fields(found: HookProgram) -> set[str]:
    """The fields that are read for themselves."""
    return {".".join(read.path) for read in found.reads if read.is_last}


def patterns(found: HookProgram) -> list[tuple[str, str, str]]:
    return [(".".join(use.path), use.how, use.text) for use in found.patterns]


def compared(found: HookProgram) -> dict[str, tuple[str, ...]]:
    return {".".join(one.path): one.values for one in found.comparisons}


def said(ending: Ending) -> list[Any]:
    """What is said: documents as they are, and texts with the stream in front of them."""
    return [f"{one.stream}: {one.text.strip()}" if one.value is UNSET else one.value for one in ending.said]


def ends(found: HookProgram) -> list[tuple[int | None, tuple[str, ...], list[Any]]]:
    """Every end: its code, the conditions on the way, and what has been said."""
    return [(one.code, one.when, said(one)) for one in found.endings]


def codes(text: str) -> list[int | None]:
    return [one.code for one in program(text).endings]
