"""What one command does with its arguments, as far as its program is known."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from interlock.errors import Source
from interlock.facts.limits import Limit

__all__ = ["Kind", "Nested", "Place", "Push", "Stdin", "Use"]

Kind: TypeAlias = Literal[
    "argv", "shell", "file",
    "code:python", "code:js", "code:perl", "code:ruby", "code:php", "code:sql", "code:awk",
    "code:powershell", "code:cmd", "code:other",
]  # fmt: skip
Stdin: TypeAlias = Literal[
    "data", "shell", "args",
    "code:python", "code:js", "code:perl", "code:ruby", "code:php", "code:sql", "code:awk",
    "code:powershell", "code:cmd", "code:other",
]  # fmt: skip


Place: TypeAlias = Literal["here", "host", "container"]


class Nested(Struct, frozen=True):
    """Something that a command runs.

    `argv`: a program and its arguments. `shell`: one text for a shell. `code:…`: one text in that language.
    `file`: a file that is run, then its arguments or targets; `by` is the program that reads it.
    `where`: on this machine, on another one, or in a container, whose paths are not ours.
    `aside`: the command is for something else, and was told to run this too.
    A nested command gets the standard input of the outer one, unless that takes it for itself (`Use.stdin`).
    """

    kind: Kind
    words: tuple[str, ...]
    by: str = ""
    where: Place = "here"
    aside: bool = False


class Push(Struct, frozen=True):
    """What a `git push` is told. Words are as written; an unknown part of a word is `\\0`."""

    remote: str = ""  # its name, address or path; empty if none is given
    refspecs: tuple[str, ...] = ()
    force: bool = False  # also with a lease
    delete: bool = False
    all: bool = False
    mirror: bool = False
    tags: bool = False
    follow_tags: bool = False
    settings: tuple[tuple[str, str], ...] = ()  # that are given on the line, keys in lower case
    elsewhere: bool = False  # it names another repository than the one of its folder
    unsure: bool = False  # it has options that nobody has described


class Use(Struct, frozen=True):
    """The effects of one command. Paths are words as written; an unknown part of a word is `\\0`."""

    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()  # what is there is changed or replaced; what is not there is made
    creates: tuple[str, ...] = ()  # made if it is missing; what is there keeps its content (mkdir, touch)
    deletes: tuple[str, ...] = ()  # removed, or moved away
    executable: tuple[str, ...] = ()  # made executable; also in `writes`
    mentions: tuple[str, ...] = ()  # words that may be paths, by a program or option that nobody has described
    urls: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()  # machines reached that stand in no URL, without user and port
    sends: bool = False  # data leaves this machine
    sent: tuple[str, ...] = ()  # the files that leave; also in `reads`
    refs: tuple[str, ...] = ()  # git branches and tags that are published, moved or deleted; `HEAD` the current one
    runs: tuple[Nested, ...] = ()
    stdin: Stdin = "data"
    cd: str | None = None  # where the shell stands afterwards; `\\0` is unknown
    base: str = ""  # this command's own paths, and what it runs, start there
    flags: tuple[str, ...] = ()  # in order, by their longest names: `-f` and `--force` are both `--force`
    operands: tuple[str, ...] = ()  # subcommands and operands, without options and their values
    traits: frozenset[str] = frozenset()
    known: bool = True  # the program, and its subcommand, are in the tables
    unknown: tuple[str, ...] = ()  # options and subcommands that the tables do not have
    reached: Limit | None = None  # at which `runs` was not put together any more
    push: Push | None = None  # what is pushed, if it is a push that really sends something
    described: Source | None = None  # where a policy describes it, if it was read by that
