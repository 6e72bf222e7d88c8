"""What can be answered if an event was not judged, so that the model is still told why and its turn goes on.

The spawned client runs this file under a bare interpreter, so it imports only the standard library. It knows less
than the dialect does; if it has no answer, the event's answer for a failure is used.
"""

from __future__ import annotations

import json
from typing import Any

__all__ = ["answer", "nothing_to_read"]

MARK = "[withheld by Interlock: "
MOST_COMPARED = 200
# How a batch describes a call that did not run; {tool} is the call's own tool. See receipts/refusal_words.py.
STARTS = (
    "PreToolUse:{tool} hook error: ",
    "PreToolUse hook for {tool} returned updatedInput that failed schema validation: ",
    "Hook PreToolUse:{tool} denied this tool",
    "Permission to use {tool} ",
    "Claude requested permissions to ",
    "The user doesn't want to ",
    "Blocked by hook",
    "Interlock did not answer",
    "Interlock itself failed",
    "the store ",
    "the record ",
    "the anchor ",
    "the writer of the store ",
)
INVALID = "<tool_use_error>", "</tool_use_error>"
# As in facts/results.py: values that the client's schema lists, and bytes that no text can replace.
FIXED = frozenset({"type", "mode", "status", "action", "language", "cellType", "cell_type", "edit_mode",
                   "output_type", "task_type", "from", "to"})  # fmt: skip
ENCODED = frozenset({"base64", "data"})


def answer(event: str, raw: bytes, why: str) -> str | None:
    """What to print instead of the event's answer for a failure; None if there is nothing better."""
    find = {"PostToolUse": _withheld, "PostToolBatch": _pass_on}.get(event)
    if find is None:
        return None
    try:
        told = json.loads(raw.decode("utf-8", "replace"))
        said = find(told, why) if isinstance(told, dict) and told.get("hook_event_name") == event else None
        return None if said is None else json.dumps({**said, "systemMessage": why}, allow_nan=False)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def nothing_to_read(calls: Any, why: str = "") -> bool:
    """Whether no call of a batch has a result that should have been checked; `why` is Interlock's current wording."""
    return isinstance(calls, list) and bool(calls) and all(_is_unread(call, why) for call in calls)


def _pass_on(told: dict[str, Any], why: str) -> dict[str, Any] | None:
    return {} if nothing_to_read(told.get("tool_calls"), why) else None


def _is_unread(call: Any, why: str) -> bool:
    if not isinstance(call, dict):
        return False
    shown, tool = call.get("tool_response"), call.get("tool_name")
    if isinstance(shown, list) and len(shown) == 1 and isinstance(shown[0], dict):
        shown = shown[0].get("text")  # what an MCP tool returned, replaced by Interlock
    if not isinstance(shown, str):
        return False
    if shown.startswith(INVALID[0]):
        return shown.find(INVALID[1]) == len(shown.rstrip()) - len(INVALID[1])
    ours = why[:MOST_COMPARED]
    starts = [MARK, *(start.format(tool=tool) for start in STARTS), *([ours] if ours else [])]
    # The Read tool shows its lines with numbers.
    return any(shown.startswith(start) for start in starts) or shown.lstrip(" 0123456789").startswith(f"\t{MARK}")


def _withheld(told: dict[str, Any], why: str) -> dict[str, Any] | None:
    """The result with a text in place of every string: if its shape changed, the client would show the original."""
    tool, response, text = told["tool_name"], told["tool_response"], f"{MARK}{why}]"
    output = {"hookEventName": "PostToolUse"}
    if tool.startswith("mcp__") and tool[5:].partition("__")[2]:
        shown = [{"type": "text", "text": text}] if isinstance(response, list) else text
        return {"hookSpecificOutput": {**output, "updatedToolOutput": shown, "updatedMCPToolOutput": shown}}
    if tool == "Read" and isinstance(response, dict) and response.get("type") != "text":
        return {"hookSpecificOutput": {**output, "updatedToolOutput": _text_file(response, text)}}
    return {"hookSpecificOutput": {**output, "updatedToolOutput": _without_copy(response, _blank(response, text, ""))}}


def _text_file(response: dict[str, Any], text: str) -> dict[str, Any]:
    file = response.get("file")
    path = file.get("filePath") if isinstance(file, dict) else None
    lines = {"numLines": 1, "startLine": 1, "totalLines": 1}
    return {"type": "text", "file": {"filePath": path or "", "content": text, **lines}}


def _without_copy(response: Any, output: Any) -> Any:
    """The output without the path to the full original that a long result carries, and without its image flag."""
    if not isinstance(response, dict) or response.get("stdout") == output.get("stdout"):
        return output
    kept = {key: value for key, value in output.items() if key not in ("persistedOutputPath", "persistedOutputSize")}
    return {**kept, "isImage": False} if kept.get("isImage") else kept


def _blank(value: Any, text: str, key: str) -> Any:
    if isinstance(value, str):
        if key in ENCODED:
            raise ValueError("an image or a document cannot be replaced by text")
        return value if key in FIXED or not value else text
    if isinstance(value, dict):
        return {name: _blank(item, text, name) for name, item in value.items()}
    if isinstance(value, list):
        return [text] if value and isinstance(value[0], str) else [_blank(item, text, "") for item in value]
    return value
