"""The MCP proxy as a host: its dialect, and how clients are configured to use it."""
