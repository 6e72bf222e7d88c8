"""The fields of events: which there are, and which are often taken for one of them."""

from __future__ import annotations

from functools import cache

from interlock.event import EVENTS
from interlock.facts.fields import FIELDS

__all__ = ["fields_of", "instead_of", "is_field"]

# What hooks read that no event has → what its author seems to look for. Each is another agent's or framework's name.
_MEANT: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("toolName", "tool", "toolname", "name"), ("tool_name",)),
    **dict.fromkeys(
        ("toolInput", "parameters", "params", "args", "arguments", "toolArgs", "tool_args", "tool_arguments", "input",
         "tool_parameters", "tool_params", "toolParams"),
        ("tool_input",),
    ),
    **dict.fromkeys(
        ("toolResponse", "tool_result", "toolResult", "tool_output", "toolOutput", "output", "result", "response"),
        ("tool_response",),
    ),
    **dict.fromkeys(("file_path", "filePath", "path", "file", "filename"), ("tool_input", "file_path")),
    **dict.fromkeys(("command", "cmd"), ("tool_input", "command")),
    "content": ("tool_input", "content"),
    "new_string": ("tool_input", "new_string"),
    "old_string": ("tool_input", "old_string"),
    "url": ("tool_input", "url"),
    **dict.fromkeys(("sessionId", "session"), ("session_id",)),
    **dict.fromkeys(
        ("event", "hookEventName", "hook_event", "hookName", "event_name", "eventName"), ("hook_event_name",)
    ),
    **dict.fromkeys(("user_prompt", "userPrompt", "prompt_text"), ("prompt",)),
    **dict.fromkeys(("transcriptPath", "transcript"), ("transcript_path",)),
    **dict.fromkeys(("working_directory", "workingDirectory", "cwd_path", "project_dir"), ("cwd",)),
}  # fmt: skip


@cache
def fields_of(event: str) -> frozenset[str]:
    """The fields of an event. What a client adds without notice is not among them."""
    return frozenset(EVENTS[event].__struct_encode_fields__) - {"extra", "parts"} | {"hook_event_name"}


@cache
def _input_fields() -> frozenset[str]:
    return frozenset(name.rstrip("*") for fields in FIELDS.values() for name in fields)


@cache
def is_field(name: str) -> bool:
    """Whether any event has a field of this name."""
    return any(name in fields_of(event) for event in EVENTS)


# Names of fields of a tool's input that only other agents send, and what Claude Code's tools call them.
_INPUT_MEANT = {
    "cmd": "command", "bash_command": "command", "shell_command": "command", "commandLine": "command",
    "filePath": "file_path", "filepath": "file_path", "file": "file_path", "filename": "file_path",
    "target_file": "file_path", "absolute_path": "file_path",
    "oldString": "old_string", "newString": "new_string", "old_str": "old_string", "new_str": "new_string",
    "file_text": "content", "contents": "content", "text": "content",
}  # fmt: skip


def instead_of(path: tuple[str, ...], events: tuple[str, ...]) -> tuple[str, ...] | None:
    """The field that is meant by one that none of these events has; None if it exists, or could mean anything.

    The input of a tool is open: servers' tools have fields of their own, so only sure mistakes count there.
    """
    known = [event for event in events if event in EVENTS]
    if not path or not known:
        return None
    if path[0] == "tool_input" and len(path) > 1:
        meant = _INPUT_MEANT.get(path[1])
        return ("tool_input", meant) if meant is not None and path[1] not in _input_fields() else None
    if any(path[0] in fields_of(event) for event in known):
        return None
    if len(path) > 1 and not is_field(path[0]) and any(path[1] in fields_of(event) for event in known):
        return path[1:2]  # it is not inside of anything
    found = _MEANT.get(path[0])
    everywhere = all if found is not None and found[0] == "tool_input" and len(found) > 1 else any
    return found if found is not None and everywhere(found[0] in fields_of(event) for event in known) else None
