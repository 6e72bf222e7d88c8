"""The dialect of Qwen Code's hooks: Claude Code's fields, of which some are read and then not used.

A changed input is dropped, and so is a block of a result. What it calls a stop of the run after a call is in truth a
replacement of the result, and the run goes on.
"""

from __future__ import annotations

import re
from typing import Any, TypeAlias

from interlock.event import Event, ToolEvent
from interlock.facts.results import said_twice
from interlock.facts.tools import parse_mcp
from interlock.hosts.base.claude_form import Write, nested_answer, permission_answer, tell
from interlock.hosts.base.denials import nested_in, string_in, text_of, value_in
from interlock.hosts.base.reply import NothingToJudge
from interlock.hosts.base.samples import SESSION, sample_from
from interlock.hosts.base.speech import HostSpeech, result_text
from interlock.hosts.base.table import HookRow, NativeAnswer, TableDialect, call_fields, effects, text_instead
from interlock.hosts.qwen.tools import SHELLS, TOOLS, given_name
from interlock.verdict import Verdict

__all__ = ["DIALECT", "SPEECH", "TITLE", "denied", "sample"]

JsonObject: TypeAlias = dict[str, Any]
TITLE = "Qwen Code"
BLOCK_EXIT = 2
_CALLS = ("PreToolUse", "PermissionRequest", "PostToolUse", "PostToolUseFailure")
MODES = {"plan": "plan", "auto_edit": "acceptEdits", "auto": "auto", "yolo": "bypassPermissions"}
# A subagent is called by its type and by the id of the call that started it, whose form is that of the model's API.
_TYPE = re.compile(r"(.+?)-(?:call[_-].*|toolu_.*|chatcmpl-.*|[^-]*)")


def _translate(payload: JsonObject) -> JsonObject:
    name = payload.get("hook_event_name")
    if name == "UserPromptSubmit" and payload.get("prompt") == "" and "submitted_prompt" not in payload:
        # Raised again whenever results go to the model. What could not end a turn before does so here.
        raise NothingToJudge(str(payload.get("session_id")))
    if name == "PostToolBatch":
        return payload | {"tool_calls": [_batch_call(call) for call in payload.get("tool_calls") or ()]}
    payload = payload | _circumstances(payload)
    if name not in _CALLS:
        return payload
    found = payload | call_fields(TOOLS, payload.get("tool_name"), payload.get("tool_input"))
    found |= _as_either(str(payload["tool_name"]), found["tool_input"])
    if payload["tool_name"] in SHELLS:
        # The command runs there, so its paths mean what they mean there.
        found["cwd"] = payload["tool_input"].get("directory") or payload.get("cwd")
    if name == "PostToolUse":
        found["tool_response"] = _result_of(payload.get("tool_response"))
    return found | _id_of(payload)


def _as_either(tool: str, given: JsonObject) -> JsonObject:
    """The names of a tool of a server that may have a hash at its end: it is judged by either."""
    name = given_name(tool)
    if name == tool:
        return {}
    parts = [{"tool_name": name, "tool_input": given}, {"tool_name": tool, "tool_input": given, "instead": True}]
    return {"tool_name": name, "host_tool": tool, "parts": parts}


def _circumstances(payload: JsonObject) -> JsonObject:
    """The mode in the words of policies, and the type of a subagent, with which its id begins."""
    mode, agent = payload.get("permission_mode"), payload.get("agent_id")
    found = {"permission_mode": MODES[mode]} if isinstance(mode, str) and mode in MODES else {}
    if isinstance(agent, str) and not payload.get("agent_type"):
        named = _TYPE.fullmatch(agent)
        found["agent_type"] = agent if named is None else named[1]
    return found


def _id_of(payload: JsonObject) -> JsonObject:
    """The id of a call. Qwen makes one of its own, and names a finished batch by the one that the model gave."""
    given = payload.get("tool_call_id") or payload.get("tool_use_id")
    return {} if given is None else {"tool_use_id": given, "host_call": payload.get("tool_use_id") or ""}


def _batch_call(call: Any) -> Any:
    if not isinstance(call, dict):
        return call
    # Not refused for a missing field: it has run.
    name = call.get("tool_name")
    tool = TOOLS.get(name) if isinstance(name, str) else None
    named = {"tool_name": tool.name if tool is not None else given_name(name)} if isinstance(name, str) else {}
    return call | named | {"tool_response": _batch_result(call.get("tool_response"))} | _id_of(call)


def _result_of(response: Any) -> Any:
    """What the model reads of a result."""
    if not isinstance(response, dict) or "llmContent" not in response:
        return response
    texts = _texts_of(response["llmContent"])
    return response["llmContent"] if texts is None else said_twice(texts) or "\n".join(texts)


def _texts_of(content: Any) -> list[str] | None:
    """The texts of a result that is nothing but text: of an MCP server's, its structure may come before its blocks."""
    parts = content if isinstance(content, list) else [content]
    texts = [part["text"] if isinstance(part, dict) and part.keys() == {"text"} else part for part in parts]
    return texts if all(isinstance(text, str) for text in texts) else None


def _batch_result(response: Any) -> Any:
    """The text of a result in a batch; the whole of it if it is more than a text."""
    parts = response.get("response_parts") if isinstance(response, dict) else None
    if not isinstance(parts, list):
        return response
    texts = []
    for part in parts:
        answer = part.get("functionResponse") if isinstance(part, dict) else None
        said = answer.get("response") if isinstance(answer, dict) else None
        text = said.get("output", said.get("error")) if isinstance(said, dict) else None
        if not isinstance(text, str):
            return response
        texts.append(text)
    return "\n".join(texts)


def _payload(tool: str, given: JsonObject, cwd: str) -> JsonObject:
    about = {"session_id": SESSION, "transcript_path": "", "cwd": cwd, "permission_mode": "default"}
    call = {"tool_name": tool, "tool_input": given, "tool_use_id": "sample", "tool_call_id": "sample"}
    return {**about, "hook_event_name": "PreToolUse", **call}


sample = sample_from(TOOLS, _payload)


def _after(payload: JsonObject, event: ToolEvent) -> JsonObject:
    said = result_text(event)
    if parse_mcp(event.tool_name) is not None:
        said = [{"text": said}]
    return {**payload, "tool_response": {"llmContent": said, "returnDisplay": ""}}


SPEECH = HostSpeech(
    about={"PostToolUse": _after},
    others={"UserPromptSubmit": lambda payload: {**payload, "submitted_prompt": payload["prompt"]}},
    agent=lambda payload, kind: {**payload, "agent_id": f"{kind}-call_0_0"},
    modes={known: {"permission_mode": own} for own, known in MODES.items()},
)


def _call(verdict: Verdict, event: Event | None) -> NativeAnswer:
    if verdict.decision not in ("deny", "ask"):
        return nested_answer("PreToolUse", {}, verdict)
    said = {"permissionDecision": verdict.decision, "permissionDecisionReason": verdict.reason}
    answer = nested_answer("PreToolUse", said, verdict)
    if verdict.decision == "ask":
        return answer
    return NativeAnswer(answer.stdout, verdict.reason or "", BLOCK_EXIT)


def denied(code: int, stdout: bytes, stderr: bytes) -> str | None:
    """How Qwen reads an answer to a call: after an exit code of 2 what is on stderr, otherwise what was printed."""
    text = text_of(stderr) if code == BLOCK_EXIT else text_of(stdout) or text_of(stderr)
    try:
        said = value_in(text)
        said = value_in(said) if isinstance(said, str) else said
    except ValueError:
        said = None
    if not isinstance(said, dict):
        return text if text and code == BLOCK_EXIT else None
    nested = nested_in(said)
    decision = nested.get("permissionDecision")
    if decision not in ("allow", "ask", "deny"):
        decision = said.get("decision")
    if decision in ("deny", "block"):
        return string_in(nested, "permissionDecisionReason") or string_in(said, "reason", "stopReason")
    stops = decision != "ask" and said.get("continue") is False
    return string_in(said, "stopReason", "reason") if stops else None


def _result(verdict: Verdict, event: Event | None) -> NativeAnswer:
    text = text_instead(verdict, event)
    if text is None:
        return tell("PostToolUse")(verdict, event)
    # Beside a replaced result, Qwen drops the context.
    whole = {"continue": False, "stopReason": f"{text}\n\n{verdict.told}" if verdict.told else text}
    return nested_answer("PostToolUse", {}, verdict, whole)


def _block(event_name: str) -> Write:
    def write(verdict: Verdict, event: Event | None) -> NativeAnswer:
        if verdict.decision != "deny":
            return tell(event_name)(verdict, event)
        return nested_answer(event_name, {}, verdict, {"decision": "block", "reason": verdict.reason})

    return write


DIALECT = TableDialect(
    TITLE,
    {
        "PreToolUse": HookRow("PreToolUse", effects("ask deny interrupt"), _call),
        "PermissionRequest": HookRow("PermissionRequest", effects("allow ask deny"), permission_answer),
        "PostToolUse": HookRow("PostToolUse", effects("output context interrupt"), _result),
        "PostToolUseFailure": HookRow(
            "PostToolUseFailure", effects("context"), tell("PostToolUseFailure"), holds_back=False
        ),
        # A denial takes the place of the batch's last result, and ends the turn before the others are read.
        "PostToolBatch": HookRow("PostToolBatch", effects("deny context interrupt"), _block("PostToolBatch")),
        "UserPromptSubmit": HookRow("UserPromptSubmit", effects("deny context"), _block("UserPromptSubmit")),
        "SessionStart": HookRow("SessionStart", effects("context"), tell("SessionStart")),
        "Stop": HookRow("Stop", effects("deny"), _block("Stop")),
        "SessionEnd": HookRow("SessionEnd", effects(""), tell("SessionEnd")),
    },
    _translate,
    TOOLS,
)
