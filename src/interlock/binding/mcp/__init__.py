"""The MCP proxy: it stands between any client and server, judges calls and their results, and passes on the rest."""
