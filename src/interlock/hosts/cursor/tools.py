"""Cursor's tools in the words of policies, and the fields of a call that it lets a hook change."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import UNSET

from interlock.errors import InterlockError
from interlock.event import Event, ToolEvent
from interlock.hosts.base.patches import deletion, split_patch
from interlock.hosts.base.table import call_fields
from interlock.hosts.base.tools import NativeTool, Part
from interlock.verdict import Verdict

__all__ = ["MCP", "SHELL", "TOOLS", "UNSURE", "changed_input", "fields_of_call", "mcp_name", "takes"]

JsonObject: TypeAlias = dict[str, Any]
SHELL = "Shell"
MCP = "MCP:"  # and the name of the tool, without that of its server
UNSURE = "?"  # the server in the name of a tool of which only the tool's own name is known
_REST = "host_input"  # fields of a call that policies do not see
_NAMES = "host_fields"  # the policy's name of a field → the one that was sent, where they differ
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]")

# Its hooks call a file `file_path`, and the model's own tools call it otherwise: an event may have either. The model is
# told the last name.
_FILE = {"target_file": "file_path", "file_path": "file_path", "path": "file_path", "content": "content",
         "contents": "content"}  # fmt: skip
_FOLDER = {"target_directory": "path", "file_path": "path", "path": "path"}


def _resource(given: JsonObject) -> list[Part] | None:
    """A resource that is also written to a file."""
    place = given.get("download_path")
    if not place:
        return None
    return [("ReadMcpResourceTool", given), ("Write", {"file_path": place, "content": ""})]


def _keys(given: JsonObject) -> Sequence[Part]:
    raise InterlockError("Cursor does not show what is typed into a shell that is running: run each command by itself")


TOOLS = {
    SHELL: NativeTool("Bash"),
    "WriteShellStdin": NativeTool("WriteShellStdin", split=_keys),
    "Read": NativeTool("Read", _FILE),
    "Write": NativeTool("Write", _FILE),
    "Edit": NativeTool("Edit", _FILE),
    "StrReplace": NativeTool("Edit", _FILE),
    "MultiEdit": NativeTool("MultiEdit", _FILE),
    "EditNotebook": NativeTool("NotebookEdit", {"target_notebook": "notebook_path", "new_string": "new_source"}),
    "ApplyPatch": NativeTool("apply_patch", split=lambda given: split_patch(str(given.get("patch", "")))),
    "Delete": NativeTool("Delete", _FILE, split=lambda given: deletion(str(given.get("file_path") or _nameless()))),
    "Grep": NativeTool("Grep", _FOLDER),
    "Glob": NativeTool("Glob", {"path": "path", "target_directory": "path", "glob_pattern": "pattern"}),
    "List": NativeTool("LS", _FOLDER),
    "Fetch": NativeTool("WebFetch"),
    "WebFetch": NativeTool("WebFetch"),
    "WebSearch": NativeTool("WebSearch", {"search_term": "query"}),
    "Task": NativeTool("Agent"),
    "ListMcpResources": NativeTool("ListMcpResourcesTool"),
    "FetchMcpResource": NativeTool("ReadMcpResourceTool", split=_resource),
}
# What a hook may change of a call: the fields that Cursor takes over. It ignores all others without a word.
_TAKEN: Mapping[str, frozenset[str]] = {
    SHELL: frozenset({"command"}),
    "Read": frozenset({"file_path"}),
    "Write": frozenset({"file_path"}),
    "Grep": frozenset({"pattern", "path"}),
    "List": frozenset({"path"}),
    "Fetch": frozenset({"url"}),
    "ListMcpResources": frozenset({"server"}),
    "FetchMcpResource": frozenset({"server", "uri", "download_path"}),
}


def _nameless() -> str:
    raise InterlockError("a call of Delete names no file")


def mcp_name(server: Any, tool: str) -> str:
    """The name that policies know a server's tool by."""
    said = _NOT_IN_NAMES.sub("_", server) if isinstance(server, str) and server else UNSURE
    return f"mcp__{said}__{_NOT_IN_NAMES.sub('_', tool)}"


def fields_of_call(name: Any, given: Any) -> JsonObject:
    """The fields of an event about a call, as its hooks describe it."""
    if not isinstance(name, str) or not isinstance(given, dict):
        raise InterlockError("the call has no name or no input")
    if name.startswith(MCP):
        return {"tool_name": mcp_name(None, name.removeprefix(MCP)), "tool_input": given, "host_tool": name}
    if name == SHELL:
        # The other event about the command has nothing but its text and its folder.
        rest = {field: value for field, value in given.items() if field != "command"}
        found = call_fields(TOOLS, name, {"command": given.get("command")})
        return {**found, _REST: rest} if rest else found
    known = TOOLS.get(name)
    if name == "Write" and not given.keys() & {"content", "contents"}:
        known, given = TOOLS["Edit"], _as_edit(given)
    found = call_fields({} if known is None else {name: known}, name, given)
    names = {} if known is None else known.fields
    renamed = {names[field]: field for field in given if names.get(field, field) != field}
    return {**found, _NAMES: renamed} if renamed else found


def _as_edit(given: JsonObject) -> JsonObject:
    """An edit that is called a write: it does not say what the file has afterwards, so every text of it counts."""
    texts = [value for field, value in given.items() if isinstance(value, str) and field not in _FILE]
    return {"old_string": "", "new_string": "\n".join(texts), **given}


def takes(event: Event, verdict: Verdict) -> bool:
    """Whether Cursor carries out these changes of a call. It merges, so that nothing can be taken out."""
    if not isinstance(event, ToolEvent) or any(change.after is UNSET for change in verdict.changes):
        return False
    name = event.extra.get("host_tool", event.tool_name)
    return name.startswith(MCP) or {change.field for change in verdict.changes} <= _TAKEN.get(name, frozenset())


def changed_input(event: Event | None, given: JsonObject) -> JsonObject:
    """An input that a call has instead, with the names under which its fields were sent."""
    extra = {} if event is None else event.extra
    names = extra.get(_NAMES, {})
    return {**extra.get(_REST, {}), **{names.get(field, field): value for field, value in given.items()}}
