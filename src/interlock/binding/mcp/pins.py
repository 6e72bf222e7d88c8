"""Remember how each tool of a server describes itself, and detect when the description changes.

A tool's description is text that the model obeys. It is pinned when it is first seen; a tool that changes later waits
until a person has checked it.
"""

from __future__ import annotations

import difflib
import hashlib
import os
import secrets
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import DecodeError, Struct, field, json

from interlock.config.places import state_folder
from interlock.errors import InterlockError
from interlock.files.private import private_folder

__all__ = ["Pins", "ServerPins", "all_pins", "difference"]

JsonObject: TypeAlias = dict[str, Any]


class ServerPins(Struct, kw_only=True):
    """What is kept about one server: its tools as they were approved, and those that differ now."""

    name: str
    source: str
    tools: dict[str, JsonObject] = field(default_factory=dict)
    changed: dict[str, JsonObject] = field(default_factory=dict)


class Pins:
    """The pins of one server. Another server of the same name that is started differently has its own."""

    def __init__(self, name: str, source: str, folder: Path | None = None) -> None:
        self._name = name
        self._source = source
        key = hashlib.sha256(json.encode([name, source])).hexdigest()[:32]
        self.file = (folder or _folder()) / f"{key}.json"

    def see(self, tools: Iterable[Any]) -> tuple[list[str], list[str]]:
        """Compare what a server lists with what it listed before; return the names of changed and of new tools.

        New tools are pinned as they are. Raises InterlockError if the pins cannot be read or written.
        """
        kept = self.read()
        known, before = bool(kept.tools), json.encode(kept)
        changed, added = [], []
        for tool in tools:
            if not isinstance(tool, dict) or not isinstance(tool.get("name"), str):
                continue
            name, said = tool["name"], {key: value for key, value in tool.items() if key != "_meta"}
            pinned = kept.tools.setdefault(name, said)
            kept.changed.pop(name, None)
            if pinned is said:
                added += [name] if known else []
            elif _digest(pinned) != _digest(said):
                kept.changed[name] = said
                changed.append(name)
        if json.encode(kept) != before:
            self._write(kept)
        return changed, added

    def is_changed(self, name: str) -> bool:
        """Whether a tool waits for a person."""
        return name in self.read().changed

    def approve(self, only: Iterable[str] = ()) -> list[str]:
        """Pin changed tools as they are now, and return their names."""
        kept = self.read()
        names = [name for name in kept.changed if not only or name in set(only)]
        for name in names:
            kept.tools[name] = kept.changed.pop(name)
        if names:
            self._write(kept)
        return names

    def read(self) -> ServerPins:
        try:
            return json.decode(self.file.read_bytes(), type=ServerPins)
        except FileNotFoundError:
            return ServerPins(name=self._name, source=self._source)
        except (OSError, DecodeError) as error:
            raise InterlockError(
                f"cannot read what is pinned in `{self.file}`: {error}", help="remove the file to pin the tools again"
            ) from error

    def _write(self, kept: ServerPins) -> None:
        new = self.file.with_suffix(f".{secrets.token_hex(8)}")
        try:
            private_folder(self.file.parent)
            descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(json.encode(kept))
            new.replace(self.file)
        except OSError as error:
            raise InterlockError(f"cannot pin tools in `{self.file}`: {error.strerror}") from error


def all_pins(name: str, folder: Path | None = None) -> list[Pins]:
    """The pins of every server with a given name."""
    found = []
    for file in sorted((folder or _folder()).glob("*.json")):
        try:
            kept = json.decode(file.read_bytes(), type=ServerPins)
        except (OSError, DecodeError):
            continue  # its own proxy reports it
        if kept.name == name:
            found.append(Pins(kept.name, kept.source, file.parent))
    return found


def difference(before: JsonObject, after: JsonObject) -> str:
    """How a tool's description differs from the earlier one, line by line."""
    old, new = (
        json.format(json.encode(one, order="sorted"), indent=2).decode().splitlines() for one in (before, after)
    )
    return "\n".join(difflib.unified_diff(old, new, "approved", "now", lineterm=""))


def _digest(tool: JsonObject) -> bytes:
    return hashlib.sha256(json.encode(tool, order="sorted")).digest()


def _folder() -> Path:
    return state_folder() / "mcp" / "pins"
