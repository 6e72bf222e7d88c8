"""The dialect of Amp's permission delegate: an exit code, and for a refusal the reason on stderr.

Amp knows no abstention, so where no rule says anything the answer is what Amp's own permissions say. They were read
where the event was put together, and are in it.
"""

from __future__ import annotations

import posixpath
from typing import Any, TypeAlias

from interlock.errors import InterlockError
from interlock.event import Event
from interlock.hosts.base.denials import text_of
from interlock.hosts.base.patches import join_patch, split_patch
from interlock.hosts.base.samples import SESSION, sample_from
from interlock.hosts.base.table import HookRow, NativeAnswer, TableDialect, call_fields, effects
from interlock.hosts.base.tools import NativeTool, Part
from interlock.verdict import Verdict

__all__ = ["DIALECT", "OWN", "TITLE", "TOOLS", "denied", "sample"]

JsonObject: TypeAlias = dict[str, Any]
TITLE = "Amp"
OWN = "amp_permission"  # in the event: what Amp would say without Interlock
ALLOW, ASK, REJECT = 0, 1, 2
_BEGIN = "*** Begin Patch"
_REJECTED = "Amp's own permissions reject this call."


def _patch(given: JsonObject) -> list[Part]:
    texts = [value for value in given.values() if isinstance(value, str) and value.lstrip().startswith(_BEGIN)]
    if len(texts) != 1:
        raise InterlockError("a call of apply_patch must have exactly one patch")
    return split_patch(texts[0])


def _deletion(given: JsonObject) -> list[Part]:
    path = given.get("file_path")
    if not isinstance(path, str) or path.strip() != path or not path or "\n" in path:
        raise InterlockError("a call of delete_file does not name a file that can be known")
    return split_patch(f"{_BEGIN}\n*** Delete File: {path}\n*** End Patch")


_FILE = {"path": "file_path"}
TOOLS = {
    "Bash": NativeTool("Bash", {"cmd": "command"}),
    "shell_command": NativeTool("Bash"),
    "async_shell_command": NativeTool("Bash"),
    "Read": NativeTool("Read", _FILE),
    "create_file": NativeTool("Write", _FILE),
    "edit_file": NativeTool("Edit", {**_FILE, "old_str": "old_string", "new_str": "new_string"}),
    "delete_file": NativeTool("delete_file", _FILE, split=_deletion),
    "apply_patch": NativeTool("apply_patch", split=_patch, join=join_patch("patchText")),
    "glob": NativeTool("Glob", {"filePattern": "pattern"}),
    "Glob": NativeTool("Glob", {"filePattern": "pattern"}),
    "Grep": NativeTool("Grep"),
    "read_web_page": NativeTool("WebFetch"),
    "web_search": NativeTool("WebSearch"),
    "Task": NativeTool("Agent"),
    "skill": NativeTool("Skill", {"name": "skill"}),
}
_FOLDERS = ("cwd", "workdir")  # fields of the shell that name where it runs


def _translate(payload: JsonObject) -> JsonObject:
    if payload.get("hook_event_name") != "PreToolUse":
        raise InterlockError("Amp asks only about calls")
    if payload.get(OWN) not in ("allow", "ask", "reject"):
        raise InterlockError(f"the field `{OWN}` is missing")
    given = payload.get("tool_input")
    found = payload | call_fields(TOOLS, payload.get("tool_name"), given)
    if found["tool_name"] == "Bash" and isinstance(given, dict):
        for where in (given[name] for name in _FOLDERS if isinstance(given.get(name), str) and given[name]):
            found["cwd"] = posixpath.normpath(posixpath.join(str(payload.get("cwd")), where))
    return found


def _payload(tool: str, given: JsonObject, cwd: str) -> JsonObject:
    about = {"hook_event_name": "PreToolUse", "session_id": SESSION, "cwd": cwd}
    return {**about, "tool_name": tool, "tool_input": given, OWN: "ask"}


sample = sample_from(TOOLS, _payload)


def _call(verdict: Verdict, event: Event | None) -> NativeAnswer:
    own = "reject" if event is None else event.extra[OWN]
    if verdict.decision == "deny":
        return NativeAnswer(None, verdict.reason or "", REJECT)
    if own == "reject":
        return NativeAnswer(None, _REJECTED, REJECT)
    asks = verdict.decision == "ask" or (verdict.decision is None and own == "ask")
    return NativeAnswer(None, "\n".join(verdict.notices), ASK if asks else ALLOW)


def denied(code: int, stdout: bytes, stderr: bytes) -> str | None:
    """How Amp reads the end of its program, which may also have been killed."""
    return None if code in (ALLOW, ASK) else text_of(stderr)


DIALECT = TableDialect(
    TITLE, {"PreToolUse": HookRow("PreToolUse", effects("allow ask deny"), _call)}, _translate, TOOLS
)
