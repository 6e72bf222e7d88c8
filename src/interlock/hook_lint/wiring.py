"""Which program a hook's entry starts: from settings to a script, under an event, a matcher and a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from interlock.files.jsonedit import JsonNode
from interlock.hook_lint.program import HookProgram
from interlock.hosts.claude_code.settings_rules import Settings

__all__ = ["Holder", "HookSubject", "HookWire", "SettingsSubject"]

Holder: TypeAlias = Literal["project", "local", "user", "managed", "plugin", "frontmatter", "example", "sdk", "none"]
"""Where an entry was found.

`example`: in settings under another name, which are to be copied. `none`: the program has no entry among what was
looked at.
"""


class HookWire(Struct, frozen=True, kw_only=True):
    """One entry: when it runs, what it starts, and where it is written."""

    event: str
    holder: Holder
    matcher: str | None = None
    handler: dict[str, Any] = {}
    file: str = ""
    node: JsonNode | None = None  # of the entry in its file
    matcher_node: JsonNode | None = None
    root: Path | None = None  # the project or plugin that it belongs to
    script: Path | None = None  # the file that it starts, if it is known
    words: tuple[str, ...] = ()  # of its command, if they are known

    @property
    def key(self) -> tuple[str, int]:
        """What tells it from every other entry: its place."""
        return self.file, self.node.start if self.node is not None else -1

    @property
    def blocks_on_failure(self) -> bool:
        return self.handler.get("onFailure") == "block"

    def part(self, key: str) -> JsonNode | None:
        """The value of one field of the entry, as it is written in its file."""
        found = self.node.value.get(key) if self.node is not None and isinstance(self.node.value, dict) else None
        return found if isinstance(found, JsonNode) else None


class SettingsSubject(Struct, frozen=True, kw_only=True):
    """A file with entries: its text, its tree, what the client makes of it, and its wires."""

    file: str
    text: str
    holder: Holder
    root: JsonNode | None = None
    settings: Settings | None = None
    wires: tuple[HookWire, ...] = ()
    programs: dict[Path, HookProgram] = {}  # those of its wires that could be read
    lines: dict[tuple[str, int], HookProgram] = {}  # that are written in entries themselves, by the keys of the wires

    def programs_of(self, wire: HookWire) -> tuple[HookProgram, ...]:
        """What an entry starts: its script, and the command itself if it does more."""
        script = self.programs.get(wire.script.resolve()) if wire.script is not None else None
        return tuple(one for one in (script, self.lines.get(wire.key)) if one is not None)


class HookSubject(Struct, frozen=True, kw_only=True):
    """A program or a callback, and the entries that start it. Without any, `events` says what it seems to be for."""

    program: HookProgram
    wires: tuple[HookWire, ...] = ()
    events: tuple[str, ...] = ()
    tools: tuple[str, ...] | None = None  # that its matchers name; None: every tool
    covers_shell: bool = False  # some hook of the same settings runs before commands of the shell
