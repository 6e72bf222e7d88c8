"""The MCP proxy."""
