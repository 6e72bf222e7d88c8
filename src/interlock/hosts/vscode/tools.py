"""VS Code's tools in the words of policies: many of them do several things, and name them in fields of their own."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from typing import Any, TypeAlias

from msgspec import json

from interlock.errors import InterlockError
from interlock.hosts.base.patches import split_patch
from interlock.hosts.base.table import call_fields
from interlock.hosts.base.tools import NativeTool, Part
from interlock.hosts.vscode import terminal
from interlock.hosts.vscode.addresses import file_at, opened_by

__all__ = ["SERVER", "TOOLS", "call_of"]

JsonObject: TypeAlias = dict[str, Any]
_FILE = {"filePath": "file_path"}
_NOTEBOOK = {"filePath": "notebook_path"}
_PATHS = ("file_path", "notebook_path", "path")
SERVER = 13  # characters of a server's name that are left in the names of its tools
_WEB = re.compile("https?:", re.IGNORECASE)


def _patch(given: JsonObject) -> list[Part]:
    text = given.get("input")
    if not isinstance(text, str):
        raise InterlockError("the field `input` of apply_patch is missing or not a text")
    return split_patch(text, opened_by)


def _replacements(given: JsonObject) -> list[Part]:
    """An edit for each replacement: they may be in several files."""
    listed = given.get("replacements")
    if not isinstance(listed, list) or not listed or not all(isinstance(one, dict) for one in listed):
        raise InterlockError("the field `replacements` of multi_replace_string_in_file is missing or not a list")
    names = {"filePath": "file_path", "oldString": "old_string", "newString": "new_string"}
    return [("Edit", {names.get(name, name): value for name, value in one.items()}) for one in listed]


def _insertion(given: JsonObject) -> list[Part]:
    """An edit that does not say what it replaces."""
    return [("Edit", {"file_path": given.get("file_path"), "old_string": "", "new_string": given.get("code")})]


def _cell(given: JsonObject) -> list[Part] | None:
    source = given.get("new_source")
    if not isinstance(source, list):
        return None
    return [("NotebookEdit", {**given, "new_source": "\n".join(map(str, source))})]


def _fetches(given: JsonObject) -> list[Part]:
    """One fetch for each address. Whatever is not of the web is read from the file system."""
    urls = given.get("urls")
    if not isinstance(urls, list) or not urls or not all(isinstance(url, str) for url in urls):
        raise InterlockError("the field `urls` of fetch_webpage is missing or not a list of addresses")
    return [_opening(url, given.get("query", "")) for url in urls]


def _opening(url: str, prompt: Any) -> Part:
    return ("WebFetch", {"url": url, "prompt": prompt}) if _WEB.match(url) else ("Read", {"file_path": file_at(url)})


def _page(given: JsonObject) -> list[Part] | None:
    """A page that is opened in the browser, if it is given an address."""
    url = given.get("url")
    if url is not None and not isinstance(url, str):
        raise InterlockError("the field `url` of a page is not a text")
    return [_opening(url, "")] if url else None


def _folder(given: JsonObject) -> list[Part]:
    """A folder that is made. No tool of policies does that, so it counts as the command."""
    path = given.get("dirPath")
    if not isinstance(path, str):
        raise InterlockError("the field `dirPath` of create_directory is missing or not a text")
    return [("Bash", {"command": f"mkdir -p -- {shlex.quote(opened_by(path))}"})]


def _task(given: JsonObject) -> list[Part]:
    """A task that is written into the tasks of a folder, and run there by a shell that quotes only some words."""
    task, folder = given.get("task"), given.get("workspaceFolder")
    words = task.get("args") or [] if isinstance(task, dict) else None
    command = task.get("command") if isinstance(task, dict) else None
    if not isinstance(command, str) or not isinstance(folder, str) or not isinstance(words, list):
        raise InterlockError("the task of create_and_run_task cannot be read")
    if not all(isinstance(word, str) for word in words):
        raise InterlockError("the task of create_and_run_task has arguments that are not texts")
    lines = dict.fromkeys((" ".join([command, *words]), " ".join([command, *map(shlex.quote, words)])))
    written = json.encode(task).decode()
    file = {"file_path": f"{folder}/.vscode/tasks.json", "old_string": "", "new_string": written}
    return [*(("Bash", {"command": line}) for line in lines), ("Edit", file)]


TOOLS = {
    "run_in_terminal": NativeTool(
        "Bash", {"explanation": "description", "isBackground": "run_in_background"}, split=terminal.run
    ),
    "send_to_terminal": NativeTool("Bash", split=terminal.send),
    "create_and_run_task": NativeTool("create_and_run_task", split=_task),
    "get_terminal_output": NativeTool("BashOutput"),
    "kill_terminal": NativeTool("TaskStop", {"id": "task_id"}),
    "create_file": NativeTool("Write", _FILE),
    "replace_string_in_file": NativeTool("Edit", {**_FILE, "oldString": "old_string", "newString": "new_string"}),
    "multi_replace_string_in_file": NativeTool("multi_replace_string_in_file", split=_replacements),
    "insert_edit_into_file": NativeTool("insert_edit_into_file", _FILE, split=_insertion),
    "apply_patch": NativeTool("apply_patch", split=_patch),
    "edit_notebook_file": NativeTool(
        "NotebookEdit",
        {**_NOTEBOOK, "cellId": "cell_id", "newCode": "new_source", "editType": "edit_mode"},
        split=_cell,
    ),
    "create_directory": NativeTool("create_directory", split=_folder),
    "read_file": NativeTool("Read", _FILE),
    "view_image": NativeTool("Read", _FILE),
    "copilot_getNotebookSummary": NativeTool("NotebookRead", _NOTEBOOK),
    "read_notebook_cell_output": NativeTool("NotebookRead", _NOTEBOOK),
    "list_dir": NativeTool("LS"),
    "file_search": NativeTool("Glob", {"query": "pattern"}),
    "grep_search": NativeTool("Grep", {"query": "pattern", "includePattern": "glob", "maxResults": "head_limit"}),
    "fetch_webpage": NativeTool("fetch_webpage", split=_fetches),
    "open_browser_page": NativeTool("open_browser_page", split=_page),
    "navigate_page": NativeTool("navigate_page", split=_page),
    "runSubagent": NativeTool("Agent", {"agentName": "subagent_type"}),
    "search_subagent": NativeTool("Agent", {"query": "prompt"}),
    "explore_subagent": NativeTool("Agent", {"query": "prompt"}),
    "execution_subagent": NativeTool("Agent", {"query": "prompt"}),
    "skill": NativeTool("Skill"),
    "manage_todo_list": NativeTool("TodoWrite"),
    "vscode_askQuestions": NativeTool("AskUserQuestion"),
    "tool_search": NativeTool("ToolSearch"),
}


def call_of(name: Any, given: Any) -> JsonObject:
    """The fields of an event about a call, with its files where VS Code opens them."""
    found = call_fields(TOOLS, name, given)
    meant = _of_servers(name) if name not in TOOLS else []
    if len(meant) == 1:
        return {**found, "tool_name": meant[0], "host_tool": name}
    if meant:
        # `mcp_a_b_c` may be `b_c` of the server `a`, or `c` of `a_b`: it is judged as either.
        return {**found, "parts": [{"tool_name": one, "tool_input": given} for one in meant]}
    if name in TOOLS and "parts" not in found:
        found["tool_input"] = _with_files(found["tool_input"])
    return {**found, "parts": [_part_with_files(part) for part in found["parts"]]} if "parts" in found else found


def _part_with_files(part: JsonObject) -> JsonObject:
    return {**part, "tool_input": _with_files(part["tool_input"])}


def _with_files(given: JsonObject) -> JsonObject:
    return {name: opened_by(value) if name in _PATHS and isinstance(value, str) else value
            for name, value in given.items()}  # fmt: skip


def _of_servers(name: str) -> Sequence[str]:
    """What a tool of an MCP server can be: `mcp_`, some of the server's name, and the tool's, each after a `_`."""
    words = name.removeprefix("mcp_").split("_") if name.startswith("mcp_") else []
    splits = (("_".join(words[:at]), "_".join(words[at:])) for at in range(1, len(words)))
    return [f"mcp__{server}__{tool}" for server, tool in splits if server and tool and len(server) <= SERVER]
