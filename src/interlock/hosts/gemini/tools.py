"""Gemini's tools: what policies call them, and the calls that do several things at once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, TypeAlias

from interlock.errors import InterlockError
from interlock.facts.paths import is_glob
from interlock.hosts.base.tools import NativeTool, Part, mcp_tool

__all__ = ["SHELL", "TOOLS", "mcp_name"]

JsonObject: TypeAlias = dict[str, Any]
SHELL = "run_shell_command"
# Between these Gemini looks for addresses: what JavaScript takes for white space, and nothing else.
_SPACE = re.compile("[\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+")
_CONTROL = re.compile("[\x00-\x1f\x7f]")


def _fetches(given: JsonObject) -> Sequence[Part]:
    """One fetch for each address: they stand in the text of the prompt, or one of them in a field of its own.

    The rest of the text is what is asked about the page.
    """
    prompt = given.get("prompt", "")
    if not isinstance(prompt, str):
        raise InterlockError("the field `prompt` of WebFetch is not a text")
    found = [word for word in _SPACE.split(prompt) if "://" in word]
    if any(_CONTROL.search(word) for word in found):
        raise InterlockError("an address in the field `prompt` of WebFetch contains a control character")
    if "url" in given:
        found.insert(0, given["url"])
    if not found:
        raise InterlockError("the field `prompt` of WebFetch contains no address")
    return [("WebFetch", {"url": url, "prompt": _without(prompt, url)}) for url in found]


def _fetch(tool: str, given: JsonObject) -> JsonObject:
    return {"prompt": f"{given.get('prompt') or ''} {given.get('url')}".strip()}


def _without(prompt: str, url: Any) -> str:
    return prompt.replace(url, "").strip() if isinstance(url, str) else prompt


def _reads(given: JsonObject) -> Sequence[Part]:
    """One read for each path. A pattern is a read of whatever it fits, in all folders below."""
    paths = given.get("include")
    if not isinstance(paths, list) or not paths or not all(isinstance(path, str) for path in paths):
        raise InterlockError("the field `include` of read_many_files is missing or not a list of paths")
    reads: list[Part] = [("Read", {"file_path": path}) for path in paths]
    return [*reads, *(("Grep", {"pattern": "", "glob": path}) for path in paths if is_glob(path))]


def mcp_name(name: str, context: Any) -> str:
    """The name that policies know an MCP tool by. Gemini's own joins server and tool with a single underscore."""
    if isinstance(context, dict):
        server, tool = context.get("server_name"), context.get("tool_name")
        if isinstance(server, str) and isinstance(tool, str):
            return mcp_tool(server, tool)
    server, underscore, tool = name.removeprefix("mcp_").partition("_")
    return f"mcp__{server}__{tool}" if server and underscore and tool else name


_SEARCH = {"dir_path": "path", "include_pattern": "glob"}
TOOLS = {
    SHELL: NativeTool("Bash", {"is_background": "run_in_background"}),
    "read_background_output": NativeTool("BashOutput"),
    "read_file": NativeTool("Read"),
    "read_many_files": NativeTool("read_many_files", split=_reads),
    "write_file": NativeTool("Write"),
    "replace": NativeTool("Edit", {"allow_multiple": "replace_all"}),
    "glob": NativeTool("Glob", {"dir_path": "path"}),
    "grep_search": NativeTool("Grep", _SEARCH),
    "search_file_content": NativeTool("Grep", _SEARCH),
    "list_directory": NativeTool("LS", {"dir_path": "path"}),
    "web_fetch": NativeTool("WebFetch", split=_fetches, join=_fetch),
    "google_web_search": NativeTool("WebSearch"),
    "invoke_agent": NativeTool("Agent", {"agent_name": "subagent_type"}),
    "activate_skill": NativeTool("Skill", {"name": "skill"}),
    "write_todos": NativeTool("TodoWrite"),
    "ask_user": NativeTool("AskUserQuestion"),
    "enter_plan_mode": NativeTool("EnterPlanMode"),
    "exit_plan_mode": NativeTool("ExitPlanMode"),
    "read_mcp_resource": NativeTool("ReadMcpResourceTool"),
    "list_mcp_resources": NativeTool("ListMcpResourcesTool"),
}
