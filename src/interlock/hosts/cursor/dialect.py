"""The dialect of Cursor's hooks: flat keys, and two events about most calls, which honour different things.

`preToolUse` can change a call and cannot ask. `beforeShellExecution` can ask, and comes next for a command;
`beforeMCPExecution` comes next for a tool of a server, and only it says which server. Cursor ignores what it does not
honour, so a question at `preToolUse` would let the call run. Where an entry says `failClosed`, no output at all refuses
the call, so there is always one JSON object.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from interlock.event import Event
from interlock.hosts.base.denials import object_in, string_in, text_of
from interlock.hosts.base.samples import SESSION, sample_from
from interlock.hosts.base.table import HookRow, NativeAnswer, TableDialect, effects, text_instead
from interlock.hosts.cursor.payloads import COMMAND, FAILED_OF_SERVER, OF_SERVER, RESULT_OF_SERVER, translate
from interlock.hosts.cursor.tools import TOOLS, changed_input, takes
from interlock.verdict import Verdict

__all__ = ["DIALECT", "TITLE", "denied", "sample"]

JsonObject: TypeAlias = dict[str, Any]
TITLE = "Cursor"
BLOCK_EXIT = 2
_MOST_CONTEXT = 8_000  # of the 10,000 characters that all hooks together may say; with more, the call is refused


def _payload(tool: str, given: JsonObject, cwd: str) -> JsonObject:
    about: JsonObject = {
        "conversation_id": SESSION,
        "generation_id": "sample",
        "model": "sample",
        "session_id": SESSION,
    }
    about |= {"hook_event_name": "preToolUse", "cursor_version": "1.0.0", "workspace_roots": [cwd]}
    return {**about, "transcript_path": None, "tool_name": tool, "tool_input": given, "tool_use_id": "sample"}


sample = sample_from(TOOLS, _payload)


def _before(verdict: Verdict, event: Event | None) -> NativeAnswer:
    said: JsonObject = {}
    if verdict.decision == "deny":
        said = _refusal(verdict)
    elif verdict.changes:
        said = {"updated_input": changed_input(event, verdict.input)}
    return _say(said | _context(verdict), verdict)


def _permit(verdict: Verdict, event: Event | None) -> NativeAnswer:
    if verdict.decision == "ask":
        return _say({"permission": "ask", "user_message": verdict.reason or ""}, verdict)
    return _say(_refusal(verdict) if verdict.decision == "deny" else {}, verdict)


def _refusal(verdict: Verdict) -> JsonObject:
    # The model is told the one or the other: the editor tells it the second, the SDK the first.
    return {"permission": "deny", "user_message": verdict.reason, "agent_message": verdict.reason}


def denied(code: int, stdout: bytes, stderr: bytes) -> str | None:
    """How Cursor reads an answer to a call where an entry says `failClosed`: whatever is not an answer refuses."""
    if code == BLOCK_EXIT:
        return text_of(stdout) or text_of(stderr)
    said = object_in(text_of(stdout)) if code == 0 else None
    if said is None:
        return ""
    return string_in(said, "agent_message", "user_message") if said.get("permission") == "deny" else None


def _after(verdict: Verdict, event: Event | None) -> NativeAnswer:
    """The answer to a result. Without its event, it may be one that can be replaced."""
    text = text_instead(verdict, event) if event is None else None
    said = {} if text is None else {"updated_mcp_tool_output": text}
    return _say(said | _warning(verdict), verdict)


def _after_failure(verdict: Verdict, event: Event | None) -> NativeAnswer:
    return _say(_warning(verdict), verdict)


def _warning(verdict: Verdict) -> JsonObject:
    """What the model is told beside a result that it reads, even if it must not."""
    if verdict.withheld is None:
        return _context(verdict)
    parts = (f"Do not use the result of this call: {verdict.withheld}", verdict.told)
    return {"additional_context": _cut("\n".join(part for part in parts if part))}


def _after_server(verdict: Verdict, event: Event | None) -> NativeAnswer:
    text = text_instead(verdict, event)
    return _say(({} if text is None else {"updated_mcp_tool_output": text}) | _context(verdict), verdict)


def _prompt(verdict: Verdict, event: Event | None) -> NativeAnswer:
    said = {"continue": False, "user_message": verdict.reason} if verdict.decision == "deny" else {}
    return _say(said, verdict)


def _go_on(verdict: Verdict, event: Event | None) -> NativeAnswer:
    return _say({"followup_message": verdict.reason} if verdict.decision == "deny" else {}, verdict)


def _tell(verdict: Verdict, event: Event | None) -> NativeAnswer:
    return _say(_context(verdict), verdict)


def _context(verdict: Verdict) -> JsonObject:
    return {"additional_context": _cut(verdict.told)} if verdict.told else {}


def _cut(text: str) -> str:
    units = text.encode("utf-16-le", "surrogatepass")  # what Cursor counts has two bytes each
    if len(units) <= 2 * _MOST_CONTEXT:
        return text
    kept = units[: 2 * _MOST_CONTEXT].decode("utf-16-le", "ignore")
    return f"{kept}… (cut: Cursor accepts no more)"


def _say(said: JsonObject, verdict: Verdict) -> NativeAnswer:
    return NativeAnswer(said, "\n".join(verdict.notices))  # a person sees it in the list of hooks that have run


_FILE = HookRow("PreToolUse", effects("deny"), _permit)
DIALECT = TableDialect(
    TITLE,
    {
        "preToolUse": HookRow("PreToolUse", effects("deny change context"), _before, takes=takes),
        COMMAND: HookRow(
            "PreToolUse", effects("ask deny change context"), _before, takes=takes, then="beforeShellExecution"
        ),
        OF_SERVER: HookRow(
            "PreToolUse",
            effects("deny change context"),
            _before,
            takes=takes,
            then="beforeMCPExecution",
            unsure=True,
        ),
        "beforeShellExecution": HookRow("PreToolUse", effects("ask deny"), _permit),
        "beforeMCPExecution": HookRow("PreToolUse", effects("deny"), _permit),
        "beforeReadFile": _FILE,
        "beforeTabFileRead": _FILE,
        "postToolUse": HookRow("PostToolUse", effects("context"), _after, holds_back=False),
        RESULT_OF_SERVER: HookRow("PostToolUse", effects("output context"), _after_server, unsure=True),
        "postToolUseFailure": HookRow("PostToolUseFailure", effects("context"), _after_failure, holds_back=False),
        FAILED_OF_SERVER: HookRow(
            "PostToolUseFailure", effects("context"), _after_failure, holds_back=False, unsure=True
        ),
        "beforeSubmitPrompt": HookRow("UserPromptSubmit", effects("deny"), _prompt),
        "sessionStart": HookRow("SessionStart", effects("context"), _tell),
        "sessionEnd": HookRow("SessionEnd", effects(""), _tell),
        "stop": HookRow("Stop", effects("deny"), _go_on),
        "subagentStart": HookRow("SubagentStart", effects(""), _tell),
        "subagentStop": HookRow("SubagentStop", effects("deny"), _go_on),
    },
    translate,
    TOOLS,
)
