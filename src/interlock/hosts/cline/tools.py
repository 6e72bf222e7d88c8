"""Cline's tools in the words of policies: those of the extension, and those of the SDK, which may do several things."""

from __future__ import annotations

import re
import shlex
from typing import Any, TypeAlias

from interlock.errors import InterlockError
from interlock.hosts.base.patches import join_patch, split_patch
from interlock.hosts.base.tools import Join, NativeTool, Part, from_policy, mcp_tool
from interlock.jsontext import read_object, read_value

__all__ = ["TOOLS", "WHOLE", "input_fields", "mcp_call"]

JsonObject: TypeAlias = dict[str, Any]
WHOLE = "input"  # the field for an input that is not an object: the SDK takes a text or a list for some
_BLOCK = re.compile(r"^-{3,} SEARCH>?\n(.*?)^={3,}\n(.*?)^\+{3,} REPLACE>?\s*$", re.DOTALL | re.MULTILINE)
_FILE = {"path": "file_path"}
_PATHS = ("path", "file_path", "filePath")
# Fields with lists or objects, which the extension sends as texts.
_LISTS = frozenset({"commands", "args", "files", "file_paths", "paths", "queries", "requests"})
# A name of an MCP tool that Cline had to change ends so, and may have been cut to this length.
_CHANGED = re.compile(r"(.+)_[0-9a-f]{8}")
_MOST_NAME = 64


def _items_in(given: JsonObject, *names: str) -> list[Any]:
    """The things in these fields, and in an input that is not an object; one thing alone counts as a list of it.

    A call may have several of them, and only Cline knows which one it takes: all of them count.
    """
    listed = [given[name] for name in (*names, WHOLE) if given.get(name) is not None]
    return [one for found in listed for one in (found if isinstance(found, list) else [found])]


def _commands(given: JsonObject) -> list[Part]:
    found = _items_in(given, "commands", "cmd")
    if given.get("command") is not None:
        found.append(given)
    return [("Bash", {"command": _line(one)}) for one in found] or [_nothing("run_commands")]


def _line(command: Any) -> str:
    """A command as a line of the shell: some are words that no shell reads."""
    if isinstance(command, str):
        return command
    if isinstance(command, dict) and isinstance(command.get("command"), str):
        words = command.get("args") or []
        if isinstance(words, list) and all(isinstance(word, str) for word in words):
            return shlex.join([command["command"], *words]) if words else command["command"]
    raise InterlockError("a command of run_commands cannot be read")


def _reads(given: JsonObject) -> list[Part]:
    found = _items_in(given, "files", "file_paths", "paths", *_PATHS)
    return [("Read", {"file_path": _path(one)}) for one in found] or [_nothing("read_files")]


def _path(one: Any) -> Any:
    return next((one[name] for name in _PATHS if name in one), None) if isinstance(one, dict) else one


def _fetches(given: JsonObject) -> list[Part]:
    found = [one if isinstance(one, dict) else {"url": one} for one in _items_in(given, "requests")]
    return [("WebFetch", one) for one in found] or [_nothing("fetch_web_content")]


def _searches(given: JsonObject) -> list[Part]:
    return [("Grep", {"pattern": one}) for one in _items_in(given, "queries")] or [_nothing("search_codebase")]


def _nothing(tool: str) -> Part:
    raise InterlockError(f"a call of {tool} names nothing")


def _edit(given: JsonObject) -> list[Part]:
    """An edit, or a whole file: without a text to replace, and a line to insert at, the file is written."""
    if given.get("old_string") or given.get("insert_line") is not None:
        old = given.get("old_string") or ""
        return [("Edit", {**given, "old_string": old})]
    return [("Write", {"file_path": given.get("file_path"), "content": given.get("new_string")})]


def _blocks(given: JsonObject) -> list[Part]:
    """The edits of a text with blocks to search and to replace. What is in none of them counts as written."""
    path, text = given.get("file_path"), given.get("diff")
    if not isinstance(text, str):
        raise InterlockError("the field `diff` of replace_in_file is missing or not a text")
    found = _BLOCK.findall(text)
    if not found or _BLOCK.sub("", text).strip():
        found.append(("", text))
    return [("Edit", {"file_path": path, "old_string": old, "new_string": new}) for old, new in found]


def _all_of(field: str, name: str | None = None) -> Join:
    """The list of things that a tool of the SDK does, with one thing in it: one of its fields, or all of them."""
    return lambda tool, given: {field: [given if name is None else given.get(name)]}


def _edit_input(tool: str, given: JsonObject) -> JsonObject:
    renamed = {"content": "new_string"} if tool == "Write" else {}
    return from_policy(_EDITS, {renamed.get(name, name): value for name, value in given.items()})


_EDITS = NativeTool("Edit", {**_FILE, "old_text": "old_string", "new_text": "new_string"})
TOOLS = {
    "execute_command": NativeTool("Bash"),
    "run_commands": NativeTool("run_commands", split=_commands, join=_all_of("commands", "command")),
    "read_file": NativeTool("Read", _FILE),
    "read_files": NativeTool("read_files", split=_reads, join=_all_of("files", "file_path")),
    "write_to_file": NativeTool("Write", _FILE),
    "editor": NativeTool("Edit", _EDITS.fields, split=_edit, join=_edit_input),
    "replace_in_file": NativeTool("Edit", _FILE, split=_blocks),
    "apply_patch": NativeTool(
        "apply_patch", split=lambda given: split_patch(str(given.get(WHOLE, ""))), join=join_patch(WHOLE)
    ),
    "list_files": NativeTool("LS"),
    "search_files": NativeTool("Grep", {"regex": "pattern", "file_pattern": "glob"}),
    "search_codebase": NativeTool("search_codebase", split=_searches, join=_all_of("queries", "pattern")),
    "web_fetch": NativeTool("WebFetch"),
    "fetch_web_content": NativeTool("fetch_web_content", split=_fetches, join=_all_of("requests")),
    "web_search": NativeTool("WebSearch"),
    "access_mcp_resource": NativeTool("ReadMcpResourceTool", {"server_name": "server"}),
    "use_skill": NativeTool("Skill", {"skill_name": "skill"}),
    "skills": NativeTool("Skill"),
    "spawn_agent": NativeTool("Agent", {"task": "prompt"}, {"description": ""}),
}


def input_fields(name: str, given: JsonObject) -> JsonObject:
    """The input of a call whose values the extension sends as texts, of which some are JSON.

    Of Cline's own tools it is known which. A tool of an MCP server gets what it can be: most fields say so themselves.
    """
    if name in TOOLS:
        return {key: _list_in(value) if key in _LISTS else value for key, value in given.items()}
    return {key: _value_in(value) for key, value in given.items()}


def _list_in(value: Any) -> Any:
    found = _value_in(value)
    return found if isinstance(found, list | dict) else value


def _value_in(value: Any) -> Any:
    try:
        return read_value(value.encode()) if isinstance(value, str) else value
    except (InterlockError, UnicodeEncodeError):
        return value


def mcp_call(name: str, given: JsonObject) -> JsonObject | None:
    """A call of an MCP server's tool; None for any other."""
    if name == "use_mcp_tool":
        server, tool, arguments = (given.get(field) for field in ("server_name", "tool_name", "arguments"))
        if not isinstance(server, str) or not isinstance(tool, str):
            raise InterlockError("a call of use_mcp_tool does not say which tool")
        found = read_object(arguments.encode()) if isinstance(arguments, str) else arguments or {}
        return {"tool_name": mcp_tool(server, tool), "tool_input": found, "host_tool": name}
    changed = _CHANGED.fullmatch(name)
    server, parts, tool = name.partition("__")
    if changed is not None and not parts and len(name) == _MOST_NAME:
        return {"tool_name": f"mcp__{name}__shortened", "tool_input": given, "host_tool": name}
    if not parts or not server or not tool or server == "mcp":
        return None
    call = {"tool_name": f"mcp__{name}", "tool_input": given, "host_tool": name}
    if changed is None:
        return call
    # It may also be the name of the tool itself, so the call is judged as either.
    either = [f"mcp__{changed[1]}", f"mcp__{name}"]
    return {**call, "parts": [{"tool_name": one, "tool_input": given} for one in either]}
