"""The dialect of Cascade's hooks: one refusal, which is exit code 2 with the reason on stderr, and no other answer.

What is on stderr with that code is read by the model, also after a call. What is on stdout is shown to the person.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from interlock.errors import InterlockError
from interlock.event import Event
from interlock.hosts.base.denials import text_of
from interlock.hosts.base.samples import SESSION
from interlock.hosts.base.table import HookRow, NativeAnswer, TableDialect, effects, to_json
from interlock.hosts.windsurf.tools import MCP, READS_FOLDER, TOOLS, fields_of_action
from interlock.verdict import Verdict

__all__ = ["DIALECT", "MARK", "NATIVE", "TITLE", "denied", "sample"]

JsonObject: TypeAlias = dict[str, Any]
TITLE = "Windsurf"
MARK = "agent_action_name"  # in each of its events, and in none of any other host
TO_MODEL = 2  # the exit code with which stderr is read by the model
_ACTIONS = ("read_code", "write_code", "run_command", MCP)
_PROMPT, _END = "pre_user_prompt", "post_cascade_response"


def _translate(payload: JsonObject) -> JsonObject:
    event, info = payload.get(MARK), payload.get("tool_info")
    about = {key: value for key, value in payload.items() if key not in ("tool_info", "trajectory_id")}
    about |= {"hook_event_name": event, "session_id": payload.get("trajectory_id")}
    if not isinstance(event, str):
        raise InterlockError(f"the field `{MARK}` is missing or not a string")
    if not isinstance(info, dict):
        raise InterlockError("the field `tool_info` is missing or not an object")
    about["cwd"] = info.get("cwd") or payload.get("cwd") or ""
    when, _, action = event.partition("_")
    if action in _ACTIONS and when in ("pre", "post"):
        given = {key: value for key, value in info.items() if key != "mcp_result"}
        about |= fields_of_action(action, given, reads_folder=payload.get(READS_FOLDER) is True)
        return about if when == "pre" else {**about, "tool_response": info.get("mcp_result")}
    if event == _PROMPT:
        return {**about, "prompt": info.get("user_prompt")}
    if event == _END:
        return {**about, "last_assistant_message": info.get("response"), "stop_hook_active": False}
    return about


def sample(tool: str, given: JsonObject, cwd: str) -> bytes | None:
    """A call as Windsurf would send it. It has no edit that replaces nothing: that is how it writes a file."""
    if tool == "Bash":
        return _event("run_command", {"command_line": given["command"], "cwd": cwd})
    if tool == "Read":
        return _event("read_code", {"file_path": given["file_path"]})
    if tool == "Write":
        return _payload_of_write(given["file_path"], "", given["content"])
    if tool == "Edit" and given["old_string"]:
        return _payload_of_write(given["file_path"], given["old_string"], given["new_string"])
    return None


def _payload_of_write(path: str, old: str, new: str) -> bytes:
    return _event("write_code", {"file_path": path, "edits": [{"old_string": old, "new_string": new}]})


def _event(action: str, info: JsonObject) -> bytes:
    about = {"trajectory_id": SESSION, "execution_id": "sample", "timestamp": "2026-01-01T00:00:00Z"}
    return to_json({MARK: f"pre_{action}", **about, "model_name": "sample", "tool_info": info})


def _call(verdict: Verdict, event: Event | None) -> NativeAnswer:
    if verdict.decision == "deny":
        return NativeAnswer(None, verdict.reason or "", TO_MODEL, _notices_in(verdict))
    return NativeAnswer(text=_notices_in(verdict))


def denied(code: int, stdout: bytes, stderr: bytes) -> str | None:
    """How Windsurf reads the end of a hook before a call."""
    return text_of(stderr) if code == TO_MODEL else None


def _result(verdict: Verdict, event: Event | None) -> NativeAnswer:
    # Nothing takes a result back: the model is told not to use it, and the person that it was shown all the same.
    said = [] if verdict.withheld is None else [f"Do not use this result, and tell the user why: {verdict.withheld}"]
    said += [verdict.told] if verdict.told else []
    return NativeAnswer(None, "\n".join(said), TO_MODEL if said else 0, _notices_in(verdict))


def _notice(verdict: Verdict, event: Event | None) -> NativeAnswer:
    return NativeAnswer(text=_notices_in(verdict))


def _notices_in(verdict: Verdict) -> str:
    return "\n".join(verdict.notices)


_BEFORE = HookRow("PreToolUse", effects("deny"), _call)
_AFTER = HookRow("PostToolUse", effects("context"), _result, holds_back=False)
_ROWS = {
    **{f"pre_{action}": _BEFORE for action in _ACTIONS},
    **{f"post_{action}": _AFTER for action in _ACTIONS},
    _PROMPT: HookRow("UserPromptSubmit", effects("deny"), _call),
    _END: HookRow("Stop", effects(""), _notice),  # it waits for no answer there
}
NATIVE = {name: row.event for name, row in _ROWS.items()}  # what Windsurf calls an event → the event of policies
DIALECT = TableDialect(TITLE, _ROWS, _translate, TOOLS)
