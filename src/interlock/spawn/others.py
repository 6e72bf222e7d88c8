"""What the client answers other hosts than Claude Code if nobody judged an event.

Host → event → the answer, whether the reason goes to stderr, the exit code, and the seconds after which the client
gives up, before the host does. Written by `python -m interlock.hosts.client_literals`.
"""

# fmt: off
HOSTS = {
    "any": {
        "": ('{"decision":"block","reason":"%(why)s","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"%(why)s"}}', True, 2, 580.0),
        "shared": ('{"decision":"block","reason":"%(why)s","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"%(why)s"}}', True, 2, 580.0),
    },
    "amp": {
        "PreToolUse": ('', True, 2, 580.0),
    },
    "cline": {
        "PreToolUse": ('{"cancel":true,"errorMessage":"%(why)s"}', True, 0, 27.0),
        "PostToolUse": ('{"cancel":true,"errorMessage":"%(why)s"}', True, 0, 27.0),
    },
    "codex": {
        "PreToolUse": ('{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"%(why)s"}}', True, 2, 580.0),
        "PermissionRequest": ('{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"%(why)s"}}}', False, 0, 580.0),
        "PostToolUse": ('{"decision":"block","reason":"[withheld by Interlock: %(why)s]","systemMessage":"%(why)s"}', False, 0, 580.0),
        "UserPromptSubmit": ('{"systemMessage":"%(why)s"}', False, 0, 580.0),
        "SessionStart": ('{"systemMessage":"%(why)s"}', False, 0, 58.0),
        "SessionEnd": ('{"systemMessage":"%(why)s"}', False, 0, 2.0),
        "Stop": ('{"systemMessage":"%(why)s"}', False, 0, 580.0),
    },
    "copilot": {
        "PreToolUse": ('{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"%(why)s"}}', False, 0, 580.0),
        "PermissionRequest": ('{"behavior":"deny","message":"%(why)s"}', False, 0, 580.0),
        "PostToolUse": ('{"modifiedResult":{"resultType":"success","textResultForLlm":"[withheld by Interlock: %(why)s]"}}', True, 0, 580.0),
        "PostToolUseFailure": ('', True, 0, 580.0),
        "UserPromptSubmit": ('', True, 0, 580.0),
        "SessionStart": ('', True, 0, 58.0),
        "SessionEnd": ('', True, 0, 9.0),
        "Stop": ('', True, 0, 580.0),
    },
    "cursor": {
        "PreToolUse": ('{"permission":"deny","user_message":"%(why)s","agent_message":"%(why)s"}', False, 0, 580.0),
        "PostToolUse": ('{"updated_mcp_tool_output":"[withheld by Interlock: %(why)s]","additional_context":"Do not use the result of this call: %(why)s"}', True, 0, 580.0),
        "PostToolUseFailure": ('{"additional_context":"Do not use the result of this call: %(why)s"}', True, 0, 580.0),
        "UserPromptSubmit": ('{}', True, 0, 580.0),
        "SessionStart": ('{}', True, 0, 58.0),
        "SessionEnd": ('{}', True, 0, 9.0),
        "Stop": ('{}', True, 0, 580.0),
        "SubagentStart": ('{}', True, 0, 58.0),
        "SubagentStop": ('{}', True, 0, 580.0),
    },
    "droid": {
        "PreToolUse": ('{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"%(why)s"}}', True, 2, 580.0),
        "PostToolUse": ('{"decision":"block","reason":"%(why)s","systemMessage":"%(why)s\\nDroid shows this result all the same: %(why)s"}', False, 0, 580.0),
        "UserPromptSubmit": ('{"systemMessage":"%(why)s"}', False, 0, 580.0),
        "SessionStart": ('{"systemMessage":"%(why)s"}', False, 0, 58.0),
        "SessionEnd": ('{"systemMessage":"%(why)s"}', False, 0, 9.0),
        "Stop": ('{"systemMessage":"%(why)s"}', False, 0, 580.0),
        "SubagentStop": ('{"systemMessage":"%(why)s"}', False, 0, 580.0),
    },
    "gemini": {
        "PreToolUse": ('{"decision":"deny","reason":"%(why)s"}', False, 0, 580.0),
        "PostToolUse": ('{"decision":"deny","reason":"[withheld by Interlock: %(why)s]","systemMessage":"%(why)s"}', False, 0, 580.0),
        "UserPromptSubmit": ('{"systemMessage":"%(why)s"}', False, 0, 580.0),
        "SessionStart": ('{"systemMessage":"%(why)s"}', False, 0, 58.0),
        "SessionEnd": ('{"systemMessage":"%(why)s"}', False, 0, 9.0),
        "Stop": ('{"systemMessage":"%(why)s"}', False, 0, 580.0),
    },
    "kiro": {
        "PreToolUse": ('', True, 2, 580.0),
        "PostToolUse": ('', True, 1, 580.0),
        "UserPromptSubmit": ('', True, 1, 580.0),
        "SessionStart": ('', True, 1, 58.0),
    },
    "opencode": {
        "PreToolUse": ('{"deny":"%(why)s"}', False, 0, 580.0),
        "PostToolUse": ('{"output":"[withheld by Interlock: %(why)s]","notice":"%(why)s"}', False, 0, 580.0),
        "UserPromptSubmit": ('{"notice":"%(why)s"}', False, 0, 580.0),
    },
    "qwen": {
        "PreToolUse": ('{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"%(why)s"}}', True, 2, 58.0),
        "PermissionRequest": ('{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"%(why)s"}}}', False, 0, 58.0),
        "PostToolUse": ('{"continue":false,"stopReason":"[withheld by Interlock: %(why)s]","systemMessage":"%(why)s"}', False, 0, 58.0),
        "PostToolUseFailure": ('{"systemMessage":"%(why)s\\nQwen Code shows this result all the same: %(why)s"}', False, 0, 58.0),
        "PostToolBatch": ('{"decision":"block","reason":"%(why)s"}', False, 0, 14.0),
        "UserPromptSubmit": ('{"systemMessage":"%(why)s"}', False, 0, 58.0),
        "SessionStart": ('{"systemMessage":"%(why)s"}', False, 0, 58.0),
        "SessionEnd": ('{"systemMessage":"%(why)s"}', False, 0, 9.0),
        "Stop": ('{"systemMessage":"%(why)s"}', False, 0, 58.0),
    },
    "vscode": {
        "PreToolUse": ('{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"%(why)s"}}', False, 0, 580.0),
        "PostToolUse": ('{"decision":"block","reason":"%(why)s","systemMessage":"%(why)s\\nVS Code shows this result all the same: %(why)s"}', False, 0, 580.0),
        "UserPromptSubmit": ('{"systemMessage":"%(why)s"}', False, 0, 580.0),
        "SessionStart": ('{"systemMessage":"%(why)s"}', False, 0, 58.0),
        "Stop": ('{"systemMessage":"%(why)s"}', False, 0, 580.0),
    },
    "windsurf": {
        "PreToolUse": ('', True, 2, 29.0),
        "PostToolUse": ('%(why)s\nWindsurf shows this result all the same: %(why)s', True, 2, 29.0),
        "UserPromptSubmit": ('%(why)s', False, 0, 29.0),
        "Stop": ('%(why)s', False, 0, 29.0),
    },
}
# fmt: on
