"""Copilot CLI's tools in the words of policies, and what a tool of an MCP server can be by its name."""

from __future__ import annotations

from typing import Any, TypeAlias

from interlock.errors import InterlockError
from interlock.hosts.base.patches import join_patch, split_patch
from interlock.hosts.base.table import call_fields
from interlock.hosts.base.tools import NativeTool, Part, Split

__all__ = ["PROMPTS", "TOOLS", "fields_of_call"]

JsonObject: TypeAlias = dict[str, Any]


def _each_place(tool: str) -> Split:
    """One search for each of the places that it is to look in. Without any, it looks where it runs."""

    def split(given: JsonObject) -> list[Part] | None:
        places = given.get("path")
        if not isinstance(places, list):
            return None
        rest = {name: value for name, value in given.items() if name != "path"}
        return [(tool, {**rest, "path": one}) for one in places] or [(tool, rest)]

    return split


_PLACES = {"path": "path", "paths": "path"}  # models are told the second, and it takes the first as well
# It names its tools as Claude Code does, and keeps its own names for their fields.
TOOLS = {
    "Bash": NativeTool("Bash"),
    "PowerShell": NativeTool("PowerShell"),
    "Write": NativeTool("Write", {"path": "file_path", "file_text": "content"}),
    "Edit": NativeTool("Edit", {"path": "file_path", "old_str": "old_string", "new_str": "new_string"}),
    "Read": NativeTool("Read", {"path": "file_path"}),
    "Glob": NativeTool("Glob", _PLACES, split=_each_place("Glob")),
    "Grep": NativeTool("Grep", _PLACES, split=_each_place("Grep")),
    "WebFetch": NativeTool("WebFetch"),
    "web_fetch": NativeTool("WebFetch"),
    "Agent": NativeTool("Agent", {"agent_type": "subagent_type"}),
    "skill": NativeTool("Skill"),
    "apply_patch": NativeTool(
        "apply_patch", split=lambda given: split_patch(str(given.get("input", ""))), join=join_patch(None)
    ),
}
# A prompt is about a tool by its own name, with other fields again; an edit has its whole difference.
PROMPTS = {
    "bash": NativeTool("Bash"),
    "powershell": NativeTool("PowerShell"),
    "edit": NativeTool("Edit", {"diff": "new_string"}),
    "create": NativeTool("Write", {"diff": "content"}),
    "web_fetch": NativeTool("WebFetch"),
}


def fields_of_call(name: Any, given: Any) -> JsonObject:
    """The fields of an event about a call."""
    # A patch is called an edit, too. Some models send it as a text and not as a field.
    if name == "Edit" and isinstance(given, str):
        given = {"input": given}
    if name == "Edit" and isinstance(given, dict) and "input" in given:
        if "path" in given:
            raise InterlockError("an edit has the fields of a patch as well, and only one of them would be made")
        name = "apply_patch"
    found = call_fields(TOOLS, name, given)
    meant = _of_servers(name) if name not in TOOLS else []
    if not meant:
        return found
    if len(meant) == 1:
        return {**found, "tool_name": meant[0], "host_tool": name}
    # `a-b-c` may be `b-c` of the server `a`, or `c` of `a-b`: it is judged as either.
    return {**found, "parts": [{"tool_name": one, "tool_input": given} for one in meant]}


def _of_servers(name: str) -> list[str]:
    """What a tool of an MCP server can be, whose name begins with that of its server: `server-tool`.

    A dash may also be what Copilot puts for a character that has no place in a name, where policies have an underscore.
    """
    words = name.split("-")
    splits = (("-".join(words[:at]), "-".join(words[at:])) for at in range(1, len(words)))
    forms = ((server, tool) for one, other in splits if one and other
             for server in (one, one.replace("-", "_")) for tool in (other, other.replace("-", "_")))  # fmt: skip
    return list(dict.fromkeys(f"mcp__{server}__{tool}" for server, tool in forms))
