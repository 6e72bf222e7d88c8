"""The dialect of Codex's hooks: Claude Code's fields, of which it takes only some, and each only in one form.

A key that Codex does not know, or a value that it does not expect, makes it ignore the whole answer, and the call runs.
So nothing is printed but what its schemas name.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from interlock.event import Event, ToolEvent
from interlock.facts.results import from_server
from interlock.facts.tools import parse_mcp
from interlock.hosts.base.claude_form import Write, nested_answer, permission_answer, tell
from interlock.hosts.base.denials import nested_in, object_in, string_in, text_of
from interlock.hosts.base.patches import join_patch, patch_for, split_patch
from interlock.hosts.base.samples import SESSION, sample_from
from interlock.hosts.base.speech import HostSpeech, as_agent, result_text
from interlock.hosts.base.table import (
    HookRow,
    NativeAnswer,
    TableDialect,
    call_fields,
    effects,
    native_input,
    text_instead,
    to_json,
)
from interlock.hosts.base.tools import NativeTool
from interlock.hosts.codex.shell_patches import split_command
from interlock.verdict import Verdict

__all__ = ["DIALECT", "SPEECH", "TITLE", "TOOLS", "denied", "sample"]

JsonObject: TypeAlias = dict[str, Any]
TITLE = "Codex"
BLOCK_EXIT = 2

TOOLS = {
    "Bash": NativeTool("Bash", split=split_command),
    "apply_patch": NativeTool(
        "apply_patch", split=lambda given: split_patch(str(given.get("command", ""))), join=join_patch("command")
    ),
    "view_image": NativeTool("Read", {"path": "file_path"}),
    "spawn_agent": NativeTool("Agent", {"message": "prompt", "agent_type": "subagent_type"}),
}
_CALLS = ("PreToolUse", "PermissionRequest", "PostToolUse")


def _translate(payload: JsonObject) -> JsonObject:
    if payload.get("hook_event_name") not in _CALLS:
        return payload
    found = payload | call_fields(TOOLS, payload.get("tool_name"), payload.get("tool_input"))
    if "tool_response" in found:
        found["tool_response"] = _result_of(str(found["tool_name"]), found["tool_response"])
    return found


def _result_of(tool: str, response: Any) -> Any:
    """A result as policies know it. Of a tool of an MCP server, Codex shows the model all that the server says."""
    blocks = response.get("content") if isinstance(response, dict) and parse_mcp(tool) is not None else None
    return from_server(response.get("structuredContent"), blocks) if isinstance(blocks, list) else response


def sample(tool: str, given: JsonObject, cwd: str) -> bytes | None:
    """A call as Codex would send it: what others do with a tool for files, it does with a patch."""
    patch = patch_for(tool, given)
    if patch is not None:
        return to_json(_payload("apply_patch", {"command": patch}, cwd))
    return _others(tool, given, cwd)


def _payload(tool: str, given: JsonObject, cwd: str) -> JsonObject:
    about = {"session_id": SESSION, "turn_id": "sample", "transcript_path": None, "cwd": cwd, "model": "sample"}
    call = {"permission_mode": "default", "tool_name": tool, "tool_input": given, "tool_use_id": "sample"}
    return {**about, "hook_event_name": "PreToolUse", **call}


_others = sample_from(TOOLS, _payload)


def _after(payload: JsonObject, event: ToolEvent) -> JsonObject:
    said = result_text(event)
    if parse_mcp(event.tool_name) is not None:
        said = {"content": [{"type": "text", "text": said}]}
    return {**payload, "tool_response": said}


SPEECH = HostSpeech(
    about={"PostToolUse": _after},
    agent=as_agent,
    modes={"bypassPermissions": {"permission_mode": "bypassPermissions"}},
)


def _call(verdict: Verdict, event: Event | None) -> NativeAnswer:
    if verdict.decision == "deny":
        return _deny(verdict.reason or "")
    said: JsonObject = {}
    if verdict.changes:
        # A change is taken only beside an allow, which waives no prompt of Codex.
        said |= {"permissionDecision": "allow", "updatedInput": native_input(TOOLS, event, verdict.input)}
    if verdict.told:
        said["additionalContext"] = verdict.told
    return nested_answer("PreToolUse", said, verdict)


def _deny(reason: str) -> NativeAnswer:
    said = {"permissionDecision": "deny", "permissionDecisionReason": reason}
    return NativeAnswer({"hookSpecificOutput": {"hookEventName": "PreToolUse", **said}}, reason, BLOCK_EXIT)


# Of an answer with any other key, Codex takes nothing.
_TOP = {"continue", "stopReason", "suppressOutput", "systemMessage", "decision", "reason", "hookSpecificOutput"}
_NESTED = {"hookEventName", "permissionDecision", "permissionDecisionReason", "updatedInput", "additionalContext"}
_DECIDES = ("permissionDecision", "permissionDecisionReason", "updatedInput")


def denied(code: int, stdout: bytes, stderr: bytes) -> str | None:
    """How Codex reads an answer to a call."""
    if code == BLOCK_EXIT:
        return text_of(stderr) or None
    said = object_in(text_of(stdout)) if code == 0 else None
    if said is None or not said.keys() <= _TOP or not nested_in(said).keys() <= _NESTED:
        return None
    if said.get("continue") is False or said.get("suppressOutput") or said.get("stopReason") is not None:
        return None
    nested = nested_in(said)
    if not any(nested.get(name) is not None for name in _DECIDES):
        return string_in(said, "reason") or None if said.get("decision") == "block" else None
    refuses = nested.get("permissionDecision") == "deny" and nested.get("updatedInput") is None
    return string_in(nested, "permissionDecisionReason") or None if refuses else None


def _result(verdict: Verdict, event: Event | None) -> NativeAnswer:
    told = {"additionalContext": verdict.told} if verdict.told else {}
    text = text_instead(verdict, event)
    return nested_answer("PostToolUse", told, verdict, None if text is None else {"decision": "block", "reason": text})


def _block(event_name: str) -> Write:
    def write(verdict: Verdict, event: Event | None) -> NativeAnswer:
        if verdict.decision == "deny":
            return NativeAnswer({"decision": "block", "reason": verdict.reason})
        return tell(event_name)(verdict, event)

    return write


def _notice(verdict: Verdict, event: Event | None) -> NativeAnswer:
    return nested_answer("", {}, verdict)


DIALECT = TableDialect(
    TITLE,
    {
        "PreToolUse": HookRow("PreToolUse", effects("deny change context"), _call),
        "PermissionRequest": HookRow("PermissionRequest", effects("allow ask deny"), permission_answer),
        "PostToolUse": HookRow("PostToolUse", effects("output context"), _result),
        "UserPromptSubmit": HookRow("UserPromptSubmit", effects("deny context"), _block("UserPromptSubmit")),
        "SessionStart": HookRow("SessionStart", effects("context"), _block("SessionStart")),
        "Stop": HookRow("Stop", effects("deny"), _block("Stop")),
        "SessionEnd": HookRow("SessionEnd", effects(""), _notice),
    },
    _translate,
    TOOLS,
)
