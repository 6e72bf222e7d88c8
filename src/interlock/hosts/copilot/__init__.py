"""GitHub's Copilot CLI."""
