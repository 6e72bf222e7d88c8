"""The dialect of Kiro's hooks: a call is refused by exit code 2 with the reason on stderr, and by nothing else.

CLI 2.x names its events in camel case, the editor and CLI 3 in Pascal case; the fields are the same. What is printed
reaches the model at the start of a session and with a prompt. With another exit code, the person is shown stderr.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from interlock.event import Event
from interlock.hosts.base.denials import text_of
from interlock.hosts.base.samples import SESSION, sample_from
from interlock.hosts.base.table import HookRow, NativeAnswer, TableDialect, call_fields, effects
from interlock.hosts.kiro.tools import TOOLS, mcp_call, row_of
from interlock.verdict import Verdict

__all__ = ["DIALECT", "NATIVE", "TITLE", "denied", "sample"]

JsonObject: TypeAlias = dict[str, Any]
TITLE = "Kiro"
SHOW, BLOCK = 1, 2
_BEFORE, _AFTER = ("preToolUse", "PreToolUse"), ("postToolUse", "PostToolUse")
_STARTS, _PROMPTS = ("agentSpawn", "SessionStart"), ("userPromptSubmit", "UserPromptSubmit")


def _translate(payload: JsonObject) -> JsonObject:
    event = payload.get("hook_event_name")
    if event in _STARTS:
        return {"source": "startup", **payload}
    if event not in (*_BEFORE, *_AFTER):
        return payload
    name, given = payload.get("tool_name"), payload.get("tool_input")
    found = payload | (mcp_call(name, given) or call_fields(TOOLS, row_of(name, given), given))
    if isinstance(given, dict) and isinstance(given.get("cwd"), str) and given["cwd"]:
        found["cwd"] = given["cwd"]  # where a command runs
    if event in _AFTER:
        found["tool_response"] = _result_of(payload.get("tool_response"))
    return found


def _result_of(response: Any) -> Any:
    """What the model reads of a result: what the tool gave, or its error, without the frame of CLI 2.x."""
    if not isinstance(response, dict) or "success" not in response:
        return response
    found = response.get("result") if "result" in response else response.get("error")
    return found[0] if isinstance(found, list) and len(found) == 1 else found


def _payload(tool: str, given: JsonObject, cwd: str) -> JsonObject:
    about = {"session_id": SESSION, "hook_event_name": "PreToolUse", "cwd": cwd}
    return {**about, "tool_name": tool, "tool_input": given}


sample = sample_from(TOOLS, _payload)


def _call(verdict: Verdict, event: Event | None) -> NativeAnswer:
    if verdict.decision == "deny":
        return NativeAnswer(None, verdict.reason or "", BLOCK)
    # What a hook says beside a call that runs is not shown, and the entry makes any other code a refusal.
    return NativeAnswer(None, "\n".join(verdict.notices))


def denied(code: int, stdout: bytes, stderr: bytes) -> str | None:
    """How Kiro reads the end of a hook before a call."""
    return text_of(stderr) if code == BLOCK else None


def _prompt(verdict: Verdict, event: Event | None) -> NativeAnswer:
    # Some versions hold a prompt back by this code, and others say so and do not: a denial is no more than an attempt.
    if any(loss.effect == "deny" for loss in verdict.lowered):
        return NativeAnswer(None, "\n".join(verdict.notices), BLOCK)
    return _context(verdict, event)


def _context(verdict: Verdict, event: Event | None) -> NativeAnswer:
    if verdict.told:
        return NativeAnswer(None, "\n".join(verdict.notices), text=verdict.told)
    return _answer_to_show(verdict, event)


def _answer_to_show(verdict: Verdict, event: Event | None) -> NativeAnswer:
    return NativeAnswer(None, "\n".join(verdict.notices), SHOW if verdict.notices else 0)


# It has no row for the end of a turn: there CLI 3 takes the exit code by which an entry fails for an order to go on.
_ROWS = {
    **dict.fromkeys(_BEFORE, HookRow("PreToolUse", effects("deny"), _call)),
    **dict.fromkeys(_AFTER, HookRow("PostToolUse", effects(""), _answer_to_show, holds_back=False)),
    **dict.fromkeys(_PROMPTS, HookRow("UserPromptSubmit", effects("context"), _prompt)),
    **dict.fromkeys(_STARTS, HookRow("SessionStart", effects("context"), _context)),
}
NATIVE = {name: row.event for name, row in _ROWS.items()}  # what Kiro calls an event → the event of policies
DIALECT = TableDialect(TITLE, _ROWS, _translate, TOOLS)
