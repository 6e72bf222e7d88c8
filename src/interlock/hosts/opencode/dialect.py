"""The dialect between Interlock and its plugin for OpenCode, which ignores nothing in an answer.

The plugin sends what OpenCode tells it, and carries out `deny`, `args`, `output`, `context` and `notice`.
"""

from __future__ import annotations

import posixpath
import re
from typing import Any, TypeAlias

from msgspec import UNSET

from interlock.errors import InterlockError
from interlock.event import Event, PostToolUse, ToolEvent
from interlock.facts.results import Misfit, fit, from_server
from interlock.facts.tools import McpName, parse_mcp
from interlock.hosts.base.denials import object_in, string_in, text_of
from interlock.hosts.base.patches import join_patch, split_patch
from interlock.hosts.base.samples import SESSION, sample_from
from interlock.hosts.base.speech import HostSpeech, result_text
from interlock.hosts.base.table import (
    HookRow,
    NativeAnswer,
    TableDialect,
    call_fields,
    effects,
    native_input,
    text_instead,
)
from interlock.hosts.base.tools import NativeTool
from interlock.verdict import Verdict

__all__ = ["DIALECT", "SPEECH", "TITLE", "TOOLS", "denied", "sample"]

JsonObject: TypeAlias = dict[str, Any]
TITLE = "OpenCode"
_FILE = {"filePath": "file_path"}

TOOLS = {
    "bash": NativeTool("Bash"),
    "read": NativeTool("Read", _FILE),
    "write": NativeTool("Write", _FILE),
    "edit": NativeTool(
        "Edit", {**_FILE, "oldString": "old_string", "newString": "new_string", "replaceAll": "replace_all"}
    ),
    "apply_patch": NativeTool(
        "apply_patch", split=lambda given: split_patch(str(given.get("patchText", ""))), join=join_patch("patchText")
    ),
    "glob": NativeTool("Glob"),
    "grep": NativeTool("Grep", {"include": "glob"}),
    "list": NativeTool("LS"),
    "lsp": NativeTool("LSP", _FILE),
    "webfetch": NativeTool("WebFetch"),
    "websearch": NativeTool("WebSearch"),
    "task": NativeTool("Agent"),
    "skill": NativeTool("Skill", {"name": "skill"}),
    "todowrite": NativeTool("TodoWrite"),
    "question": NativeTool("AskUserQuestion"),
    "list_mcp_resources": NativeTool("ListMcpResourcesTool"),
    "read_mcp_resource": NativeTool("ReadMcpResourceTool"),
}
_CALLS = ("tool.execute.before", "tool.execute.after")
_NOT_IN_NAMES = re.compile(r"[^a-zA-Z0-9_-]")


def _translate(payload: JsonObject) -> JsonObject:
    payload = _circumstances(payload)
    if payload.get("hook_event_name") not in _CALLS:
        return payload
    name, given, servers = (payload.pop(field, None) for field in ("tool", "args", "servers"))
    found = {"tool_use_id": payload.pop("call_id", ""), **payload, **_call_of(name, given, servers)}
    if "result" in found:
        found["tool_response"] = _result_of(str(found["tool_name"]), found.pop("result"))
    where = given.get("workdir") if name == "bash" and isinstance(given, dict) else None
    if isinstance(where, str) and where:
        found["cwd"] = posixpath.normpath(posixpath.join(str(payload.get("cwd")), where))
    return found


def _circumstances(payload: JsonObject) -> JsonObject:
    """The type of a subagent; of the agent that a person talks to, the mode: one of OpenCode's own only plans."""
    agent = payload.get("agent")
    if payload.get("agent_id") is not None:
        return payload | {"agent_type": agent}
    return payload | {"permission_mode": "plan"} if agent == "plan" else payload


def _result_of(tool: str, result: Any) -> Any:
    blocks = result.get("content") if isinstance(result, dict) and parse_mcp(tool) is not None else None
    return from_server(result.get("structuredContent"), blocks) if isinstance(blocks, list) else result


def _call_of(name: Any, given: Any, servers: Any) -> JsonObject:
    """A call in the words of policies. A tool of an MCP server is named after it: `server_tool`."""
    known = call_fields(TOOLS, name, given)
    if not isinstance(servers, list):
        raise InterlockError("the field `servers` is missing or not a list")
    starts = {_NOT_IN_NAMES.sub("_", str(server)) for server in servers}
    meant = [f"mcp__{start}__{name[len(start) + 1 :]}" for start in sorted(starts) if _begins(name, start)]
    if not meant:
        return known
    if len(meant) == 1 and name not in TOOLS:
        return {"tool_name": meant[0], "tool_input": given, "host_tool": name}
    # `a_b_c` may be `b_c` of the server `a`, or `c` of `a_b`: it is judged as either.
    parts = [{"tool_name": one, "tool_input": given} for one in meant]
    itself = known.get("parts") or [{"tool_name": known["tool_name"], "tool_input": known["tool_input"]}]
    return {**known, "parts": [*parts, *(itself if name in TOOLS else [])]}


def _begins(name: str, start: str) -> bool:
    return name.startswith(f"{start}_") and len(name) > len(start) + 1


def _payload(tool: str, given: JsonObject, cwd: str) -> JsonObject:
    about = {"session_id": SESSION, "cwd": cwd, "call_id": "sample"}
    return {"hook_event_name": "tool.execute.before", **about, "tool": tool, "servers": [], "args": given}


def _of_server(named: McpName, given: JsonObject, cwd: str) -> JsonObject:
    return _payload(f"{named.server}_{named.tool}", given, cwd) | {"servers": [named.server]}


sample = sample_from(TOOLS, _payload, _of_server)


def _after(payload: JsonObject, event: ToolEvent) -> JsonObject:
    said = result_text(event)
    if parse_mcp(event.tool_name) is not None:
        said = {"content": [{"type": "text", "text": said}]}
    return {**payload, "result": said}


SPEECH = HostSpeech(
    about={"PostToolUse": _after},
    agent=lambda payload, kind: {**payload, "agent_id": "agent-1", "agent": kind},
    modes={"plan": {"agent": "plan"}},
)


def _call(verdict: Verdict, event: Event | None) -> NativeAnswer:
    if verdict.decision == "deny":
        return _say(verdict, deny=verdict.reason)
    said = {"args": native_input(TOOLS, event, verdict.input)} if verdict.changes else {}
    return _say(verdict, **said, context=verdict.told)


def denied(code: int, stdout: bytes, stderr: bytes) -> str | None:
    """How the plugin reads an answer to a call: without one, it refuses the call with words of its own."""
    said = object_in(text_of(stdout)) if code == 0 else None
    if said is None:
        return ""
    return string_in(said, "deny") if "deny" in said else None


def _result(verdict: Verdict, event: Event | None) -> NativeAnswer:
    return _say(verdict, output=_instead(verdict, event), context=verdict.told)


def _instead(verdict: Verdict, event: Event | None) -> Any:
    """What the model reads instead of a result: blocks for those of an MCP server that has sent some."""
    if verdict.withheld is not None or verdict.output is UNSET or not isinstance(event, PostToolUse):
        return text_instead(verdict, event)
    try:
        return fit(event.tool_name, event.tool_response, verdict.output)
    except Misfit:
        return text_instead(verdict, event)


def _prompt(verdict: Verdict, event: Event | None) -> NativeAnswer:
    if verdict.decision == "deny":
        return _say(verdict, deny=verdict.reason)
    return _say(verdict, context=verdict.told)


def _say(verdict: Verdict, **said: Any) -> NativeAnswer:
    said["notice"] = "\n".join(verdict.notices) or None
    return NativeAnswer({name: value for name, value in said.items() if value is not None})


DIALECT = TableDialect(
    TITLE,
    {
        "tool.execute.before": HookRow("PreToolUse", effects("deny change context"), _call),
        "tool.execute.after": HookRow("PostToolUse", effects("output context"), _result),
        "chat.message": HookRow("UserPromptSubmit", effects("deny context"), _prompt),
    },
    _translate,
    TOOLS,
)
