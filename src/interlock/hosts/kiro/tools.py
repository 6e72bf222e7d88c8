"""Kiro's tools in the words of policies: those of CLI 2.x, and those that the editor and CLI 3 share.

A name can mean several things: `fs_write` writes, replaces, inserts and appends in CLI 2.x, and only writes in CLI 3.
Each of them has a row, whose name is that of the tool and a word that tells it from the others.
"""

from __future__ import annotations

import re
import shlex
from typing import Any, TypeAlias

from msgspec import json

from interlock.errors import InterlockError
from interlock.hosts.base.patches import deletion
from interlock.hosts.base.tools import NativeTool, Part, mcp_tool

__all__ = ["TOOLS", "mcp_call", "row_of"]

JsonObject: TypeAlias = dict[str, Any]
_OTHER_NAMES = {
    "read": "fs_read", "fsRead": "fs_read", "write": "fs_write", "fsWrite": "fs_write", "shell": "execute_bash",
    "bash": "execute_bash", "aws": "use_aws", "remote_web_search": "web_search", "read_multiple_files": "read_files",
    "execute_cmd": "execute_pwsh", "control_pwsh_process": "control_bash_process",
}  # fmt: skip
# A camel case name, or one with blanks, as words that are joined with dashes.
_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[_\s]+")
_HOOKS = ".kiro/hooks"


def _operations(given: JsonObject) -> list[Part]:
    """The reads of a call of CLI 2.x, and the one that CLI 3 would take from the same call."""
    found = given.get("operations")
    if not isinstance(found, list) or not found or not all(isinstance(one, dict) for one in found):
        raise InterlockError("the field `operations` of fs_read is missing or not a list of operations")
    also: list[Part] = [("Read", {"file_path": given["path"]})] if "path" in given else []
    return [*also, *(part for one in found for part in _operation(one))]


def _operation(one: JsonObject) -> list[Part]:
    path, images = one.get("path"), one.get("image_paths") or []
    if not isinstance(images, list) or (path is None and not images):
        raise InterlockError("an operation of fs_read names no path")
    parts: list[Part] = [("Read", {"file_path": image}) for image in images]
    if path is None:
        return parts
    if one.get("mode") == "Directory":
        return [*parts, ("LS", {"path": path})]
    if one.get("mode") == "Search":
        return [*parts, ("Read", {"file_path": path}), ("Grep", {"pattern": one.get("pattern", ""), "path": path})]
    return [*parts, ("Read", {"file_path": path})]


def _paths(given: JsonObject) -> list[Part]:
    paths = given.get("paths")
    if not isinstance(paths, list) or not paths:
        raise InterlockError("the field `paths` of read_files is missing or not a list of paths")
    return [("Read", {"file_path": path}) for path in paths]


def _deletion(given: JsonObject) -> list[Part]:
    path = given.get("file_path")
    if not isinstance(path, str) or not path:
        raise InterlockError("the field `targetFile` of delete_file is missing or not a text")
    return deletion(path)


def _move(given: JsonObject) -> list[Part]:
    old, new = given.get("sourcePath"), given.get("destinationPath")
    if not isinstance(old, str) or not isinstance(new, str):
        raise InterlockError("a call of smart_relocate does not say what is moved, and where")
    line = f"mv -- {shlex.quote(old)} {shlex.quote(new)}"
    return [("Edit", {"file_path": new, "old_string": "", "new_string": ""}), ("Bash", {"command": line})]


def _new_hook(given: JsonObject) -> list[Part]:
    """A hook of Kiro's own that the model writes: a file whose command Kiro runs."""
    name = given.get("id")
    if not isinstance(name, str) or not name:
        raise InterlockError("the field `id` of createHook is missing or not a text")
    content = given.get("command") or given.get("prompt") or ""
    return [("Write", {"file_path": f"{_HOOKS}/{name}.json", "content": content})]


def _aws(given: JsonObject) -> list[Part]:
    """A call of AWS's CLI counts as what it is, and as the command line that Kiro makes of it."""
    return [("use_aws", given), ("Bash", {"command": _aws_line(given)})]


def _aws_line(given: JsonObject) -> str:
    words = ["aws", *_option("region", given.get("region")), *_option("profile", given.get("profile_name"))]
    for field in ("service_name", "operation_name"):
        if not isinstance(given.get(field), str) or not given[field]:
            raise InterlockError(f"the field `{field}` of use_aws is missing or not a text")
        words.append(given[field])
    parameters = given.get("parameters")
    if not isinstance(parameters, dict | None):
        raise InterlockError("the field `parameters` of use_aws is not an object")
    for name, value in (parameters or {}).items():
        words += _option(_WORDS.sub("-", name.lstrip("-")).lower(), value)
    return shlex.join(words)


def _option(name: str, value: Any) -> list[str]:
    if value is None:
        return []
    text = value if isinstance(value, str) else json.encode(value).decode()
    return [f"--{name}", text] if text else [f"--{name}"]


_FILE = {"path": "file_path"}
_PUT = {"old_string": ""}  # a text that is put into a file replaces nothing
TOOLS = {
    "execute_bash": NativeTool("Bash"),
    "execute_pwsh": NativeTool("PowerShell"),
    "control_bash_process start": NativeTool("Bash"),
    "use_aws": NativeTool("use_aws", split=_aws),
    "read_file": NativeTool("Read", _FILE),
    "read_files": NativeTool("read_files", split=_paths),
    "fs_read": NativeTool("Read", _FILE),
    "fs_read operations": NativeTool("fs_read", split=_operations),
    "list_directory": NativeTool("LS"),
    "glob": NativeTool("Glob"),
    "file_search": NativeTool("Glob", {"query": "pattern"}),
    "grep": NativeTool("Grep", {"include": "glob"}),
    "grep_search": NativeTool("Grep", {"query": "pattern", "includePattern": "glob"}),
    "fs_write": NativeTool("Write", {**_FILE, "text": "content"}),
    "str_replace": NativeTool("Edit", {**_FILE, "oldStr": "old_string", "newStr": "new_string"}),
    "fs_append": NativeTool("Edit", {**_FILE, "text": "new_string"}, _PUT),
    "fs_write create": NativeTool("Write", {**_FILE, "file_text": "content"}),
    "fs_write create new_str": NativeTool("Write", {**_FILE, "new_str": "content"}),
    "fs_write str_replace": NativeTool("Edit", {**_FILE, "old_str": "old_string", "new_str": "new_string"}),
    "fs_write insert": NativeTool("Edit", {**_FILE, "new_str": "new_string"}, _PUT),
    "fs_write append": NativeTool("Edit", {**_FILE, "new_str": "new_string"}, _PUT),
    "delete_file": NativeTool("delete_file", {"targetFile": "file_path"}, split=_deletion),
    "smart_relocate": NativeTool("smart_relocate", split=_move),
    "createHook": NativeTool("createHook", split=_new_hook),
    "web_fetch": NativeTool("WebFetch", fill={"prompt": ""}),
    "web_search": NativeTool("WebSearch"),
    "invoke_sub_agent": NativeTool("Agent", {"name": "subagent_type", "explanation": "description"}),
    "delegate task": NativeTool("Agent", {"task": "prompt", "agent": "subagent_type"}, {"description": ""}),
}
_COMMANDS = ("create", "str_replace", "insert", "append")  # of fs_write in CLI 2.x


def row_of(name: Any, given: Any) -> Any:
    """The row of a call in the table; a name that is not in it for every other tool."""
    known = _OTHER_NAMES.get(name, name) if isinstance(name, str) else name
    if not isinstance(given, dict):
        return known
    if known == "fs_write" and {"command", "text"} <= given.keys():
        raise InterlockError("a call of fs_write has the fields of two versions, which would do different things")
    if known == "fs_write" and "command" in given:
        if given["command"] not in _COMMANDS:
            raise InterlockError("the field `command` of fs_write says nothing that is known")
        again = " new_str" if given["command"] == "create" and given.get("file_text") is None else ""
        return f"fs_write {given['command']}{again}"
    if known == "fs_read" and "operations" in given:
        return "fs_read operations"
    if known == "grep" and "query" in given:
        return "grep_search"
    if known == "control_bash_process" and given.get("command") is not None:
        return "control_bash_process start"
    return "delegate task" if known == "delegate" and given.get("task") is not None else known


def mcp_call(name: Any, given: Any) -> JsonObject | None:
    """A call of an MCP server's tool, whose name is `@server/tool`, or one by a Power; None for any other."""
    if not isinstance(name, str) or not isinstance(given, dict):
        return None
    if name == "kiro_powers" and given.get("action") == "use":
        server, tool, arguments = (given.get(field) for field in ("serverName", "toolName", "arguments"))
        if not isinstance(server, str) or not isinstance(tool, str) or not isinstance(arguments, dict | None):
            raise InterlockError("a call of kiro_powers does not say which tool is used, and how")
        return {"tool_name": mcp_tool(server, tool), "tool_input": arguments or {}, "host_tool": name}
    server, slash, tool = name.removeprefix("@").partition("/")
    if not name.startswith("@") or not server or not slash or not tool:
        return None
    return {"tool_name": mcp_tool(server, tool), "tool_input": given, "host_tool": name}
