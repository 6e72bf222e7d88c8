"""Turn other tools' configuration into a policy: conclaude, the permissions of Claude Code settings, hookify."""
