"""The dialect of Copilot CLI's hooks: Claude Code's names of events and tools, with fields of its own.

A denial is an answer with exit code 0: with any other code Copilot refuses too, but does not pass the reason on. What
the model is told beside a result must not be nested as Claude Code wants it, and what a prompt is answered must not
either: Copilot ignores both.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from interlock.event import Event, ToolEvent
from interlock.facts.results import said_twice
from interlock.facts.tools import McpName
from interlock.hosts.base.denials import nested_in, object_in, string_in, text_of
from interlock.hosts.base.reply import NothingToJudge
from interlock.hosts.base.samples import sample_from
from interlock.hosts.base.speech import HostSpeech, as_agent, result_text
from interlock.hosts.base.table import (
    HookRow,
    NativeAnswer,
    TableDialect,
    call_fields,
    effects,
    native_input,
    text_instead,
)
from interlock.hosts.base.tools import NativeTool, from_policy, mcp_tool
from interlock.hosts.copilot.tools import PROMPTS, TOOLS, fields_of_call
from interlock.verdict import Verdict

__all__ = ["DIALECT", "SPEECH", "TITLE", "denied", "sample"]

JsonObject: TypeAlias = dict[str, Any]
TITLE = "Copilot CLI"
_CALLS = ("PreToolUse", "PostToolUse", "PostToolUseFailure")
_PROMPT = "permissionRequest"
_STARTS = {"new": "startup"}
_NEW = {known: own for own, known in _STARTS.items()}


def _translate(payload: JsonObject) -> JsonObject:
    if payload.get("hookName") == _PROMPT:
        return _prompt_fields(payload)
    payload = _as_subagent(payload)
    name = payload.get("hook_event_name")
    if name == "SessionStart":
        source = payload.get("source")
        return payload | {"source": _STARTS.get(source, source) if isinstance(source, str) else source}
    if name not in _CALLS:
        return payload
    found = payload | fields_of_call(payload.get("tool_name"), payload.get("tool_input"))
    result = found.pop("tool_result", None)
    if name == "PostToolUse":
        text = result.get("text_result_for_llm") if isinstance(result, dict) else None
        found["tool_response"] = _without_copy(text) if isinstance(text, str) else result
    return found


def _without_copy(text: str) -> str:
    """A result without the structure that a tool of an MCP server adds to it, where that says the same once more."""
    before, _, last = text.rpartition("\n\n")
    return said_twice((before, last)) or text


def _as_subagent(payload: JsonObject) -> JsonObject:
    """What a subagent does, in the session that a person started: Copilot gives it a session of its own.

    A subagent is prompted by the call that starts it, which was judged, and it is not the turn that ends with it.
    """
    session = payload.get("parent_agent_id")
    if not isinstance(session, str) or not isinstance(payload.get("agent_id"), str):
        return payload
    if payload.get("hook_event_name") in ("UserPromptSubmit", "Stop"):
        raise NothingToJudge(session)
    return payload | {"session_id": session}


def _prompt_fields(payload: JsonObject) -> JsonObject:
    """A prompt, which comes with the names of Copilot's other protocol."""
    found = {key: value for key, value in payload.items() if key not in ("hookName", "toolName", "toolInput")}
    found["session_id"] = found.pop("sessionId", None)
    found["permission_suggestions"] = found.pop("permissionSuggestions", None)
    name = payload.get("toolName")
    named = call_fields(PROMPTS, name, payload.get("toolInput"))
    server, slash, tool = name.partition("/") if isinstance(name, str) else ("", "", "")
    if server and slash and tool:
        named |= {"tool_name": mcp_tool(server, tool), "host_tool": name}
    return {"hook_event_name": "PermissionRequest", **found, **named}


def _payload(tool: str, given: JsonObject, cwd: str) -> JsonObject:
    about = {"session_id": "sample", "timestamp": "2026-01-02T03:04:05.678Z", "cwd": cwd}
    return {"hook_event_name": "PreToolUse", **about, "tool_name": tool, "tool_input": given}


def _of_server(named: McpName, given: JsonObject, cwd: str) -> JsonObject:
    return _payload(f"{named.server}-{named.tool}", given, cwd)


sample = sample_from(TOOLS, _payload, _of_server)


def _after(payload: JsonObject, event: ToolEvent) -> JsonObject:
    said = result_text(event)
    result = {"result_type": "success", "text_result_for_llm": said} if isinstance(said, str) else said
    return {**payload, "tool_result": result}


def _prompt_payload(payload: JsonObject, event: ToolEvent) -> JsonObject:
    known = ((name, tool) for name, tool in PROMPTS.items() if tool.name == event.tool_name)
    own, tool = next(known, (event.tool_name, NativeTool(event.tool_name)))
    about = {"sessionId": payload["session_id"], "cwd": payload["cwd"], "permissionSuggestions": []}
    given = from_policy(tool, event.tool_input)
    return {**about, "hookName": _PROMPT, "toolName": own, "toolInput": given}


def _in_subagent(payload: JsonObject, kind: str) -> JsonObject:
    return {**as_agent(payload, kind), "session_id": "agent-1", "parent_agent_id": payload.get("session_id")}


SPEECH = HostSpeech(
    about={"PostToolUse": _after, "PermissionRequest": _prompt_payload},
    others={"SessionStart": lambda payload: {**payload, "source": _NEW.get(payload["source"], payload["source"])}},
    agent=_in_subagent,
)


def _call(verdict: Verdict, event: Event | None) -> NativeAnswer:
    said: JsonObject = {}
    if verdict.decision is not None:
        said["permissionDecision"] = verdict.decision
        if verdict.reason is not None:
            said["permissionDecisionReason"] = verdict.reason
    if verdict.changes and verdict.decision != "deny":
        said["updatedInput"] = native_input(TOOLS, event, verdict.input)
    if verdict.told:
        said["additionalContext"] = verdict.told
    return _say({"hookSpecificOutput": {"hookEventName": "PreToolUse", **said}} if said else {}, verdict)


def denied(code: int, stdout: bytes, stderr: bytes) -> str | None:
    """How Copilot reads an answer to a call: any code but 0 refuses without a word."""
    if code != 0:
        return ""
    said = object_in(text_of(stdout)) or {}
    answer = nested_in(said) or said
    return string_in(answer, "permissionDecisionReason") if answer.get("permissionDecision") == "deny" else None


def _prompt(verdict: Verdict, event: Event | None) -> NativeAnswer:
    if verdict.decision not in ("allow", "deny"):
        return _say({}, verdict)
    said: JsonObject = {"behavior": verdict.decision}
    if verdict.decision == "deny":
        said["message"] = verdict.reason
        if verdict.interrupt:
            said["interrupt"] = True
    return _say(said, verdict)


def _result(verdict: Verdict, event: Event | None) -> NativeAnswer:
    text = text_instead(verdict, event)
    said: JsonObject = {} if text is None else {"modifiedResult": {"resultType": "success", "textResultForLlm": text}}
    return _say(said | _context(verdict), verdict)


def _block(verdict: Verdict, event: Event | None) -> NativeAnswer:
    if verdict.decision == "deny":
        return _say({"decision": "block", "reason": verdict.reason}, verdict)
    return _say(_context(verdict), verdict)


def _context(verdict: Verdict) -> JsonObject:
    return {"additionalContext": verdict.told} if verdict.told else {}


def _say(said: JsonObject, verdict: Verdict) -> NativeAnswer:
    # It shows nobody a notice of a hook that went well, but keeps it in its log.
    return NativeAnswer(said or None, "\n".join(verdict.notices))


DIALECT = TableDialect(
    TITLE,
    {
        "PreToolUse": HookRow("PreToolUse", effects("allow ask deny change context"), _call),
        # Without an answer it goes by its own permissions, which may let everything run: no question is asked here.
        "PermissionRequest": HookRow("PermissionRequest", effects("allow deny interrupt"), _prompt),
        "PostToolUse": HookRow("PostToolUse", effects("output context"), _result),
        "PostToolUseFailure": HookRow("PostToolUseFailure", effects("context"), _block, holds_back=False),
        "UserPromptSubmit": HookRow("UserPromptSubmit", effects("deny context"), _block),
        "SessionStart": HookRow("SessionStart", effects("context"), _block),
        "Stop": HookRow("Stop", effects("deny"), _block),
        "SessionEnd": HookRow("SessionEnd", effects(""), _block),
    },
    _translate,
    TOOLS,
)
