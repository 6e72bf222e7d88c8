"""What a shell line would do: its commands, where each stands, and what of it cannot be read."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import force_setattr

from interlock.facts.programs.use import Use

__all__ = ["UNKNOWN", "Code", "Command", "Flow", "Redirect", "Shell", "Unread"]

UNKNOWN = "\0"  # stands in a word for a part of it that only the run will tell
Flow: TypeAlias = Literal["read", "write", "append", "both"]
_NO_USE = Use(known=False)


class Redirect(Struct, frozen=True):
    """A file that the shell opens for a command. Copies of descriptors (`2>&1`) are none."""

    kind: Flow
    target: str


class Command(Struct, frozen=True):
    """One command that would run.

    A file opened or a variable set by no program (`> f`, `{ …; } > f`) is a command whose program is empty.
    `text`, `start` and `end` are the command as written, without the commands around it; what stands in a string that
    is run (`bash -c '…'`) has the place of the command that runs it.
    """

    program: str
    args: tuple[str, ...]
    text: str
    env: dict[str, str] = {}
    name: str = ""  # the program by its base name
    redirects: tuple[Redirect, ...] = ()
    stdin: str | None = None  # what it reads, where that is written in the line
    # Commands of one pipeline have one number; an earlier stage feeds every later one. `sh <(curl x)` and
    # `eval "$(curl x)"` are pipelines too.
    pipeline: int = 0
    stage: int = 0
    nested: tuple[str, ...] = ()  # what it is run by or stands in, outermost first: "sudo", "$(…)", "bash", "f()"
    start: int = 0
    end: int = 0
    cwd: tuple[str, ...] = ()  # each `cd` before it, in order; the shell's own directory if there was none
    use: Use = _NO_USE
    opaque: str = ""  # why it cannot be read; empty if it was

    def __post_init__(self) -> None:
        if not self.name:
            force_setattr(self, "name", self.program.rsplit("/", 1)[-1])

    @property
    def words(self) -> str:
        """The command as the shell would see it: without quotes, tricks and redirections."""
        return " ".join((self.program, *self.args)) if self.args else self.program

    @property
    def plain(self) -> bool:
        """Whether it is its words and no more: no variable is set and no file opened for it, and it can be read."""
        return not self.env and not self.opaque and all(one.target == "/dev/null" for one in self.redirects)


class Code(Struct, frozen=True):
    """A program text in another language, run by a command: `kind` is "python", "js", "sql", …"""

    kind: str
    text: str
    command: int  # its place in `Shell.commands`


class Unread(Struct, frozen=True):
    """A file whose content is run, such as a script or a makefile; the words behind it are its arguments or targets."""

    file: str
    args: tuple[str, ...]
    command: int  # its place in `Shell.commands`
    by: str = ""  # the program that reads it: "bash", "make", "npm"; empty if the file is the program


class Shell(Struct, frozen=True):
    """What a shell line would run, and whether that is all of it."""

    commands: tuple[Command, ...]
    opaque: bool
    reasons: tuple[str, ...] = ()  # why it is opaque: of the whole, and of each command that is
    code: tuple[Code, ...] = ()
    unread: tuple[Unread, ...] = ()
    assigned: tuple[tuple[str, str], ...] = ()  # variables set for what follows, in order
    functions: tuple[str, ...] = ()  # functions and aliases that the line defines
    files: tuple[tuple[str, str], ...] = ()  # constant texts written to files: (target, text)
    incomplete: tuple[str, ...] = ()  # the limits at which reading stopped, and a command could follow
    lost: tuple[str, ...] = ()  # the limits at which values that the line gives were no longer worked out

    @property
    def plain(self) -> bool:
        """Whether its commands are all that it is, so that who permits each of them permits the line."""
        return not (self.opaque or self.assigned or self.functions) and all(one.plain for one in self.commands)
