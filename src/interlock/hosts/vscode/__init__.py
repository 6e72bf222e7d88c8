"""The agent in VS Code's chat."""
