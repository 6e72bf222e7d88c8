"""Every hook event a host can raise, as one union tagged by `hook_event_name`.

Fields follow Claude Code's hook reference. Values that the reference lists as an enumeration are plain strings
here: hosts add members without notice, and a new permission mode must not read as a malformed event.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from msgspec import Struct, convert, field, to_builtins

__all__ = ["EVENTS", "CallPart", "Event", "HookPayload", "UnknownEvent", "event_from", "payload_of"]

Json: TypeAlias = Any
JsonObject: TypeAlias = dict[str, Any]


class _Open(Struct, kw_only=True, omit_defaults=True):
    """An object that keeps the fields nobody has told us about."""

    extra: JsonObject = field(default_factory=dict)


class McpServer(_Open):
    """Where an MCP tool comes from. Trust goes by `source`, never by the tool's name."""

    name: str
    source: str


class Effort(_Open):
    level: str


class BatchCall(_Open):
    """One call of a finished batch. `tool_input` is what the model wrote, not what ran."""

    tool_name: str
    tool_input: Json
    tool_use_id: str = ""
    tool_response: Json = None


class Event(_Open, tag_field="hook_event_name", kw_only=True):
    """What every event carries."""

    session_id: str
    transcript_path: str
    cwd: str
    permission_mode: str | None = None
    prompt_id: str | None = None
    agent_id: str | None = None
    agent_type: str | None = None
    effort: Effort | None = None
    scratchpad_dir: str | None = None

    @property
    def hook_event_name(self) -> str:
        return str(self.__struct_config__.tag)


# --- calls -------------------------------------------------------------------------------------------------


class CallPart(_Open):
    """One of the things that a call does at once, as a call of its own: a patch changes several files.

    `instead`: not another thing, but another reading of one of the parts before it. It counts only if it is judged more
    strictly than they are.
    """

    tool_name: str
    tool_input: JsonObject
    instead: bool = False


class ToolEvent(Event, kw_only=True):
    """An event about one tool call. An empty `tool_use_id` is one that the host did not send.

    `parts`: what the call does, if it does several things at once. Each is judged, and the strictest verdict counts.
    """

    tool_name: str
    tool_input: JsonObject
    mcp_server: McpServer | None = None
    parts: list[CallPart] | None = None


class PreToolUse(ToolEvent, tag="PreToolUse"):
    tool_use_id: str = ""


class PermissionRequest(ToolEvent, tag="PermissionRequest"):
    """A prompt is about to be shown. The host sends no `tool_use_id` here."""

    permission_suggestions: list[JsonObject] | None = None


class PermissionDenied(ToolEvent, tag="PermissionDenied"):
    reason: str
    tool_use_id: str = ""


class PostToolUse(ToolEvent, tag="PostToolUse"):
    tool_response: Json
    tool_use_id: str = ""
    duration_ms: float | None = None


class PostToolUseFailure(ToolEvent, tag="PostToolUseFailure"):
    error: str
    tool_use_id: str = ""
    is_interrupt: bool | None = None
    duration_ms: float | None = None


class PostToolBatch(Event, tag="PostToolBatch"):
    tool_calls: list[BatchCall]


# --- prompts and sessions ----------------------------------------------------------------------------------


class UserPromptSubmit(Event, tag="UserPromptSubmit"):
    prompt: str
    session_title: str | None = None
    source: str | None = None


class UserPromptExpansion(Event, tag="UserPromptExpansion"):
    expansion_type: str
    command_name: str
    command_args: str
    prompt: str
    command_source: str | None = None


class SessionStart(Event, tag="SessionStart"):
    source: str
    model: str | None = None
    session_title: str | None = None
    seconds_since_last_response: float | None = None
    context_tokens: int | None = None
    prompt_cache_likely_expired: bool | None = None
    estimated_cache_write_usd: float | None = None


class SessionEnd(Event, tag="SessionEnd"):
    reason: str


class Setup(Event, tag="Setup"):
    trigger: str


class _TurnEnd(Event, kw_only=True):
    stop_hook_active: bool
    last_assistant_message: str | None = None
    background_tasks: list[JsonObject] | None = None
    session_crons: list[JsonObject] | None = None


class Stop(_TurnEnd, tag="Stop"):
    pass


class StopFailure(Event, tag="StopFailure"):
    error: str
    error_details: str | None = None
    last_assistant_message: str | None = None


class SubagentStart(Event, tag="SubagentStart"):
    agent_id: str
    agent_type: str


class SubagentStop(_TurnEnd, tag="SubagentStop"):
    agent_id: str
    agent_type: str
    agent_transcript_path: str


class Notification(Event, tag="Notification"):
    message: str
    notification_type: str
    title: str | None = None


class MessageDisplay(Event, tag="MessageDisplay"):
    turn_id: str
    message_id: str
    index: int
    final: bool
    delta: str


# --- context and models ------------------------------------------------------------------------------------


class PreCompact(Event, tag="PreCompact"):
    trigger: str
    custom_instructions: str | None = None


class PostCompact(Event, tag="PostCompact"):
    trigger: str
    compact_summary: str


class _ModelSwitch(Event, kw_only=True):
    from_model: str
    to_model: str
    source: str
    context_tokens: int
    prompt_cache_warm: bool
    cache_ttl: str
    estimated_cache_write_usd: float
    pricing: str
    requested_model: str | None = None


class PreModelSwitch(_ModelSwitch, tag="PreModelSwitch"):
    pass


class PostModelSwitch(_ModelSwitch, tag="PostModelSwitch"):
    pass


# --- teams and tasks ---------------------------------------------------------------------------------------


class TeammateIdle(Event, tag="TeammateIdle"):
    teammate_name: str
    team_name: str | None = None


class _TaskEvent(Event, kw_only=True):
    task_id: str
    task_subject: str
    task_description: str | None = None
    teammate_name: str | None = None
    team_name: str | None = None


class TaskCreated(_TaskEvent, tag="TaskCreated"):
    pass


class TaskCompleted(_TaskEvent, tag="TaskCompleted"):
    pass


# --- questions from MCP servers ----------------------------------------------------------------------------


class Elicitation(Event, tag="Elicitation"):
    mcp_server_name: str
    message: str
    mode: str | None = None
    url: str | None = None
    elicitation_id: str | None = None
    requested_schema: JsonObject | None = None


class ElicitationResult(Event, tag="ElicitationResult"):
    mcp_server_name: str
    action: str
    elicitation_id: str | None = None
    mode: str | None = None
    content: JsonObject | None = None


# --- files and settings ------------------------------------------------------------------------------------


class ConfigChange(Event, tag="ConfigChange"):
    source: str
    file_path: str | None = None


class InstructionsLoaded(Event, tag="InstructionsLoaded"):
    file_path: str
    memory_type: str
    load_reason: str
    globs: list[str] | None = None
    trigger_file_path: str | None = None
    parent_file_path: str | None = None


class WorktreeCreate(Event, tag="WorktreeCreate"):
    name: str


class WorktreeRemove(Event, tag="WorktreeRemove"):
    worktree_path: str


class CwdChanged(Event, tag="CwdChanged"):
    old_cwd: str
    new_cwd: str


class FileChanged(Event, tag="FileChanged"):
    file_path: str
    event: str


class DirectoryAdded(Event, tag="DirectoryAdded"):
    directory: str
    source: str


class UnknownEvent(Event, tag="UnknownEvent"):
    """An event this version does not know: judged by nothing, passed through, and recorded."""

    name: str = field(name="unknown_event_name")

    @property
    def hook_event_name(self) -> str:
        return self.name


HookPayload: TypeAlias = (
    PreToolUse
    | PermissionRequest
    | PermissionDenied
    | PostToolUse
    | PostToolUseFailure
    | PostToolBatch
    | UserPromptSubmit
    | UserPromptExpansion
    | SessionStart
    | SessionEnd
    | Setup
    | Stop
    | StopFailure
    | SubagentStart
    | SubagentStop
    | Notification
    | MessageDisplay
    | PreCompact
    | PostCompact
    | PreModelSwitch
    | PostModelSwitch
    | TeammateIdle
    | TaskCreated
    | TaskCompleted
    | Elicitation
    | ElicitationResult
    | ConfigChange
    | InstructionsLoaded
    | WorktreeCreate
    | WorktreeRemove
    | CwdChanged
    | FileChanged
    | DirectoryAdded
)

EVENTS: dict[str, type[Event]] = {str(kind.__struct_config__.tag): kind for kind in HookPayload.__args__}
for _name, _kind in EVENTS.items():
    setattr(_kind, "hook_event_name", _name)  # noqa: B010 - everybody asks for it, and it is the same for all of a kind

_TAG = "hook_event_name"
_NESTED: dict[str, type[_Open]] = {
    "mcp_server": McpServer,
    "effort": Effort,
    "tool_calls": BatchCall,
    "parts": CallPart,
}
_KINDS: tuple[type[_Open], ...] = (*EVENTS.values(), *_NESTED.values(), UnknownEvent)
_FIELDS = {kind: frozenset(kind.__struct_encode_fields__) - {"extra"} | {_TAG} for kind in _KINDS}
# Payloads made only of these need no second look for unknown fields.
_FLAT_FIELDS = {kind: names - _NESTED.keys() for kind, names in _FIELDS.items()}


def event_from(payload: JsonObject) -> Event:
    """The typed event of one payload. Raises msgspec.ValidationError naming the field that does not fit."""
    name = payload[_TAG]
    kind = EVENTS.get(name)
    if kind is None:
        known = _keep_unknown(payload, UnknownEvent)
        return convert({**known, _TAG: "UnknownEvent", "unknown_event_name": name}, UnknownEvent)
    if payload.keys() <= _FLAT_FIELDS[kind]:
        return convert(payload, kind)
    return convert(_keep_unknown(payload, kind), kind)


def payload_of(event: Event) -> JsonObject:
    """The payload an event was read from, absent for null where the host made no difference."""
    payload: JsonObject = to_builtins(event)
    if isinstance(event, UnknownEvent):
        payload[_TAG] = payload.pop("unknown_event_name")
    return _put_back(payload)


def _keep_unknown(payload: JsonObject, kind: type[_Open]) -> JsonObject:
    known: JsonObject = {}
    extra: JsonObject = {}
    for key, value in payload.items():
        (known if key in _FIELDS[kind] else extra)[key] = value
    for key in known.keys() & _NESTED.keys():
        known[key] = _keep_unknown_inside(known[key], _NESTED[key])
    if extra:
        known["extra"] = extra
    return known


def _keep_unknown_inside(value: Json, kind: type[_Open]) -> Json:
    if isinstance(value, list):
        return [_keep_unknown_inside(item, kind) for item in value]
    return _keep_unknown(value, kind) if isinstance(value, dict) else value


def _put_back(payload: JsonObject) -> JsonObject:
    for key in payload.keys() & _NESTED.keys():
        value = payload[key]
        payload[key] = [_put_back(item) for item in value] if isinstance(value, list) else _put_back(value)
    payload.update(payload.pop("extra", {}))
    return payload
