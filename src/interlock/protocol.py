"""The founding types under their own names: payloads in, results and outputs out."""

from __future__ import annotations

from interlock.event import ConfigChange as ConfigChangePayload
from interlock.event import CwdChanged as CwdChangedPayload
from interlock.event import DirectoryAdded as DirectoryAddedPayload
from interlock.event import Elicitation as ElicitationPayload
from interlock.event import ElicitationResult as ElicitationResultPayload
from interlock.event import Event as BasePayload
from interlock.event import FileChanged as FileChangedPayload
from interlock.event import HookPayload, event_from, payload_of
from interlock.event import InstructionsLoaded as InstructionsLoadedPayload
from interlock.event import MessageDisplay as MessageDisplayPayload
from interlock.event import Notification as NotificationPayload
from interlock.event import PermissionDenied as PermissionDeniedPayload
from interlock.event import PermissionRequest as PermissionRequestPayload
from interlock.event import PostCompact as PostCompactPayload
from interlock.event import PostModelSwitch as PostModelSwitchPayload
from interlock.event import PostToolBatch as PostToolBatchPayload
from interlock.event import PostToolUse as PostToolUsePayload
from interlock.event import PostToolUseFailure as PostToolUseFailurePayload
from interlock.event import PreCompact as PreCompactPayload
from interlock.event import PreModelSwitch as PreModelSwitchPayload
from interlock.event import PreToolUse as PreToolUsePayload
from interlock.event import SessionEnd as SessionEndPayload
from interlock.event import SessionStart as SessionStartPayload
from interlock.event import Setup as SetupPayload
from interlock.event import Stop as StopPayload
from interlock.event import StopFailure as StopFailurePayload
from interlock.event import SubagentStart as SubagentStartPayload
from interlock.event import SubagentStop as SubagentStopPayload
from interlock.event import TaskCompleted as TaskCompletedPayload
from interlock.event import TaskCreated as TaskCreatedPayload
from interlock.event import TeammateIdle as TeammateIdlePayload
from interlock.event import UnknownEvent as UnknownPayload
from interlock.event import UserPromptExpansion as UserPromptExpansionPayload
from interlock.event import UserPromptSubmit as UserPromptSubmitPayload
from interlock.event import WorktreeCreate as WorktreeCreatePayload
from interlock.event import WorktreeRemove as WorktreeRemovePayload
from interlock.hosts.base.decode import decode
from interlock.hosts.claude_code.outputs import (
    CwdChangedHookOutput,
    ElicitationHookOutput,
    ElicitationResultHookOutput,
    FileChangedHookOutput,
    HookOutput,
    HookSpecificOutput,
    MessageDisplayHookOutput,
    NotificationHookOutput,
    PermissionAllow,
    PermissionDeniedHookOutput,
    PermissionDeny,
    PermissionRequestHookOutput,
    PostModelSwitchHookOutput,
    PostToolBatchHookOutput,
    PostToolUseFailureHookOutput,
    PostToolUseHookOutput,
    PreModelSwitchHookOutput,
    PreToolUseHookOutput,
    SessionStartHookOutput,
    SetupHookOutput,
    StopHookOutput,
    SubagentStartHookOutput,
    SubagentStopHookOutput,
    UserPromptExpansionHookOutput,
    UserPromptSubmitHookOutput,
    WorktreeCreateHookOutput,
)
from interlock.hosts.flat.dialect import HookResult

__all__ = [
    "BasePayload",
    "ConfigChangePayload",
    "CwdChangedHookOutput",
    "CwdChangedPayload",
    "DirectoryAddedPayload",
    "ElicitationHookOutput",
    "ElicitationPayload",
    "ElicitationResultHookOutput",
    "ElicitationResultPayload",
    "FileChangedHookOutput",
    "FileChangedPayload",
    "HookOutput",
    "HookPayload",
    "HookResult",
    "HookSpecificOutput",
    "InstructionsLoadedPayload",
    "MessageDisplayHookOutput",
    "MessageDisplayPayload",
    "NotificationHookOutput",
    "NotificationPayload",
    "PermissionAllow",
    "PermissionDeniedHookOutput",
    "PermissionDeniedPayload",
    "PermissionDeny",
    "PermissionRequestHookOutput",
    "PermissionRequestPayload",
    "PostCompactPayload",
    "PostModelSwitchHookOutput",
    "PostModelSwitchPayload",
    "PostToolBatchHookOutput",
    "PostToolBatchPayload",
    "PostToolUseFailureHookOutput",
    "PostToolUseFailurePayload",
    "PostToolUseHookOutput",
    "PostToolUsePayload",
    "PreCompactPayload",
    "PreModelSwitchHookOutput",
    "PreModelSwitchPayload",
    "PreToolUseHookOutput",
    "PreToolUsePayload",
    "SessionEndPayload",
    "SessionStartHookOutput",
    "SessionStartPayload",
    "SetupHookOutput",
    "SetupPayload",
    "StopFailurePayload",
    "StopHookOutput",
    "StopPayload",
    "SubagentStartHookOutput",
    "SubagentStartPayload",
    "SubagentStopHookOutput",
    "SubagentStopPayload",
    "TaskCompletedPayload",
    "TaskCreatedPayload",
    "TeammateIdlePayload",
    "UnknownPayload",
    "UserPromptExpansionHookOutput",
    "UserPromptExpansionPayload",
    "UserPromptSubmitHookOutput",
    "UserPromptSubmitPayload",
    "WorktreeCreateHookOutput",
    "WorktreeCreatePayload",
    "WorktreeRemovePayload",
    "decode",
    "event_from",
    "payload_of",
]
