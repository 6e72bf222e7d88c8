"""The words in which a program's table is written. Nothing here is read before the program is first met.

Options are one text, `names[value][effects]` for each, parted by spaces:

    r/R/recursive       three spellings of one option; the first long one is its name
    o/output=write      takes a value, which plays a role
    rsh=shell           its value is run, beside what the program is for (`program`: one word); `line`: as it is meant
    color?              may have a value, only in the same word
    e/regexp=text<      takes a value, and stands for the first operand
    f/force!forced      adds traits (parted by commas)
    n/dry-run!dry       nothing is done: no effect stands but reading
    A/always!acts       the form is no longer read-only
    *                   every other option is harmless too, and may take a value

Operands are roles in order; one of them may have a star: `text read*`, `read* write`. The last of them may take all
the rest: `argv`, `shell+` (words joined), `script` (a file and its arguments).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.use import Stdin

__all__ = ["Program", "Rewrite", "Special", "Table", "act", "look", "words"]

Special: TypeAlias = Callable[[UseDraft], None]

Rewrite: TypeAlias = Callable[[tuple[str, ...]], tuple[str, ...]]


class Program(Struct, frozen=True):
    """One program, or one subcommand of it."""

    options: str = ""
    operands: str = "text*"
    traits: str = ""
    subs: Table = {}  # keys: `name`, or several parted by spaces, or a pattern such as `get-*`
    stdin: Stdin = "data"
    special: Special | None = None  # looks at what was parsed, and adds to it
    parse: Special | None = None  # takes the place of the parsing too
    rewrite: Rewrite | None = None  # puts older spellings into the usual one
    stops: bool = False  # options end at the first operand
    long: bool = False  # `-name` is one option, not a bundle
    help: bool = True  # `--help` and `--version` do nothing else
    brief: bool = False  # a beginning of a subcommand stands for the first that begins so


Table: TypeAlias = dict[str, Program]


def words(text: str) -> frozenset[str]:
    """A set of words, written as one text."""
    return frozenset(text.split())


def look(options: str = "", operands: str = "text*", traits: str = "", **more: object) -> Program:
    """A form that only looks."""
    return Program(options, operands, f"read-only {traits}", **more)  # type: ignore[arg-type]


def act(traits: str, options: str = "", operands: str = "text*", **more: object) -> Program:
    """A form that does something."""
    return Program(options, operands, traits, **more)  # type: ignore[arg-type]
