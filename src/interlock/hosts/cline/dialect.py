"""The dialect of Cline's hooks. The extension and the SDK say the same things in other fields, and take one answer.

Exit codes mean nothing to Cline, and `review` is read and never used, so a call is refused by `cancel` alone, which
ends the run as well.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from interlock.errors import InterlockError
from interlock.event import Event, ToolEvent
from interlock.facts.tools import McpName
from interlock.hosts.base.denials import object_in, string_in, text_of
from interlock.hosts.base.samples import SESSION, sample_from
from interlock.hosts.base.speech import HostSpeech, result_text
from interlock.hosts.base.table import HookRow, NativeAnswer, TableDialect, call_fields, effects
from interlock.hosts.cline.tools import TOOLS, WHOLE, input_fields, mcp_call
from interlock.verdict import Verdict

__all__ = ["DIALECT", "MARK", "SPEECH", "TITLE", "denied", "sample"]

JsonObject: TypeAlias = dict[str, Any]
TITLE = "Cline"
MARK = "clineVersion"  # in each of its events, and in none of any other host
# The events by the names of the extension and of the SDK, and the fields in which either describes a call.
_BEFORE = {"PreToolUse": ("preToolUse", "toolName", "parameters"), "tool_call": ("tool_call", "name", "input")}
_AFTER = {"PostToolUse": ("postToolUse", "toolName", "parameters"), "tool_result": ("tool_result", "name", "input")}


def _translate(payload: JsonObject) -> JsonObject:
    event = payload.get("hookName")
    about = _about(payload)
    if not isinstance(event, str) or event not in {**_BEFORE, **_AFTER}:
        return {**about, "hook_event_name": event}
    where, name_of, given_of = {**_BEFORE, **_AFTER}[event]
    call = payload.get(where)
    if not isinstance(call, dict):
        raise InterlockError(f"the field `{where}` is missing or not an object")
    found = {**about, "hook_event_name": event, "tool_use_id": str(call.get("id") or "")}
    found |= _call_of(call.get(name_of), call.get(given_of), as_texts=given_of == "parameters")
    if event in _AFTER:
        result = call.get("result") if "result" in call else call.get("output")
        found["tool_response"] = call.get("error") if result is None else result
    return found


def _about(payload: JsonObject) -> JsonObject:
    roots = payload.get("workspaceRoots")
    session = payload.get("sessionContext")
    task = payload.get("taskId")
    root = session.get("rootSessionId") if isinstance(session, dict) else None
    # The roots are those of all windows of an editor, and the first may be another's.
    cwd = payload.get("cwd") or (roots[0] if isinstance(roots, list) and roots else "")
    found = {"session_id": root or task, "cwd": cwd}
    return {**found, "agent_id": payload.get("agent_id")} if payload.get("parent_agent_id") else found


def _call_of(name: Any, given: Any, *, as_texts: bool) -> JsonObject:
    if isinstance(given, str | list):
        given = {WHOLE: given}
    if as_texts and isinstance(name, str) and isinstance(given, dict):
        given = input_fields(name, given)
    mcp = mcp_call(name, given) if isinstance(name, str) and isinstance(given, dict) and name not in TOOLS else None
    return mcp or call_fields(TOOLS, name, given)


def _payload(tool: str, given: JsonObject, cwd: str) -> JsonObject:
    about = {"hookName": "tool_call", MARK: "sample", "taskId": SESSION, "workspaceRoots": [cwd]}
    return {**about, "tool_call": {"id": "sample", "name": tool, "input": given}}


def _of_server(named: McpName, given: JsonObject, cwd: str) -> JsonObject:
    return _payload(f"{named.server}__{named.tool}", given, cwd)


_others = sample_from(TOOLS, _payload, _of_server)


def sample(tool: str, given: JsonObject, cwd: str) -> bytes | None:
    """A call as Cline would send it. It has no edit that replaces nothing: that is how it writes a file."""
    return None if tool == "Edit" and not given["old_string"] else _others(tool, given, cwd)


def _after(payload: JsonObject, event: ToolEvent) -> JsonObject:
    call = payload.pop("tool_call")
    return {**payload, "hookName": "tool_result", "tool_result": {**call, "output": result_text(event)}}


SPEECH = HostSpeech(about={"PostToolUse": _after})


def _call(verdict: Verdict, event: Event | None) -> NativeAnswer:
    if verdict.decision == "deny":
        return NativeAnswer({"cancel": True, "errorMessage": verdict.reason}, verdict.reason or "")
    return _pass(verdict)


def denied(code: int, stdout: bytes, stderr: bytes) -> str | None:
    """How Cline reads an answer to a call, whatever the code."""
    said = object_in(text_of(stdout)) or {}
    return string_in(said, "errorMessage") if said.get("cancel") is True else None


def _result(verdict: Verdict, event: Event | None) -> NativeAnswer:
    # Nothing takes a result back. The run ends, so that a person sees it before the model acts on it.
    if verdict.interrupt or verdict.withheld is not None:
        why = verdict.withheld or verdict.stop_reason or ""
        return NativeAnswer({"cancel": True, "errorMessage": why}, "\n".join(verdict.notices))
    return _pass(verdict)


def _pass(verdict: Verdict) -> NativeAnswer:
    said = {"contextModification": verdict.told} if verdict.told else {}
    return NativeAnswer({"cancel": False, **said}, "\n".join(verdict.notices))


_BEFORE_ROW = HookRow("PreToolUse", effects("deny context interrupt"), _call)
_AFTER_ROW = HookRow("PostToolUse", effects("context interrupt"), _result, holds_back=False)
DIALECT = TableDialect(
    TITLE, {**dict.fromkeys(_BEFORE, _BEFORE_ROW), **dict.fromkeys(_AFTER, _AFTER_ROW)}, _translate, TOOLS
)
