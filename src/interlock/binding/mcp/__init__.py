"""The MCP proxy: it sits between a client and a server, judges calls and their results, and passes on the rest."""
