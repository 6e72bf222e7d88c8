"""Commands in a shell line: every one that would run, and whether that is all.

`read_shell` never raises and drops no command that it finds. What it cannot read is opaque, and opaque is never taken
for harmless. It costs at most a fixed number of steps, so that its time is bounded without a clock; a line that needs
more is incomplete, which is opaque and worse.
"""

from __future__ import annotations

from collections.abc import Mapping

from interlock.facts.limits import CHARACTERS
from interlock.facts.programs import use_of_program
from interlock.facts.shell.grammar import parse
from interlock.facts.shell.hazards import ERASES, HIDES
from interlock.facts.shell.model import UNKNOWN, Code, Command, Redirect, Shell, Unread
from interlock.facts.shell.run import Beside, UseOf
from interlock.facts.shell.scan import Budget, Fuel
from interlock.facts.shell.walk import Walk

__all__ = ["UNKNOWN", "Code", "Command", "Fuel", "Redirect", "Shell", "Unread", "read_shell"]

_NOTHING: Mapping[str, str] = {}


def read_shell(
    line: str,
    known: Mapping[str, str] = _NOTHING,
    use_of: UseOf = use_of_program,
    *,
    beside: Beside | None = None,
    positional: tuple[str, ...] | None = None,
    aside: bool = False,
    fuel: Fuel | None = None,
) -> Shell:
    """Every command that the line would run.

    `known` are variables of the shell's environment whose values are certain: `HOME` and `PWD`, so that `$HOME/x` and
    `$(pwd)/x` are paths. `use_of` says what a program does with its arguments, and
    `beside`, what else it may do by descriptions that add to that.
    `positional` are the parameters that the line is given, if that is known: `$1` and those behind it.
    `aside`: a program that is for something else runs the line.
    `fuel`: what reading the whole call may still cost.
    """
    budget = Budget(fuel)
    text = line
    if len(text) > CHARACTERS.most:
        text = text[: CHARACTERS.most]
        budget.reach(CHARACTERS)
    if UNKNOWN in text:
        text = text.replace(UNKNOWN, "")
        budget.note("a character that no line has")
    if ERASES.search(text) or (not text.isascii() and HIDES.search(text)):
        budget.note("characters that change how others are shown")
    return Walk(budget, use_of, known, beside).shell(parse(text, budget), positional, aside=aside)
