"""Read the entries of hooks in the front matter of agents, skills and commands: YAML at the top of a Markdown file.

Only what is below `hooks:` is read. The client is lenient with the rest, in which a colon too many is usual.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import yaml
from msgspec import Struct
from msgspec.structs import replace

from interlock.files.jsonedit import MOST_NESTING, JsonNode
from interlock.hook_lint.commands import script_of
from interlock.hook_lint.entries import wires_in
from interlock.hook_lint.wiring import HookWire, SettingsSubject
from interlock.hosts.claude_code.places import config_folder
from interlock.hosts.claude_code.settings_rules import settings_in

__all__ = ["may_have_front_matter", "read_front_matter"]

_KINDS = ("agents", "commands", "skills")
_BLOCK = re.compile(r"\ufeff?---[ \t]*\r?\n(.*?)^---[ \t]*\r?$", re.DOTALL | re.MULTILINE)
_HOOKS = re.compile(r"^hooks:(?=[ \t]*\r?$|[ \t]+\S).*?(?=^[\w\"'-]|\Z)", re.DOTALL | re.MULTILINE)


def may_have_front_matter(path: Path) -> bool:
    """Whether a client may read hooks from a file: an agent, a command or a skill, of a project or of a plugin."""
    if path.suffix != ".md":
        return False
    kind, root = _kind_and_root(path)
    if kind == "skills" and path.name != "SKILL.md":
        return False
    return root is not None and (root.name == ".claude" or (root / ".claude-plugin").is_dir())


def read_front_matter(path: Path, raw: bytes) -> SettingsSubject | None:
    """The entries in a Markdown file, with their places in it. None if it has none, or none that can be understood."""
    file, text = str(path), raw.decode("utf-8", "replace")
    block = _BLOCK.match(text)
    part = _HOOKS.search(text, block.start(1), block.end(1)) if block is not None else None
    if part is None:
        return None
    line = text.count("\n", 0, part.start())
    try:
        hooks = _Tree(part.start(), line).node(yaml.compose(part[0], Loader=yaml.CSafeLoader))
    except (yaml.YAMLError, _TooMuchError):
        return None
    settings = settings_in(hooks, file)
    kind, folder = _kind_and_root(path)
    root = path.parent if folder is None else folder.parent if folder.name == ".claude" else folder
    is_of_project = root != folder and folder != config_folder()
    wires = wires_in(hooks, settings, "frontmatter", root)
    wires = tuple(_found(wire, path.parent, kind, is_of_project) for wire in wires)
    return SettingsSubject(file=file, text=text, holder="frontmatter", root=hooks, settings=settings, wires=wires)


def _kind_and_root(path: Path) -> tuple[str, Path | None]:
    """What a file is, and the folder above those of its kind."""
    parents = path.absolute().parents
    return next(((one.name, one.parent) for one in parents if one.name in _KINDS), ("", None))


def _found(wire: HookWire, folder: Path, kind: str, is_of_project: bool) -> HookWire:
    """The entry as the client runs it. A relative script may be the skill's or the project's; it is not missed.

    `is_of_project`: it is not a file of a person or of a plugin, which holds in every project.
    """
    script = wire.script
    if script is not None and "CLAUDE_PROJECT_DIR" in str(wire.handler):
        script = script if is_of_project else None
    elif script is not None and not script.is_file():
        beside = script_of(wire.handler, folder)[1]
        script = beside if beside is not None and beside.is_file() else None
    ends = kind == "agents" and wire.event == "Stop"  # an agent below another one stops as that
    return replace(wire, script=script, event="SubagentStop" if ends else wire.event)


# --- from YAML to the values of JSON -----------------------------------------------------------------------------


class _TooMuchError(Exception):
    """A value that is used twice, or nested without end."""


class _Tree(Struct):
    """The values of a YAML document that is a part of a text."""

    start: int
    line: int
    seen: set[int] = set()

    def node(self, node: Any, key_start: int = -1, depth: int = 0) -> JsonNode:
        if depth > MOST_NESTING or id(node) in self.seen:
            raise _TooMuchError
        self.seen.add(id(node))
        value = self._value(node, depth + 1)
        first, last = node.start_mark, node.end_mark
        start, end = self.start + first.index, self.start + last.index
        return JsonNode(value, start, end, self.line + first.line + 1, first.column + 1, key_start)

    def _value(self, node: Any, depth: int) -> Any:
        if isinstance(node, yaml.MappingNode):
            return {
                str(key.value): self.node(value, self.start + key.start_mark.index, depth) for key, value in node.value
            }
        if isinstance(node, yaml.SequenceNode):
            return [self.node(item, depth=depth) for item in node.value]
        if node.style or node.tag == "tag:yaml.org,2002:str":
            return node.value
        try:
            return json.loads(node.value.lower() or "null")
        except ValueError:
            return node.value  # `yes`, a date: text, as in YAML 1.2
