"""Claude Code's hook output, typed: Interlock cannot write another shape, and foreign answers are checked by it."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from msgspec import UNSET, field

from interlock.hosts.base.strict import Strict

__all__ = ["OUTPUTS", "HookOutput", "HookSpecificOutput", "PermissionAllow", "PermissionDeny", "SpecificOutput"]

JsonObject: TypeAlias = dict[str, Any]


class HookSpecificOutput(
    Strict,
    kw_only=True,
    frozen=True,
    omit_defaults=True,
    rename="camel",
    forbid_unknown_fields=True,
    tag_field="hookEventName",
):
    """The part of an answer that belongs to one event."""

    @property
    def hook_event_name(self) -> str:
        return str(self.__struct_config__.tag)


class _WithContext(HookSpecificOutput, frozen=True, kw_only=True):
    additional_context: str | None = None


class PreToolUseHookOutput(_WithContext, frozen=True, tag="PreToolUse"):
    permission_decision: Literal["allow", "deny", "ask", "defer"] | None = None
    permission_decision_reason: str | None = None
    updated_input: JsonObject | None = None


class PermissionAllow(
    Strict,
    kw_only=True,
    frozen=True,
    omit_defaults=True,
    rename="camel",
    forbid_unknown_fields=True,
    tag_field="behavior",
    tag="allow",
):
    updated_input: JsonObject | None = None
    updated_permissions: list[JsonObject] | None = None

    @property
    def behavior(self) -> str:
        return "allow"


class PermissionDeny(
    Strict,
    kw_only=True,
    frozen=True,
    omit_defaults=True,
    rename="camel",
    forbid_unknown_fields=True,
    tag_field="behavior",
    tag="deny",
):
    message: str | None = None
    interrupt: bool = False

    @property
    def behavior(self) -> str:
        return "deny"


class PermissionRequestHookOutput(HookSpecificOutput, frozen=True, tag="PermissionRequest"):
    decision: PermissionAllow | PermissionDeny


class PermissionDeniedHookOutput(HookSpecificOutput, frozen=True, tag="PermissionDenied"):
    retry: bool | None = None


class PostToolUseHookOutput(_WithContext, frozen=True, tag="PostToolUse"):
    classifier_context: str | None = None
    updated_tool_output: Any = UNSET
    updated_mcp_tool_output: Any = field(default=UNSET, name="updatedMCPToolOutput")


class PostToolUseFailureHookOutput(_WithContext, frozen=True, tag="PostToolUseFailure"):
    pass


class PostToolBatchHookOutput(_WithContext, frozen=True, tag="PostToolBatch"):
    pass


class UserPromptSubmitHookOutput(_WithContext, frozen=True, tag="UserPromptSubmit"):
    session_title: str | None = None
    suppress_original_prompt: bool | None = None


class UserPromptExpansionHookOutput(_WithContext, frozen=True, tag="UserPromptExpansion"):
    suppress_original_prompt: bool | None = None


class SessionStartHookOutput(_WithContext, frozen=True, tag="SessionStart"):
    initial_user_message: str | None = None
    session_title: str | None = None
    watch_paths: list[str] | None = None
    reload_skills: bool | None = None


class SetupHookOutput(_WithContext, frozen=True, tag="Setup"):
    pass


class StopHookOutput(_WithContext, frozen=True, tag="Stop"):
    pass


class SubagentStartHookOutput(_WithContext, frozen=True, tag="SubagentStart"):
    pass


class SubagentStopHookOutput(_WithContext, frozen=True, tag="SubagentStop"):
    pass


class NotificationHookOutput(_WithContext, frozen=True, tag="Notification"):
    pass


class PreModelSwitchHookOutput(HookSpecificOutput, frozen=True, tag="PreModelSwitch"):
    permission_decision: Literal["allow", "deny", "ask"] | None = None
    permission_decision_reason: str | None = None


class PostModelSwitchHookOutput(_WithContext, frozen=True, tag="PostModelSwitch"):
    pass


class _ElicitationAnswer(HookSpecificOutput, frozen=True):
    action: Literal["accept", "decline", "cancel"] | None = None
    content: JsonObject | None = None


class ElicitationHookOutput(_ElicitationAnswer, frozen=True, tag="Elicitation"):
    pass


class ElicitationResultHookOutput(_ElicitationAnswer, frozen=True, tag="ElicitationResult"):
    pass


class WorktreeCreateHookOutput(HookSpecificOutput, frozen=True, tag="WorktreeCreate"):
    worktree_path: str


class _Watching(HookSpecificOutput, frozen=True):
    watch_paths: list[str] | None = None


class CwdChangedHookOutput(_Watching, frozen=True, tag="CwdChanged"):
    pass


class FileChangedHookOutput(_Watching, frozen=True, tag="FileChanged"):
    pass


class MessageDisplayHookOutput(HookSpecificOutput, frozen=True, tag="MessageDisplay"):
    display_content: str | None = None


SpecificOutput: TypeAlias = (
    PreToolUseHookOutput
    | PermissionRequestHookOutput
    | PermissionDeniedHookOutput
    | PostToolUseHookOutput
    | PostToolUseFailureHookOutput
    | PostToolBatchHookOutput
    | UserPromptSubmitHookOutput
    | UserPromptExpansionHookOutput
    | SessionStartHookOutput
    | SetupHookOutput
    | StopHookOutput
    | SubagentStartHookOutput
    | SubagentStopHookOutput
    | NotificationHookOutput
    | PreModelSwitchHookOutput
    | PostModelSwitchHookOutput
    | ElicitationHookOutput
    | ElicitationResultHookOutput
    | WorktreeCreateHookOutput
    | CwdChangedHookOutput
    | FileChangedHookOutput
    | MessageDisplayHookOutput
)

OUTPUTS: dict[str, type[Any]] = {str(kind.__struct_config__.tag): kind for kind in SpecificOutput.__args__}


class HookOutput(Strict, kw_only=True, frozen=True, omit_defaults=True, rename="camel", forbid_unknown_fields=True):
    """One whole answer."""

    continue_: bool = field(default=True, name="continue")
    stop_reason: str | None = None
    suppress_output: bool | None = None
    decision: Literal["approve", "block"] | None = None
    reason: str | None = None
    system_message: str | None = None
    terminal_sequence: str | None = None
    hook_specific_output: SpecificOutput | None = None
