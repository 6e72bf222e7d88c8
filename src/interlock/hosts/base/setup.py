"""How Interlock gets into a host: the files that are written, and what a person must do besides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

from msgspec import Struct

__all__ = ["EntryFile", "HostScope", "HostSetup", "OwnFile", "SetupFile"]

JsonObject: TypeAlias = dict[str, Any]
HostScope: TypeAlias = Literal["project", "user"]


class EntryFile(Struct, frozen=True, kw_only=True):
    """A JSON file of the host, into whose lists Interlock's entries are put. Everything else in it stays as it is.

    `entries`: the keys that lead to a list, and an item for it. `start`: what a new file has besides.
    """

    path: Path
    entries: Sequence[tuple[tuple[str, ...], JsonObject]]
    start: JsonObject = {}


class OwnFile(Struct, frozen=True, kw_only=True):
    """A file that contains nothing but Interlock's."""

    path: Path
    content: bytes
    mode: int = 0o644


SetupFile: TypeAlias = EntryFile | OwnFile


class HostSetup(Struct, frozen=True, kw_only=True):
    """Where a host is found on a machine, and what makes it ask Interlock.

    `files` is given the scope, the project's folder and the person's home. `steps` are what the host demands of a
    person before it runs the entries, in sentences.
    """

    programs: tuple[str, ...] = ()  # names under which it is started
    folders: tuple[str, ...] = ()  # in a person's home, that show that they use it
    scopes: tuple[HostScope, ...] = ("project", "user")
    files: Callable[[HostScope, Path, Path], Sequence[SetupFile]]
    steps: Callable[[HostScope, Path], Sequence[str]] = lambda scope, root: ()
