"""OpenAI's Codex CLI."""
