"""What an operator makes of a value: `${x#a}`, `${x/a/b}`, `${x^^}`, `${x@Q}`."""

from __future__ import annotations

import re
from typing import Protocol

from interlock.facts.limits import PATTERN_STEPS
from interlock.facts.shell.ansi import ansi_text
from interlock.facts.shell.formats import quote
from interlock.facts.shell.model import UNKNOWN
from interlock.facts.shell.patterns import (
    Pattern,
    changed_case,
    read_pattern,
    replaced,
    without_end,
    without_start,
)

__all__ = ["transform"]

_RUNS = re.compile(r"\$[({]|`|\0")
_IN_PROMPT = re.compile(r"[\\$`!]")
_SLASH = re.compile(r"\\.|(/)", re.DOTALL)


class Payer(Protocol):
    def note(self, reason: str) -> None: ...
    def spend(self, steps: int) -> None: ...


def transform(value: str | None, op: str, argument: str, payer: Payer) -> str | None:
    """The value behind an operator; None if only the run tells. In the argument, `\\` stands before what is quoted."""
    if op == "@":
        return _at(value, argument.strip(), payer)
    if value is None or value.startswith("~") or UNKNOWN in argument:
        return None
    if UNKNOWN in value:
        return _rename(value, op, re.sub(r"\\(.)", r"\1", argument, flags=re.DOTALL))
    if op[0] == "/":
        return _replace(value, op, argument, payer)
    if op not in ("#", "##", "%", "%%", "^", "^^", ",", ",,"):
        return None
    pattern = read_pattern(argument)
    if pattern is None or not _afford(value, pattern, payer):
        return None
    if op[0] in "^,":
        return changed_case(value, op, pattern if argument else None)
    trim = without_start if op[0] == "#" else without_end
    return trim(value, pattern, longest=len(op) > 1)


def _afford(value: str, pattern: Pattern, payer: Payer) -> bool:
    steps = pattern.steps(value)
    if steps > PATTERN_STEPS.most:
        return False
    payer.spend(steps // 256)
    return True


def _replace(value: str, op: str, argument: str, payer: Payer) -> str | None:
    slash = next((found.start() for found in _SLASH.finditer(argument) if found[1]), len(argument))
    old, new = argument[:slash], argument[slash + 1 :]
    if re.search(r"(?<!\\)&", new):
        return None  # what was found, in some shells
    pattern = read_pattern(old)
    if pattern is None or not _afford(value, pattern, payer):
        return None
    return replaced(value, pattern, re.sub(r"\\(.)", r"\1", new, flags=re.DOTALL), op)


def _rename(value: str, op: str, argument: str) -> str | None:
    """A name of which only the folder is known, with its end or a part of it changed: it lies there still."""
    folder, mark, rest = value.partition(f"/{UNKNOWN}")
    old = argument.partition("/")[0] if op in ("/", "//") else argument
    if not mark or rest or re.search(r"[*?\[\\(]", old.removeprefix(".*")) or "/" in old or ".." in argument:
        return None
    keeps = op in ("%", "%%") or (op in ("/", "//") and old != "" and old not in folder)
    return value if keeps else None


def _at(value: str | None, how: str, payer: Payer) -> str | None:
    """`${x@Q}` and its like."""
    if how == "P" and (value is None or _RUNS.search(value)):
        payer.note("a prompt that may run a text")
    if value is None or UNKNOWN in value or value.startswith("~"):
        return None
    if how == "Q":
        return quote(value)
    if how == "E":
        return ansi_text(value)
    if how in ("U", "L"):
        return value.upper() if how == "U" else value.lower()
    if how == "u":
        return value[:1].upper() + value[1:]
    return value if how == "P" and _IN_PROMPT.search(value) is None else None
