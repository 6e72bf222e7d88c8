"""OpenCode, which runs plugins in its own process."""
