"""Cascade's calls in the words of policies. Its events name what happens, and not the tool that does it."""

from __future__ import annotations

from typing import Any, TypeAlias

from interlock.errors import InterlockError
from interlock.hosts.base.table import call_fields
from interlock.hosts.base.tools import NativeTool, Part, mcp_tool

__all__ = ["MCP", "READS_FOLDER", "TOOLS", "fields_of_action"]

JsonObject: TypeAlias = dict[str, Any]
MCP, _READ, _WRITE = "mcp_tool_use", "read_code", "write_code"
READS_FOLDER = "reads_folder"  # in an event: what is read is a folder, with everything in it


def _folder(given: JsonObject) -> list[Part]:
    return [("Read", given), ("Grep", {"pattern": "", "path": given.get("file_path")})]


def _edits(given: JsonObject) -> list[Part]:
    """One part for each edit. An edit that replaces nothing writes the file."""
    path, edits = given.get("file_path"), given.get("edits")
    if not isinstance(edits, list) or not all(isinstance(edit, dict) for edit in edits):
        raise InterlockError("the field `edits` of write_code is missing or not a list of edits")
    return [_edit(path, edit) for edit in edits] or [("Write", {"file_path": path, "content": ""})]


def _edit(path: Any, edit: JsonObject) -> Part:
    old, new = edit.get("old_string", ""), edit.get("new_string")
    if not isinstance(old, str) or not isinstance(new, str):
        raise InterlockError("an edit of write_code has no text, or one that is not a text")
    if not old:
        return "Write", {"file_path": path, "content": new}
    return "Edit", {"file_path": path, "old_string": old, "new_string": new}


TOOLS = {
    "run_command": NativeTool("Bash", {"command_line": "command"}),
    _READ: NativeTool("Read"),
    f"{_READ} of a folder": NativeTool("Read", split=_folder),
    _WRITE: NativeTool(_WRITE, split=_edits),
}


def fields_of_action(action: str, given: JsonObject, *, reads_folder: bool) -> JsonObject:
    """The fields of an event about a call."""
    if action == MCP:
        return _mcp(given)
    found = call_fields(TOOLS, f"{action} of a folder" if reads_folder and action == _READ else action, given)
    parts = found.get("parts")
    if action == _WRITE and parts is not None and len(parts) == 1:
        return {**parts[0], "host_tool": action}
    return found


def _mcp(given: JsonObject) -> JsonObject:
    server, tool = given.get("mcp_server_name"), given.get("mcp_tool_name")
    arguments = given.get("mcp_tool_arguments")
    if not isinstance(server, str) or not isinstance(tool, str) or not server or not tool:
        raise InterlockError("a call of mcp_tool_use does not say which tool")
    if not isinstance(arguments, dict | None):
        raise InterlockError("the field `mcp_tool_arguments` is not an object")
    return {"tool_name": mcp_tool(server, tool), "tool_input": arguments or {}, "host_tool": MCP}
