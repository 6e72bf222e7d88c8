"""How Interlock gets into a host: the files that are written, and what a person must do besides."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

from msgspec import Struct

__all__ = [
    "EntryFile",
    "EntryStart",
    "HostScope",
    "HostSetup",
    "HostTrust",
    "OffSwitch",
    "OwnFile",
    "SetupFile",
    "Starts",
]

JsonObject: TypeAlias = dict[str, Any]
HostScope: TypeAlias = Literal["project", "user"]


class EntryFile(Struct, frozen=True, kw_only=True):
    """A JSON file of the host, into whose lists Interlock's entries are put. Everything else in it stays as it is.

    `entries`: the keys that lead to a list, and an item for it. `start`: what a new file has besides. `first`: they
    are put before what is in the list already, because the host takes the first that fits. `jsonc`: the
    host takes comments in it. `bom`: it takes a byte order mark at its beginning; most ignore the whole file then.
    """

    path: Path
    entries: Sequence[tuple[tuple[str, ...], JsonObject]]
    start: JsonObject = {}
    first: bool = False
    jsonc: bool = False
    bom: bool = False


class OwnFile(Struct, frozen=True, kw_only=True):
    """A file that contains nothing but Interlock's."""

    path: Path
    content: bytes
    mode: int = 0o644


SetupFile: TypeAlias = EntryFile | OwnFile


class EntryStart(Struct, frozen=True, kw_only=True):
    """An installed entry as its host starts it for a call: the words, its input, and variables of the host."""

    file: Path
    words: Sequence[str]
    stdin: bytes
    environ: Mapping[str, str] = {}


Starts: TypeAlias = Callable[[SetupFile, bytes, bytes, Path], Sequence[EntryStart]]
"""What a host starts for a call because of one of its files, given its content, the call and the project's folder."""


class HostTrust(Struct, frozen=True, kw_only=True):
    """Whether a host runs the entries that are in its files, and how it is told to.

    All are given the scope, the project's folder and the person's home. `hindrances` says why it would not run them;
    it raises InterlockError where that cannot be found out. `grant` and `withdraw` tell the host, in its own way, and
    raise InterlockError if it refuses; `file` is where it keeps that. Without them, a person takes the steps.
    """

    hindrances: Callable[[HostScope, Path, Path], Sequence[str]]
    grant: Callable[[HostScope, Path, Path], None] | None = None
    withdraw: Callable[[HostScope, Path, Path], None] | None = None
    file: Callable[[Path], Path] | None = None


class OffSwitch(Struct, frozen=True, kw_only=True):
    """A setting that keeps a host from running its hooks, or some of them."""

    file: Path
    key: str
    what: str  # is not run

    def __str__(self) -> str:
        return f"`{self.key}` in {self.file} switches off {self.what}"


class HostSetup(Struct, frozen=True, kw_only=True):
    """Where a host is found on a machine, and what makes it ask Interlock.

    `files` is given the scope, the project's folder and the person's home. `steps` are what the host demands of a
    person before it runs the entries, in sentences. `switched_off` has the settings that keep it from running hooks;
    it raises InterlockError for a file that cannot be read.

    The commands in its files are run by the shell in `run_by`, with the variables of `marks` set, which is given the
    project's folder; a host that starts something else says so in `starts`.
    """

    programs: tuple[str, ...] = ()  # names under which it is started
    folders: tuple[str, ...] = ()  # in a person's home or in a project, that show that it is used there
    scopes: tuple[HostScope, ...] = ("project", "user")  # the first is taken if nobody chooses
    files: Callable[[HostScope, Path, Path], Sequence[SetupFile]]
    steps: Callable[[HostScope, Path], Sequence[str]] = lambda scope, root: ()
    trust: HostTrust | None = None  # None: it runs whatever is in its files
    switched_off: Callable[[HostScope, Path, Path], Sequence[OffSwitch]] = lambda scope, root, home: ()
    run_by: Callable[[], Sequence[str]] = lambda: ("/bin/sh", "-c")
    marks: Callable[[Path], Mapping[str, str]] = lambda root: {}
    starts: Starts | None = None
    entries_with: tuple[str, ...] = ()  # hosts that run the very same entries, by name: they share their files
