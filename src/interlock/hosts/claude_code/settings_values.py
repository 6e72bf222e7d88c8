"""What Claude Code takes for each of its settings.

One value of a wrong type makes the client ignore the whole file, hooks and all, without a word. Seen with 2.1.325 and
2.1.197 by giving every setting a value of every type. A setting that is not here cannot be judged.
"""

from __future__ import annotations

from typing import Any

from interlock.hosts.claude_code.settings_shapes import SHAPES, are_texts

__all__ = ["fits"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_FLAGS = _words("""
    agentPushNotifEnabled allowAllClaudeAiMcps allowClaudeInChromeWithManagedMcp allowManagedHooksOnly
    allowManagedMcpServersOnly allowManagedPermissionRulesOnly alwaysThinkingEnabled autoCompactEnabled
    autoContinueAtUsageLimit autoDreamEnabled autoMemoryEnabled autoScrollEnabled autoUploadSessions
    awaySummaryEnabled bashEditDiffEnabled channelsEnabled clawdFileProgressEnabled disableAgentView disableAllHooks
    disableArtifact disableBundledSkills disableClaudeAiConnectors disableCommandPluginSources disableRemoteControl
    disableReplyCheck disableSideloadFlags disableSkillShellExecution disableWindowsBashCommandSplit disableWorkflows
    doneMeansMerged emojiCompletionEnabled enableAllProjectMcpServers enableArtifact enableWorkflows
    enforceAvailableModels fastMode fastModePerSessionOptIn fileCheckpointingEnabled forceRemoteSettingsRefresh
    idleCompaction includeCoAuthoredBy includeGitInstructions inputNeededNotifEnabled isolatePeerMachines
    precomputeCompactionEnabled prefersReducedMotion promptSuggestionEnabled remoteControlAtStartup
    respectGitignore respondToBashCommands responseComparisonEnabled showClearContextOnPlanAccept
    showMessageTimestamps showThinkingSummaries showTurnDuration skipDangerousModePermissionPrompt
    skipWebFetchPreflight skipWorkflowUsageWarning spinnerTipsEnabled switchModelsOnFlag syncClaudeAiPlugins
    syncClaudeAiSkills syntaxHighlightingDisabled terminalProgressBarEnabled terminalTitleFromRename
    todoFeatureEnabled totalTokensReminderAfterUserTurn verbose wheelScrollAccelerationEnabled
    workflowKeywordTriggerEnabled wslInheritsWindowsSettings
    """)
_TEXTS = _words("""
    $schema advisorModel agent apiKeyHelper attributionProject autoMemoryDirectory awsAuthRefresh awsCredentialExport
    claudeMd gcpAuthRefresh language minimumVersion model otelHeadersHelper outputStyle plansDirectory
    pluginTrustMessage prUrlTemplate processWrapper proxyAuthHelper requiredMaximumVersion requiredMinimumVersion
    timeFormat timeZone
    """)
_LISTS = _words("""
    allowedHttpHookUrls availableModels claudeMdExcludes companyAnnouncements disabledMcpjsonServers
    enabledMcpjsonServers fallbackModel httpHookAllowedEnvVars pluginSuggestionMarketplaces
    """)
_COUNTS = _words("cleanupPeriodDays desktopSessionCleanupPeriodDays skillListingMaxDescChars totalTokensReminderBudget")
# The client drops a wrong value of these by itself, and keeps the file.
_ANY = _words("""
    additionalMarketplaces allowedMcpServers allowedProviders appendPlugins askUserQuestionTimeout
    attributionProjectPolicy autoCompactWindow availableModelsMatch bashOutputMaxChars crossSessionInbound
    deniedMcpServers deniedModels dialogExpiry editorMode effortLevel footerLinksRegexes forceLoginGatewayUrl
    forceLoginMethod gatewayInternalNetworks keybindingFlavor managedMcpServers maxEffortLevel maxProseWidth
    modelPicker modelPricing modelProposedGoals modelSettings policyHelpers precomputeArmTokens
    preferredNotifChannel prependPlugins promptCacheTtl remoteControl spellcheck sshHostCommands
    strictPluginOnlyCustomization subagentPromptCacheTtl taskOutputMaxChars teammateMode theme ultracode viewMode
    vimInsertModeRemaps xaaIdp
    """)
_MODES = ("default", "acceptEdits", "plan", "bypassPermissions", "dontAsk", "auto")


def fits(key: str, value: Any) -> bool | None:
    """Whether the client takes this value for a setting and keeps the file; None if that is not known."""
    if key in _ANY:
        return True
    if key in _FLAGS:
        return isinstance(value, bool)
    if key in _TEXTS:
        return isinstance(value, str)
    if key in _LISTS:
        return are_texts(value)
    if key in _COUNTS:
        return isinstance(value, int) and not isinstance(value, bool) and value > 0
    if key == "env":
        return isinstance(value, dict)
    if key == "permissions":
        return _permissions(value)
    return SHAPES[key](value) if key in SHAPES else None


def _permissions(value: Any) -> bool | None:
    if not isinstance(value, dict):
        return False
    known = {"allow", "deny", "ask", "additionalDirectories", "defaultMode"}
    for name in ("allow", "deny", "ask"):  # a rule that cannot be read is dropped alone
        if not isinstance(value.get(name, []), list):
            return False
    if not are_texts(value.get("additionalDirectories", [])):
        return False
    if value.get("defaultMode", "default") not in _MODES:
        return False
    return True if value.keys() <= known else None
