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
from interlock.wire.claude_code.outputs import (
    HookOutput,
    HookSpecificOutput,
    PermissionAllow,
    PermissionDeny,
    PermissionRequestHookOutput,
    PostToolUseHookOutput,
    PreToolUseHookOutput,
    SubagentStartHookOutput,
)
from interlock.wire.decode import decode
from interlock.wire.flat import HookResult

__all__ = [
    "BasePayload",
    "ConfigChangePayload",
    "CwdChangedPayload",
    "DirectoryAddedPayload",
    "ElicitationPayload",
    "ElicitationResultPayload",
    "FileChangedPayload",
    "HookOutput",
    "HookPayload",
    "HookResult",
    "HookSpecificOutput",
    "InstructionsLoadedPayload",
    "MessageDisplayPayload",
    "NotificationPayload",
    "PermissionAllow",
    "PermissionDeniedPayload",
    "PermissionDeny",
    "PermissionRequestHookOutput",
    "PermissionRequestPayload",
    "PostCompactPayload",
    "PostModelSwitchPayload",
    "PostToolBatchPayload",
    "PostToolUseFailurePayload",
    "PostToolUseHookOutput",
    "PostToolUsePayload",
    "PreCompactPayload",
    "PreModelSwitchPayload",
    "PreToolUseHookOutput",
    "PreToolUsePayload",
    "SessionEndPayload",
    "SessionStartPayload",
    "SetupPayload",
    "StopFailurePayload",
    "StopPayload",
    "SubagentStartHookOutput",
    "SubagentStartPayload",
    "SubagentStopPayload",
    "TaskCompletedPayload",
    "TaskCreatedPayload",
    "TeammateIdlePayload",
    "UnknownPayload",
    "UserPromptExpansionPayload",
    "UserPromptSubmitPayload",
    "WorktreeCreatePayload",
    "WorktreeRemovePayload",
    "decode",
    "event_from",
    "payload_of",
]
