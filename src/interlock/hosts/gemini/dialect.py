"""The dialect of Gemini's hooks: its own names of events, one decision at the top of an answer, and no id of a call.

Gemini reads whatever is printed, with any exit code, and takes what is not JSON for an allow if the code is 0 or 1. So
an answer is one JSON object or nothing at all, also on stderr.
"""

from __future__ import annotations

import re
from typing import Any, TypeAlias

from interlock.event import Event, ToolEvent
from interlock.facts.tools import McpName, parse_mcp
from interlock.hosts.base.denials import string_in, text_of, value_in
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
    to_json,
)
from interlock.hosts.gemini.tools import SHELL, TOOLS, mcp_name
from interlock.verdict import Verdict

__all__ = ["DIALECT", "NATIVE", "SPEECH", "TITLE", "denied", "sample"]

JsonObject: TypeAlias = dict[str, Any]
TITLE = "Gemini CLI"
_CALLS = ("BeforeTool", "AfterTool")
_UNTRUSTED = "host_untrusted"  # in the event: whether Gemini marked the result as one that is not to be trusted
_MARKED = re.compile(r"<untrusted_context>\n(.*?)\n</untrusted_context>", re.DOTALL)


def _translate(payload: JsonObject) -> JsonObject:
    name = payload.get("hook_event_name")
    if name == "AfterAgent":
        return payload | {"last_assistant_message": payload.get("prompt_response")}
    if name not in _CALLS:
        return payload
    tool, given, context = payload.get("tool_name"), payload.get("tool_input"), payload.get("mcp_context")
    is_mcp = isinstance(tool, str) and (context is not None or tool.startswith("mcp_"))
    found = payload | call_fields({} if is_mcp else TOOLS, tool, given)
    if is_mcp:
        found |= {"tool_name": mcp_name(str(tool), context), "host_tool": tool}
    elif tool == SHELL:
        found["cwd"] = _folder_of(payload)
    if name == "AfterTool":
        result = _result_of(payload.get("tool_response"))
        found["tool_response"] = _without_marks(result)
        found[_UNTRUSTED] = found["tool_response"] != result
    return found


def _folder_of(payload: JsonObject) -> Any:
    """Where a command runs, so that its paths mean what they mean there."""
    cwd, folder = payload.get("cwd"), payload["tool_input"].get("dir_path")
    if not isinstance(cwd, str) or not isinstance(folder, str) or not folder:
        return cwd
    return folder if folder.startswith("/") else f"{cwd}/{folder}"


def _result_of(response: Any) -> Any:
    """What the model reads of a result. Of a failed call that is the error, which rules replace like any result."""
    if not isinstance(response, dict) or "llmContent" not in response:
        return response
    content, error = response["llmContent"], response.get("error")
    text = _text_of(content)
    if not isinstance(error, dict) or not isinstance(error.get("message"), str):
        return content if text is None else text
    said = error["message"]
    return said if text is None or text == said else f"{said}\n{text}"


def _text_of(content: Any) -> str | None:
    """The text of a result that is nothing but text."""
    parts = content if isinstance(content, list) else [content]
    texts = [part["text"] if isinstance(part, dict) and part.keys() == {"text"} else part for part in parts]
    return "\n".join(texts) if all(isinstance(text, str) for text in texts) else None


def _without_marks(result: Any) -> Any:
    """A result without the marks that Gemini puts around what comes from outside: the JSON in them is JSON."""
    return _MARKED.sub(r"\1", result) if isinstance(result, str) else result


def _with_marks(text: str) -> str:
    inside = text.replace("</untrusted_context>", "&lt;/untrusted_context&gt;")
    return f"<untrusted_context>\n{inside}\n</untrusted_context>"


def sample(tool: str, given: JsonObject, cwd: str) -> bytes | None:
    """A call as Gemini would send it: it fetches the addresses that stand in a text."""
    if tool == "WebFetch":
        return to_json(_payload("web_fetch", {"prompt": f"{given.get('prompt', '')} {given['url']}"}, cwd))
    return _others(tool, given, cwd)


def _payload(tool: str, given: JsonObject, cwd: str, **more: Any) -> JsonObject:
    about = {"session_id": SESSION, "transcript_path": "", "cwd": cwd, "timestamp": "2026-01-01T00:00:00.000Z"}
    return {**about, "hook_event_name": "BeforeTool", "tool_name": tool, "tool_input": given, **more}


def _of_server(named: McpName, given: JsonObject, cwd: str) -> JsonObject:
    context = {"server_name": named.server, "tool_name": named.tool}
    return _payload(f"mcp_{named.server}_{named.tool}", given, cwd, mcp_context=context)


_others = sample_from(TOOLS, _payload, _of_server)


def _after(payload: JsonObject, event: ToolEvent) -> JsonObject:
    said = result_text(event)
    if parse_mcp(event.tool_name) is not None:
        said = [{"text": _with_marks(said)}]
    elif event.tool_name == "Bash":
        said = _with_marks(said)
    return {**payload, "tool_response": {"llmContent": said, "returnDisplay": ""}}


def _end(payload: JsonObject) -> JsonObject:
    return {**payload, "prompt": "", "prompt_response": payload.get("last_assistant_message") or ""}


SPEECH = HostSpeech(about={"PostToolUse": _after}, others={"Stop": _end})


def _call(verdict: Verdict, event: Event | None) -> NativeAnswer:
    if verdict.decision == "deny":
        return _say(_refusal(verdict), {}, verdict)
    # An ask shows a person nothing but the message.
    asks = {"decision": "ask", "reason": verdict.reason or "", "systemMessage": verdict.reason or ""}
    said = {"tool_input": native_input(TOOLS, event, verdict.input)} if verdict.changes else {}
    return _say(asks if verdict.decision == "ask" else {}, said, verdict)


def denied(code: int, stdout: bytes, stderr: bytes) -> str | None:
    """How Gemini reads an answer to a call, whatever the code: JSON on stdout, else on stderr, else a text."""
    text = text_of(stdout) or text_of(stderr)
    try:
        said = value_in(text)
        said = value_in(said) if isinstance(said, str) else said
    except ValueError:
        return text if text and code > 1 else None
    if not isinstance(said, dict):
        return None
    refuses = said.get("decision") in ("deny", "block") or said.get("continue") is False
    return string_in(said, "stopReason", "reason") if refuses else None


def _result(verdict: Verdict, event: Event | None) -> NativeAnswer:
    text = text_instead(verdict, event)
    ends = {"continue": False, "stopReason": verdict.stop_reason or "Interlock ends this turn."}
    whole: JsonObject = ends if verdict.interrupt else {}
    if text is not None and verdict.withheld is None and event is not None and event.extra.get(_UNTRUSTED):
        text = _with_marks(text)
    if text is None:
        return _say(whole, {"additionalContext": verdict.told} if verdict.told else {}, verdict)
    # Beside a replaced result, Gemini drops the context.
    whole |= {"decision": "deny", "reason": f"{text}\n\n{verdict.told}" if verdict.told else text}
    return _say(whole, {}, verdict)


def _block(verdict: Verdict, event: Event | None) -> NativeAnswer:
    if verdict.decision == "deny":
        return _say(_refusal(verdict), {}, verdict)
    whole = {"continue": False, "stopReason": verdict.stop_reason or ""} if verdict.interrupt else {}
    return _say(whole, {"additionalContext": verdict.told} if verdict.told else {}, verdict)


def _refusal(verdict: Verdict) -> JsonObject:
    said: JsonObject = {"decision": "deny", "reason": verdict.reason}
    return {**said, "continue": False, "stopReason": verdict.reason} if verdict.interrupt else said


def _say(whole: JsonObject, said: JsonObject, verdict: Verdict) -> NativeAnswer:
    """An answer, or nothing: Gemini takes the empty one for an allow, and nothing for no opinion."""
    answer = dict(whole)
    if said:
        answer["hookSpecificOutput"] = said
    if verdict.notices:
        shown = [answer["systemMessage"]] if answer.get("systemMessage") else []
        answer["systemMessage"] = "\n".join([*shown, *verdict.notices])
    return NativeAnswer(answer or None)


_ROWS = {
    "BeforeTool": HookRow("PreToolUse", effects("ask deny change interrupt"), _call),
    "AfterTool": HookRow("PostToolUse", effects("output context interrupt"), _result),
    "BeforeAgent": HookRow("UserPromptSubmit", effects("deny context"), _block),
    "SessionStart": HookRow("SessionStart", effects("context"), _block),
    "AfterAgent": HookRow("Stop", effects("deny interrupt"), _block),
    "SessionEnd": HookRow("SessionEnd", effects(""), _block),
}
NATIVE = {row.event: name for name, row in _ROWS.items()}  # the event of policies → what Gemini calls it
DIALECT = TableDialect(TITLE, _ROWS, _translate, TOOLS)
