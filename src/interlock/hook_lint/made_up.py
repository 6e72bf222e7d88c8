"""Made-up events: what the client would send to a hook, for each event and for the tools that a matcher fits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

from interlock.facts.fields import FIELDS
from interlock.facts.tools import present_name
from interlock.hook_lint.matchers import BY_TOOL, exact_names, fits

__all__ = ["OTHER_EVENTS", "made_up_events"]

JsonObject: TypeAlias = dict[str, Any]

# Ordinary calls, and some that most guards refuse. `{project}` is the scratch folder.
_CALLS: tuple[tuple[str, JsonObject], ...] = (
    ("Bash", {"command": "ls -la", "description": "List files"}),
    ("Bash", {"command": "rm -rf /", "description": "Remove everything"}),
    ("Bash", {"command": "git push --force origin main", "description": "Push"}),
    ("Bash", {"command": "cat .env", "description": "Show a file"}),
    ("Write", {"file_path": "{project}/notes.txt", "content": "hello\n"}),
    ("Write", {"file_path": "{project}/.env", "content": "TOKEN=1\n"}),
    ("Edit", {"file_path": "{project}/src/app.py", "old_string": "a", "new_string": "b"}),
    ("Read", {"file_path": "{project}/notes.txt"}),
    ("Read", {"file_path": "{project}/.env"}),
    ("WebFetch", {"url": "https://example.com/", "prompt": "Summarise"}),
    ("Agent", {"description": "Look", "prompt": "Look around", "subagent_type": "general-purpose"}),
)
_TOOLS = frozenset(tool for tool, _ in _CALLS)
_SAMPLES: dict[str, Any] = {
    "string": "{project}/notes.txt", "int": 1, "double": 1.0, "bool": True, "list": [], "map": {},
}  # fmt: skip
_OF_SERVER = re.compile(r"mcp__[\w-]+?__\w[\w-]*")
_ANYTHING = re.compile(r"(?:\.|\\w|\\S|\[[^]]*\])[*+]\??")

_AGENT: JsonObject = {"agent_id": "a1", "agent_type": "Explore"}
_TASK: JsonObject = {"task_id": "1", "task_subject": "Write the docs", "task_description": "Write the docs"}
_SWITCH: JsonObject = {
    "from_model": "claude-sonnet-4-5", "to_model": "claude-opus-5-5", "source": "command", "context_tokens": 100,
    "prompt_cache_warm": False, "cache_ttl": "5m", "estimated_cache_write_usd": 0.0, "pricing": "catalog",
}  # fmt: skip
# What the events that are not about one call have beside the fields that every event has.
OTHER_EVENTS: dict[str, JsonObject] = {
    "PostToolBatch": {
        "tool_calls": [
            {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "toolu_1", "tool_response": ""}
        ]
    },
    "UserPromptSubmit": {"prompt": "hello"},
    "UserPromptExpansion": {
        "expansion_type": "slash_command", "command_name": "hello", "command_args": "", "prompt": "/hello",
    },
    "SessionStart": {"source": "startup"},
    "SessionEnd": {"reason": "other"},
    "Setup": {"trigger": "init"},
    "Stop": {"stop_hook_active": False},
    "StopFailure": {"error": "server_error"},
    "SubagentStart": _AGENT,
    "SubagentStop": {"stop_hook_active": False, "agent_transcript_path": "", **_AGENT},
    "Notification": {"message": "hello", "notification_type": "idle_prompt"},
    "MessageDisplay": {"turn_id": "1", "message_id": "1", "index": 0, "final": True, "delta": "hello"},
    "PreCompact": {"trigger": "manual", "custom_instructions": ""},
    "PostCompact": {"trigger": "manual", "compact_summary": "hello"},
    "PreModelSwitch": _SWITCH,
    "PostModelSwitch": _SWITCH,
    "TeammateIdle": {"teammate_name": "bob", "team_name": "docs"},
    "TaskCreated": _TASK,
    "TaskCompleted": _TASK,
    "Elicitation": {"mcp_server_name": "example", "message": "Who are you?", "mode": "form"},
    "ElicitationResult": {"mcp_server_name": "example", "mode": "form", "action": "cancel"},
    "ConfigChange": {"source": "local_settings", "file_path": "{project}/.claude/settings.local.json"},
    "InstructionsLoaded": {
        "file_path": "{project}/CLAUDE.md", "memory_type": "Project", "load_reason": "session_start",
    },
    "WorktreeCreate": {"name": "docs"},
    "WorktreeRemove": {"worktree_path": "{project}/docs"},
    "CwdChanged": {"old_cwd": "{project}", "new_cwd": "{project}/src"},
    "FileChanged": {"file_path": "{project}/notes.txt", "event": "change"},
    "DirectoryAdded": {"directory": "{project}/src", "source": "register_repo_root"},
}  # fmt: skip
# What the events about a call have beside the call.
_OF_CALL: dict[str, JsonObject] = {
    "PostToolUse": {"tool_response": {"stdout": "", "stderr": "", "interrupted": False, "isImage": False}},
    "PostToolUseFailure": {"error": "it failed"},
    "PermissionDenied": {"reason": "it was denied"},
}


def made_up_events(event: str, matcher: str | None, project: Path) -> Iterator[tuple[str, JsonObject]]:
    """Each event that an entry would be run for: in a few words, and as the client sends it."""
    base = {"session_id": "prove", "transcript_path": "", "cwd": str(project), "hook_event_name": event}
    if event in OTHER_EVENTS:
        yield event, {**base, **_in_folder(OTHER_EVENTS[event], project)}
    if event not in BY_TOOL:
        return
    for tool, fields in _calls(matcher):
        words = str(next(iter(fields.values()), "")).replace("{project}/", "")
        call = {"tool_name": tool, "tool_input": _in_folder(fields, project), **_OF_CALL.get(event, {})}
        named = {} if event == "PermissionRequest" else {"tool_use_id": "toolu_prove"}
        yield f"{tool}: {words}" if words else tool, {**base, "permission_mode": "default", **call, **named}


def _calls(matcher: str | None) -> Iterator[tuple[str, JsonObject]]:
    """The calls that a matcher fits, also of tools that only it names."""
    yield from ((tool, fields) for tool, fields in _CALLS if fits(matcher, tool))
    for tool in _named_in(matcher or ""):
        if tool not in _TOOLS and fits(matcher, tool):
            fields = FIELDS.get(present_name(tool), {"text*": "string"})
            yield tool, {name.rstrip("*"): _SAMPLES[kind] for name, kind in fields.items() if name.endswith("*")}


def _named_in(matcher: str) -> Iterator[str]:
    """The tools that a matcher names: a list of names, or an expression with what may stand for anything filled in."""
    names = exact_names(matcher)
    if names is None:
        plain = _ANYTHING.sub("example", matcher)
        names = tuple(dict.fromkeys([*re.findall(r"\b[A-Z][A-Za-z]+\b", plain), *_OF_SERVER.findall(plain)]))
    yield from (name for name in names if name in FIELDS or _OF_SERVER.fullmatch(name))


def _in_folder(value: Any, project: Path) -> Any:
    """A value with its paths in the scratch folder."""
    if isinstance(value, dict):
        return {name: _in_folder(part, project) for name, part in value.items()}
    return value.replace("{project}", str(project)) if isinstance(value, str) else value
