"""Cursor's events in the fields of policies. Several of them are about one call, and each says something else of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from interlock.errors import InterlockError
from interlock.hosts.base.reply import NothingToJudge
from interlock.hosts.base.table import HOST_EVENT
from interlock.hosts.cursor.tools import MCP, SHELL, fields_of_call, mcp_name
from interlock.jsontext import read_object, read_value

__all__ = ["COMMAND", "FAILED_OF_SERVER", "OF_SERVER", "RESULT_OF_SERVER", "translate"]

JsonObject: TypeAlias = dict[str, Any]
# Rows of an event's own for two kinds of calls: commands, and tools of servers.
COMMAND, OF_SERVER = "preToolUse Shell", "preToolUse MCP"
RESULT_OF_SERVER, FAILED_OF_SERVER = "postToolUse MCP", "postToolUseFailure MCP"
_LEFT_OUT = frozenset({"user_email", "content"})  # nothing judges them, and they do not belong into a record


def translate(payload: JsonObject) -> JsonObject:
    """A payload of Cursor in the fields of Claude Code. Raises InterlockError for what cannot be read."""
    native = payload.get("hook_event_name")
    found = {key: value for key, value in payload.items() if key not in _LEFT_OUT} | _about(payload)
    read = _READ.get(native) if isinstance(native, str) else None
    return found if read is None else found | read(found)


def _about(payload: JsonObject) -> JsonObject:
    """The session, and the folder in which a call means what it says."""
    roots = payload.get("workspace_roots")
    root = roots[0] if isinstance(roots, list) and roots else ""
    session = payload.get("session_id") or payload.get("conversation_id")
    if not session and payload.get("hook_event_name") == "beforeTabFileRead":
        session = f"completions in {root}"  # they belong to no conversation
    return {"session_id": session, "cwd": payload.get("cwd") or root}


def _call(payload: JsonObject) -> JsonObject:
    name, given = payload.get("tool_name"), payload.get("tool_input")
    found = fields_of_call(name, given)
    if name != SHELL or not isinstance(given, dict):
        return found
    place = given.get("cwd") or given.get("working_directory")
    return {**found, "cwd": place} if place else found


def _before(payload: JsonObject) -> JsonObject:
    if payload.get("tool_name") == SHELL:
        return {**_call(payload), HOST_EVENT: COMMAND}
    return _call(payload) | _of_server(payload, OF_SERVER)


def _of_server(payload: JsonObject, row: str) -> JsonObject:
    name = payload.get("tool_name")
    return {HOST_EVENT: row} if isinstance(name, str) and name.startswith(MCP) else {}


def _server_call(payload: JsonObject) -> JsonObject:
    name, given = payload.get("tool_name"), payload.get("tool_input")
    if not isinstance(name, str):
        raise InterlockError("the field `tool_name` is missing or not a text")
    found = read_object(given.encode("utf-8", "surrogatepass")) if isinstance(given, str) else given
    call = fields_of_call(f"{MCP}{name}", found)
    return {**call, "tool_name": mcp_name(payload.get("mcp_server_name"), name)}


def _result(payload: JsonObject) -> JsonObject:
    shown = _text_of(payload.get("tool_name"), payload.get("tool_output"))
    return {**_call(payload), **_of_server(payload, RESULT_OF_SERVER), "tool_response": shown}


def _text_of(name: Any, output: Any) -> Any:
    """What the model reads of a result, which comes as a text of JSON with other things beside it."""
    try:
        said = read_value(output.encode("utf-8", "surrogatepass")) if isinstance(output, str) else output
    except InterlockError:
        return output
    if not isinstance(said, dict):
        return said
    if name == SHELL and isinstance(said.get("output"), str):
        return said["output"]
    return said["content"] if isinstance(name, str) and name.startswith(MCP) and "content" in said else said


def _failure(payload: JsonObject) -> JsonObject:
    if payload.get("failure_type") == "permission_denied":
        raise NothingToJudge(str(payload["session_id"]), b"{}")  # the call was refused, and did not run
    return {**_call(payload), **_of_server(payload, FAILED_OF_SERVER), "error": payload.get("error_message") or ""}


def _stop(payload: JsonObject) -> JsonObject:
    return {"stop_hook_active": bool(payload.get("loop_count"))}


def _agent(payload: JsonObject) -> JsonObject:
    named = {"agent_id": payload.get("subagent_id") or "", "agent_type": payload.get("subagent_type") or ""}
    return {**named, "agent_transcript_path": payload.get("agent_transcript_path") or ""}


def _file(payload: JsonObject) -> JsonObject:
    return fields_of_call("Read", {"file_path": payload.get("file_path")})


_READ: dict[str, Callable[[JsonObject], JsonObject]] = {
    "preToolUse": _before,
    "beforeShellExecution": lambda payload: fields_of_call(SHELL, {"command": payload.get("command")}),
    "beforeMCPExecution": _server_call,
    "beforeReadFile": _file,
    "beforeTabFileRead": _file,
    "postToolUse": _result,
    "postToolUseFailure": _failure,
    "sessionStart": lambda payload: {"source": "startup"},
    "stop": _stop,
    "subagentStart": _agent,
    "subagentStop": lambda payload: _agent(payload) | _stop(payload),
}
