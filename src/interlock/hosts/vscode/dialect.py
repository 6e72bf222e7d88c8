"""The dialect of VS Code's hooks: Claude Code's events, fields and answers, with tools of its own.

A changed input that does not fit the tool's schema is dropped without a word, and the call runs as it was. An event
does not contain the schema, and it differs between versions: so nothing is changed here, and the model is told the safe
call. An answer about a result is read after the model has the result, and about a call `continue` ends only the call.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from interlock.event import Event
from interlock.facts.tools import McpName
from interlock.hosts.base.claude_form import Write, nested_answer, tell
from interlock.hosts.base.denials import nested_in, object_in, string_in, text_of
from interlock.hosts.base.samples import SESSION, sample_from
from interlock.hosts.base.speech import HostSpeech
from interlock.hosts.base.table import HookRow, NativeAnswer, TableDialect, effects, to_json
from interlock.hosts.vscode.tools import SERVER, TOOLS, call_of
from interlock.verdict import Verdict

__all__ = ["DIALECT", "SPEECH", "TITLE", "denied", "sample"]

JsonObject: TypeAlias = dict[str, Any]
TITLE = "VS Code"
BLOCK_EXIT = 2
_CALLS = ("PreToolUse", "PostToolUse")
_STARTS = {"new": "startup"}
_NEW = {known: own for own, known in _STARTS.items()}


def _translate(payload: JsonObject) -> JsonObject:
    name = payload.get("hook_event_name")
    found = {"cwd": "", **payload}  # a window without a folder has none
    if name in _CALLS:
        return found | call_of(payload.get("tool_name"), payload.get("tool_input"))
    if name == "SessionStart":
        source = payload.get("source")
        found["source"] = _STARTS.get(source, source) if isinstance(source, str) else source
    if name == "SubagentStop":
        found["agent_transcript_path"] = ""
    return found


def sample(tool: str, given: JsonObject, cwd: str) -> bytes | None:
    """A call as VS Code would send it: it fetches several pages at once."""
    if tool == "WebFetch":
        fetch = {"urls": [given["url"]], "query": given.get("prompt", "")}
        return to_json(_payload("fetch_webpage", fetch, cwd))
    return _others(tool, given, cwd)


def _payload(tool: str, given: JsonObject, cwd: str) -> JsonObject:
    about = {"timestamp": "2026-01-02T03:04:05.678Z", "session_id": SESSION, "cwd": cwd}
    call = {"tool_name": tool, "tool_input": given, "tool_use_id": "sample"}
    return {**about, "hook_event_name": "PreToolUse", **call}


def _of_server(named: McpName, given: JsonObject, cwd: str) -> JsonObject:
    return _payload(f"mcp_{named.server[:SERVER]}_{named.tool}", given, cwd)


_others = sample_from(TOOLS, _payload, _of_server)
SPEECH = HostSpeech(
    others={"SessionStart": lambda payload: {**payload, "source": _NEW.get(payload["source"], payload["source"])}}
)


def _call(verdict: Verdict, event: Event | None) -> NativeAnswer:
    said: JsonObject = {}
    if verdict.decision is not None:
        said["permissionDecision"] = verdict.decision
        if verdict.reason is not None:
            said["permissionDecisionReason"] = verdict.reason
    if verdict.told:
        said["additionalContext"] = verdict.told
    return nested_answer("PreToolUse", said, verdict)


def denied(code: int, stdout: bytes, stderr: bytes) -> str | None:
    """How VS Code reads an answer to a call. It takes nothing of one that names another event."""
    if code == BLOCK_EXIT:
        return text_of(stderr)
    said = nested_in(object_in(text_of(stdout)) if code == 0 else None)
    refuses = said.get("hookEventName") == "PreToolUse" and said.get("permissionDecision") == "deny"
    return string_in(said, "permissionDecisionReason") if refuses else None


def _result(verdict: Verdict, event: Event | None) -> NativeAnswer:
    told = {"additionalContext": verdict.told} if verdict.told else {}
    # It does not take the result back, but the model reads it beside the result.
    whole = {} if verdict.withheld is None else {"decision": "block", "reason": verdict.withheld}
    return nested_answer("PostToolUse", told, verdict, whole)


def _prompt(verdict: Verdict, event: Event | None) -> NativeAnswer:
    if verdict.decision != "deny":
        return tell("UserPromptSubmit")(verdict, event)
    # The form that is documented, and the one that Copilot CLI knows, which sends nearly the same event.
    ends = {"continue": False, "stopReason": verdict.reason}
    return nested_answer("UserPromptSubmit", {}, verdict, {"decision": "block", "reason": verdict.reason, **ends})


def _end(event_name: str) -> Write:
    def write(verdict: Verdict, event: Event | None) -> NativeAnswer:
        if verdict.decision != "deny":
            return tell(event_name)(verdict, event)
        # Its documentation has it nested for one of these events and not for the other.
        blocks = {"decision": "block", "reason": verdict.reason}
        return nested_answer(event_name, blocks, verdict, blocks)

    return write


DIALECT = TableDialect(
    TITLE,
    {
        "PreToolUse": HookRow("PreToolUse", effects("allow ask deny context"), _call),
        "PostToolUse": HookRow("PostToolUse", effects("context"), _result, holds_back=False),
        "UserPromptSubmit": HookRow("UserPromptSubmit", effects("deny context"), _prompt),
        "SessionStart": HookRow("SessionStart", effects("context"), tell("SessionStart")),
        "SubagentStart": HookRow("SubagentStart", effects("context"), tell("SubagentStart")),
        "SubagentStop": HookRow("SubagentStop", effects("deny"), _end("SubagentStop")),
        "PreCompact": HookRow("PreCompact", effects(""), tell("PreCompact")),
        "Stop": HookRow("Stop", effects("deny"), _end("Stop")),
    },
    _translate,
    TOOLS,
)
