"""A program's description as facts read it: what the compiler makes of an entry in YAML, with every name resolved.

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
from typing import Literal, TypeAlias

from msgspec import Struct

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.use import Stdin

__all__ = ["Clause", "Program", "Rewrite", "Service", "ServiceKind", "Special", "words"]

Special: TypeAlias = Callable[[UseDraft], None]  # looks at what was parsed, and adds to it
Rewrite: TypeAlias = Callable[[tuple[str, ...]], tuple[str, ...]]  # puts older spellings into the usual one
ServiceKind: TypeAlias = Literal["cloud", "cluster", "database", "forge", "machine", "local"]


class Clause(Struct, frozen=True, omit_defaults=True):
    """What holds of a form under conditions, all of which must be met. The first clause that fits counts.

    Words, options and values that end with a star stand for all that begin so.
    """

    name: tuple[str, ...] = ()  # the program is called so
    first: tuple[str, ...] = ()  # the first operand is one of these; "": there is none
    any: tuple[str, ...] = ()  # one of the operands is one of these
    words: int = 0  # there are at least this many operands
    option: tuple[str, ...] = ()  # one of these options is there
    every: tuple[str, ...] = ()  # each of these options is there
    without: tuple[str, ...] = ()  # none of these options is there
    value: dict[str, tuple[str, ...]] = {}  # the option has one of these values
    other: dict[str, tuple[str, ...]] = {}  # the option has another value than these
    looks: bool = False  # it only looks
    does: tuple[str, ...] = ()  # traits that it has beside those of its form
    drops: tuple[str, ...] = ()  # traits of its form that it has not
    operands: str = ""  # roles that its operands play too
    stdin: Stdin = "data"  # what it does with its input
    reads: tuple[str, ...] = ()  # files that it reads whatever its words are; `\0` is unknown
    writes: tuple[str, ...] = ()
    creates: tuple[str, ...] = ()
    deletes: tuple[str, ...] = ()
    refs: tuple[str, ...] = ()


class Service(Struct, frozen=True, omit_defaults=True):
    """A program whose words are groups, a verb and names: what the verbs mean, and which words mean something else."""

    kind: ServiceKind
    phrases: dict[str, tuple[str, ...]] = {}  # by their traits
    flags: dict[str, str] = {}  # traits of options, written with their dashes
    here: bool = False  # a command behind `--` is run on this machine


class Program(Struct, frozen=True, omit_defaults=True):
    """One program, or one subcommand of it."""

    options: str = ""
    operands: str = "text*"
    traits: str = ""
    subs: Table = {}  # keys: `name`, or several parted by spaces, or a pattern such as `get-*`
    stdin: Stdin = "data"
    when: tuple[Clause, ...] = ()
    service: Service | None = None
    reader: str = ""  # a Special of `readers`, by module and name
    parser: str = ""  # a Special that takes the place of the parsing too
    rewrite: str = ""  # a Rewrite of `readers`
    stops: bool = False  # options end at the first operand
    long: bool = False  # `-name` is one option, not a bundle
    help: bool = True  # `--help` and `--version` do nothing else
    brief: bool = False  # a beginning of a subcommand stands for the first that begins so


Table: TypeAlias = dict[str, Program]


def words(text: str) -> frozenset[str]:
    """A set of words, written as one text."""
    return frozenset(text.split())
