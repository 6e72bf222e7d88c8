"""Claude Code's hook output, typed: no answer of ours can have another shape, and no foreign one goes unchecked."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from msgspec import UNSET, Struct, field

__all__ = ["OUTPUTS", "HookOutput", "HookSpecificOutput", "PermissionAllow", "PermissionDeny"]

JsonObject: TypeAlias = dict[str, Any]


class HookSpecificOutput(
    Struct,
    kw_only=True,
    omit_defaults=True,
    rename="camel",
    forbid_unknown_fields=True,
    tag_field="hookEventName",
):
    """The part of an answer that belongs to one event."""

    @property
    def hook_event_name(self) -> str:
        return str(self.__struct_config__.tag)


class _WithContext(HookSpecificOutput, kw_only=True):
    additional_context: str | None = None


class PreToolUseHookOutput(_WithContext, tag="PreToolUse"):
    permission_decision: Literal["allow", "deny", "ask", "defer"] | None = None
    permission_decision_reason: str | None = None
    updated_input: JsonObject | None = None


class PermissionAllow(
    Struct,
    kw_only=True,
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
    Struct,
    kw_only=True,
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


class PermissionRequestHookOutput(HookSpecificOutput, tag="PermissionRequest"):
    decision: PermissionAllow | PermissionDeny


class PermissionDeniedHookOutput(HookSpecificOutput, tag="PermissionDenied"):
    retry: bool | None = None


class PostToolUseHookOutput(_WithContext, tag="PostToolUse"):
    classifier_context: str | None = None
    updated_tool_output: Any = UNSET
    updated_mcp_tool_output: Any = field(default=UNSET, name="updatedMCPToolOutput")


class PostToolUseFailureHookOutput(_WithContext, tag="PostToolUseFailure"):
    pass


class PostToolBatchHookOutput(_WithContext, tag="PostToolBatch"):
    pass


class UserPromptSubmitHookOutput(_WithContext, tag="UserPromptSubmit"):
    session_title: str | None = None
    suppress_original_prompt: bool | None = None


class UserPromptExpansionHookOutput(_WithContext, tag="UserPromptExpansion"):
    suppress_original_prompt: bool | None = None


class SessionStartHookOutput(_WithContext, tag="SessionStart"):
    initial_user_message: str | None = None
    session_title: str | None = None
    watch_paths: list[str] | None = None
    reload_skills: bool | None = None


class SetupHookOutput(_WithContext, tag="Setup"):
    pass


class StopHookOutput(_WithContext, tag="Stop"):
    pass


class SubagentStartHookOutput(_WithContext, tag="SubagentStart"):
    pass


class SubagentStopHookOutput(_WithContext, tag="SubagentStop"):
    pass


class NotificationHookOutput(_WithContext, tag="Notification"):
    pass


class PreModelSwitchHookOutput(HookSpecificOutput, tag="PreModelSwitch"):
    permission_decision: Literal["allow", "deny", "ask"] | None = None
    permission_decision_reason: str | None = None


class PostModelSwitchHookOutput(_WithContext, tag="PostModelSwitch"):
    pass


class _Elicited(HookSpecificOutput):
    action: Literal["accept", "decline", "cancel"] | None = None
    content: JsonObject | None = None


class ElicitationHookOutput(_Elicited, tag="Elicitation"):
    pass


class ElicitationResultHookOutput(_Elicited, tag="ElicitationResult"):
    pass


class WorktreeCreateHookOutput(HookSpecificOutput, tag="WorktreeCreate"):
    worktree_path: str


class _Watching(HookSpecificOutput):
    watch_paths: list[str] | None = None


class CwdChangedHookOutput(_Watching, tag="CwdChanged"):
    pass


class FileChangedHookOutput(_Watching, tag="FileChanged"):
    pass


class MessageDisplayHookOutput(HookSpecificOutput, tag="MessageDisplay"):
    display_content: str | None = None


OUTPUTS: dict[str, type[HookSpecificOutput]] = {
    str(kind.__struct_config__.tag): kind
    for kind in (
        PreToolUseHookOutput,
        PermissionRequestHookOutput,
        PermissionDeniedHookOutput,
        PostToolUseHookOutput,
        PostToolUseFailureHookOutput,
        PostToolBatchHookOutput,
        UserPromptSubmitHookOutput,
        UserPromptExpansionHookOutput,
        SessionStartHookOutput,
        SetupHookOutput,
        StopHookOutput,
        SubagentStartHookOutput,
        SubagentStopHookOutput,
        NotificationHookOutput,
        PreModelSwitchHookOutput,
        PostModelSwitchHookOutput,
        ElicitationHookOutput,
        ElicitationResultHookOutput,
        WorktreeCreateHookOutput,
        CwdChangedHookOutput,
        FileChangedHookOutput,
        MessageDisplayHookOutput,
    )
}


class HookOutput(Struct, kw_only=True, omit_defaults=True, rename="camel"):
    """One whole answer."""

    continue_: bool = field(default=True, name="continue")
    stop_reason: str | None = None
    decision: Literal["approve", "block"] | None = None
    reason: str | None = None
    system_message: str | None = None
    hook_specific_output: HookSpecificOutput | None = None
