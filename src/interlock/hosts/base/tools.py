"""Translate a host's tools: their names and fields into those that policies use, and an input back."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct

from interlock.errors import InterlockError
from interlock.facts.fields import sure_fields, use_of

__all__ = [
    "Join",
    "JsonObject",
    "NativeTool",
    "Part",
    "Split",
    "check_fields",
    "from_policy",
    "mcp_tool",
    "to_policy",
    "with_both_readings",
]

JsonObject: TypeAlias = dict[str, Any]
Part: TypeAlias = tuple[str, JsonObject]  # a tool and an input, in the words of policies
Split: TypeAlias = Callable[[JsonObject], Sequence[Part] | None]
"""Takes a call apart that does several things; None if it does only one."""
Join: TypeAlias = Callable[[str, JsonObject], JsonObject | None]
"""The input with which the host does one thing: a tool and an input of policies. None: it cannot be said there."""

_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]")


class NativeTool(Struct, frozen=True):
    """A tool of a host: what policies call it, and the fields that have other names there.

    `fill` has fields that every such call of policies has, and the host does not send. `split` takes apart a call that
    does several things. It raises InterlockError for an input that it cannot read. With `join`, a call that turns out
    to do one thing is that thing, as any other call of it.
    """

    name: str
    fields: Mapping[str, str] = {}  # the host's name → the policy's
    fill: Mapping[str, str] = {}
    split: Split | None = None
    join: Join | None = None


def to_policy(tool: NativeTool, given: JsonObject) -> JsonObject:
    """An input in the fields that policies know. Raises InterlockError if two fields would mean the same.

    It also does so for a path, a command, an address or a text under the policy's own name, where the host has another
    one for it: the host would ignore it, and a rule would not.
    """
    found: JsonObject = {}
    acting = _acting(tool.name)
    for name, value in given.items():
        known = tool.fields.get(name, name)
        if name in acting and name not in tool.fields and name in tool.fields.values():
            own = next(own for own, meant in tool.fields.items() if meant == name)
            raise InterlockError(f"the field `{name}` of {tool.name} is called `{own}` here", help=f"use `{own}`")
        if known in found:
            raise InterlockError(f"the fields `{name}` and `{known}` of {tool.name} mean the same")
        found[known] = value
    return {**tool.fill, **found}


def from_policy(tool: NativeTool, given: JsonObject) -> JsonObject:
    """An input in the host's own fields."""
    back = {known: name for name, known in tool.fields.items()}
    filled = tool.fill.items()
    return {back.get(name, name): value for name, value in given.items() if (name, value) not in filled}


def check_fields(tool: str, given: JsonObject) -> None:
    """Refuse an input that lacks what makes it a call of this tool: nothing in it could be judged.

    Every path, command and address that a tool cannot do without must be there. All of them must be texts.
    """
    use, sure = use_of(tool), sure_fields(tool)
    for name in sorted({*use.command, *use.read, *use.write, *use.url}):
        if name in sure and not isinstance(given.get(name), str):
            raise InterlockError(f"the field `{name}` of {tool} is missing or not a text")
        if not isinstance(given.get(name), str | None):
            raise InterlockError(f"the field `{name}` of {tool} is not a text")


def with_both_readings(payload: JsonObject) -> JsonObject:
    """A call with paths that begin with `~`, as the two that it may be.

    Some tools open the person's home for it, and others a folder of that name: there, `~/../a` is beside that folder.
    """
    name, given = payload.get("tool_name"), payload.get("tool_input")
    if not isinstance(name, str) or not isinstance(given, dict):
        return payload
    parts = payload.get("parts") or [{"tool_name": name, "tool_input": given}]
    others = [(part["tool_name"], _literally(part["tool_name"], part["tool_input"])) for part in parts]
    more = [{"tool_name": one, "tool_input": other, "instead": True} for one, other in others if other is not None]
    return {**payload, "parts": [*parts, *more]} if more else payload


def _literally(tool: str, given: JsonObject) -> JsonObject | None:
    use = use_of(tool)
    places = {*use.read, *use.write}
    found = {
        name: f"./{value}" if name in places and isinstance(value, str) and value.startswith("~") else value
        for name, value in given.items()
    }
    return None if found == given else found


def _acting(tool: str) -> frozenset[str]:
    """The fields of a tool that say what it does: commands, paths, addresses, and the text that goes into a file."""
    use = use_of(tool)
    return frozenset((*use.command, *use.read, *use.write, *use.url, *use.content))


def mcp_tool(server: str, tool: str) -> str:
    """The name that policies know a tool of an MCP server by."""
    return f"mcp__{_NOT_IN_NAMES.sub('_', server)}__{_NOT_IN_NAMES.sub('_', tool)}"
