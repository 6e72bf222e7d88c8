"""The dialect of Droid's hooks: Claude Code's fields and answers, with tools of its own.

Its documentation says that a hook may also ask, change a call and waive a prompt. Whether a question is shown while it
works on its own, or a change is carried out without an allow, is not known, and an allow may outweigh the denial of
another hook. So a call is denied or left to Droid, and nothing else.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from interlock.event import Event
from interlock.hosts.base.claude_form import Write, nested_answer, tell
from interlock.hosts.base.denials import nested_in, object_in, string_in, text_of
from interlock.hosts.base.samples import SESSION, sample_from
from interlock.hosts.base.speech import HostSpeech
from interlock.hosts.base.table import HookRow, NativeAnswer, TableDialect, call_fields, effects
from interlock.hosts.droid.tools import TOOLS, WHOLE
from interlock.verdict import Verdict

__all__ = ["DIALECT", "MODES", "SPEECH", "TITLE", "denied", "sample"]

JsonObject: TypeAlias = dict[str, Any]
TITLE = "Droid"
BLOCK_EXIT = 2
_CALLS = ("PreToolUse", "PostToolUse")
# What it calls its modes → what policies do, by what its documentation says that each lets run without a question.
MODES = {"off": "default", "spec": "plan", "auto-low": "acceptEdits", "auto-medium": "auto", "auto-high": "auto"}


def _translate(payload: JsonObject) -> JsonObject:
    name, mode = payload.get("hook_event_name"), payload.get("permission_mode")
    if isinstance(mode, str):
        payload = payload | {"permission_mode": MODES.get(mode, mode)}
    if name in _CALLS:
        given = payload.get("tool_input")
        if isinstance(given, str):
            given = {WHOLE: given}
        return payload | call_fields(TOOLS, payload.get("tool_name"), given)
    if name == "SubagentStop":
        unnamed = {"agent_id": "", "agent_type": "", "agent_transcript_path": ""}  # it does not say which one
        return unnamed | payload
    return payload


def _payload(tool: str, given: JsonObject, cwd: str) -> JsonObject:
    about = {"session_id": SESSION, "transcript_path": "", "cwd": cwd, "permission_mode": "off"}
    return {**about, "hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": given}


sample = sample_from(TOOLS, _payload)
SPEECH = HostSpeech(modes={known: {"permission_mode": own} for own, known in MODES.items()})


def _call(verdict: Verdict, event: Event | None) -> NativeAnswer:
    if verdict.decision != "deny":
        return nested_answer("", {}, verdict)
    said = {"permissionDecision": "deny", "permissionDecisionReason": verdict.reason}
    return _refuse(nested_answer("PreToolUse", said, verdict), verdict)


def denied(code: int, stdout: bytes, stderr: bytes) -> str | None:
    """How Droid reads an answer to a call."""
    if code == BLOCK_EXIT:
        return text_of(stderr)
    said = nested_in(object_in(text_of(stdout)) if code == 0 else None)
    return string_in(said, "permissionDecisionReason") if said.get("permissionDecision") == "deny" else None


def _result(verdict: Verdict, event: Event | None) -> NativeAnswer:
    told = {"additionalContext": verdict.told} if verdict.told else {}
    whole: JsonObject = {"continue": False, "stopReason": verdict.stop_reason or ""} if verdict.interrupt else {}
    if verdict.withheld is not None:
        # It does not take the result back, but the model reads it beside the result.
        whole |= {"decision": "block", "reason": verdict.withheld}
    return nested_answer("PostToolUse", told, verdict, whole)


def _block(event_name: str) -> Write:
    def write(verdict: Verdict, event: Event | None) -> NativeAnswer:
        if verdict.decision == "deny":
            return _refuse(nested_answer("", {}, verdict, {"decision": "block", "reason": verdict.reason}), verdict)
        return tell(event_name)(verdict, event)

    return write


def _refuse(answer: NativeAnswer, verdict: Verdict) -> NativeAnswer:
    """The answer with the exit code that blocks, which was seen to work, as well as what it prints."""
    return NativeAnswer(answer.stdout, verdict.reason or "", BLOCK_EXIT)


DIALECT = TableDialect(
    TITLE,
    {
        "PreToolUse": HookRow("PreToolUse", effects("deny"), _call),
        "PostToolUse": HookRow("PostToolUse", effects("context interrupt"), _result, holds_back=False),
        "UserPromptSubmit": HookRow("UserPromptSubmit", effects("deny context"), _block("UserPromptSubmit")),
        "SessionStart": HookRow("SessionStart", effects("context"), _block("SessionStart")),
        "SubagentStop": HookRow("SubagentStop", effects("deny"), _block("SubagentStop")),
        "Stop": HookRow("Stop", effects("deny"), _block("Stop")),
        "SessionEnd": HookRow("SessionEnd", effects(""), _block("SessionEnd")),
    },
    _translate,
    TOOLS,
)
