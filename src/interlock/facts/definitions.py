"""What a skill or an agent starts beside its text: the hooks and the MCP servers that stand in its definition.

A host runs both without an event of their own. A definition is the frontmatter of a file, or the JSON that a host was
given. Whatever is not surely understood is named in `unread`, so that nobody takes it for harmless.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import yaml
from msgspec import Struct

from interlock.facts.inline import head_of
from interlock.facts.limits import FRONTMATTER, FRONTMATTER_DEPTH

__all__ = ["Definition", "Start", "definition_in", "definition_of"]

_STARTS = ("hooks", "mcpservers")
# Their hooks answer for a call: they may change what would run, permit it, or replace its result, and a host takes
# whichever answer comes last.
_ANSWERING = frozenset({"PreToolUse", "PermissionRequest", "PostToolUse"})
_VALUE = re.compile(r"\$(?:(CLAUDE_\w+)|\{(CLAUDE_\w+)\})")
_PLAIN = re.compile(r"[\w@%+=:,./-]+", re.ASCII)
_REMOTE = frozenset({"http", "sse", "ws", "streamable-http", "sdk"})


class Start(Struct, frozen=True):
    """One program that a definition starts, as a line for a shell, and what starts it."""

    command: str
    what: str


class Definition(Struct, frozen=True):
    """What a definition starts. `answering`: the events on which its hooks answer for calls; `unread`: why in doubt."""

    starts: tuple[Start, ...] = ()
    answering: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.starts or self.answering or self.unread)


def definition_in(text: str, values: Mapping[str, str] | None = None) -> Definition:
    """The definition in the frontmatter of a file. `values` are the `${…}` that the host replaces."""
    head = head_of(text)
    if head is None or not any(name in head.lower() for name in _STARTS):
        return Definition()
    try:
        fields = _tree(head) if len(head) <= FRONTMATTER.most else None
    except (yaml.YAMLError, ValueError):
        fields = None
    if not isinstance(fields, dict):
        return Definition(unread=("its frontmatter cannot be read",))
    return definition_of(fields, values)


def definition_of(fields: Mapping[str, Any], values: Mapping[str, str] | None = None) -> Definition:
    """The definition that some fields make."""
    starts: list[Start] = []
    answering: list[str] = []
    unread: list[str] = []
    for name, value in fields.items():
        match name.lower():
            case "hooks":
                found = list(_hooks(value, values or {}))
            case "mcpservers":
                found = list(_servers(value, values or {}))
            case _:
                continue
        starts += [one for one in found if isinstance(one, Start)]
        unread += [one for one in found if isinstance(one, str)]
        if name.lower() == "hooks" and isinstance(value, dict):
            answering += [event for event in value if event in _ANSWERING and value[event]]
    return Definition(tuple(dict.fromkeys(starts)), tuple(answering), tuple(dict.fromkeys(unread)))


def _hooks(value: Any, values: Mapping[str, str]) -> Iterator[Start | str]:
    if value in (None, "", {}, []):
        return
    if not isinstance(value, dict):
        yield "its hooks cannot be read"
        return
    for event, groups in value.items():
        for group in groups if isinstance(groups, list) else [groups]:
            handlers = group.get("hooks") if isinstance(group, dict) else None
            if not isinstance(handlers, list):
                yield f"its {event} hooks cannot be read"
                continue
            for handler in handlers:
                yield _handler(event, handler, values)


def _handler(event: str, handler: Any, values: Mapping[str, str]) -> Start | str:
    if not isinstance(handler, dict):
        return f"its {event} hooks cannot be read"
    kind = handler.get("type")
    if kind != "command" or handler.get("shell", "bash") != "bash":
        return f"it brings a {event} hook that is not a shell command ({kind})"
    line = _line(handler, values, shell="args" not in handler)
    return f"its {event} hooks cannot be read" if line is None else Start(line, f"a {event} hook")


def _servers(value: Any, values: Mapping[str, str]) -> Iterator[Start | str]:
    """Servers by name, or a list of such maps and of names that the host knows already."""
    if value in (None, ""):
        return
    for part in value if isinstance(value, list) else [value]:
        if isinstance(part, str):
            continue
        if not isinstance(part, dict):
            yield "its MCP servers cannot be read"
            continue
        for name, server in part.items():
            if isinstance(server, dict) and server.get("type") in _REMOTE and "command" not in server:
                continue
            line = _line(server, values, shell=False) if isinstance(server, dict) else None
            yield "its MCP servers cannot be read" if line is None else Start(line, f"the MCP server `{name}`")


def _line(given: Mapping[str, Any], values: Mapping[str, str], *, shell: bool) -> str | None:
    """A program with its arguments and variables as a line for a shell; one that is such a line is left as it is."""
    command, args, env = given.get("command"), given.get("args") or [], given.get("env") or {}
    words = [command, *args] if isinstance(args, list) else [None]
    if not isinstance(env, dict) or not all(isinstance(word, str) for word in (*words, *env.values())) or not command:
        return None
    # One that needs quotes would need those that its place asks for.
    plain = {name: text for name, text in values.items() if _quote(text) == text}
    filled = [_VALUE.sub(lambda found: plain.get(found[1] or found[2], found[0]), str(word)) for word in words]
    if shell:
        return filled[0]
    return " ".join([*(f"{name}={_quote(text)}" for name, text in env.items()), *map(_quote, filled)])


def _quote(word: str) -> str:
    return word if _PLAIN.fullmatch(word) else "'" + word.replace("'", "'\\''") + "'"


def _tree(text: str) -> Any:
    """A YAML text as maps, lists and texts, or None where hosts may read it differently.

    Built event by event under limits: whoever composes the tree of what a stranger nested runs out of stack.
    """
    stack: list[Any] = []
    keys: list[str | None] = []
    root: Any = None
    for event in yaml.parse(text, Loader=yaml.CSafeLoader):
        if isinstance(event, yaml.CollectionEndEvent):
            stack.pop()
            keys.pop()
            continue
        if not isinstance(event, yaml.NodeEvent):
            continue
        if isinstance(event, yaml.AliasEvent) or event.anchor is not None or getattr(event, "tag", None):
            return None
        scalar = isinstance(event, yaml.ScalarEvent)
        node: Any = getattr(event, "value", {} if isinstance(event, yaml.MappingStartEvent) else [])
        if not stack:
            if root is not None:
                return None
            root = node
        elif isinstance(stack[-1], list):
            stack[-1].append(node)
        elif keys[-1] is None:
            if not scalar or node in stack[-1] or node == "<<":
                return None
            keys[-1] = node
            continue
        else:
            stack[-1][keys[-1]] = node
            keys[-1] = None
        if not scalar:
            stack.append(node)
            keys.append(None)
        if len(stack) > FRONTMATTER_DEPTH.most:
            return None
    return root
