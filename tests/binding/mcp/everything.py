"""A server of the official package that does a bit of everything. Over stdio, or `http PORT`."""

from __future__ import annotations

import sys

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError

server = MCPServer("everything", instructions="Use it with care.")


@server.tool()
def echo(text: str) -> str:
    """Say it again."""
    return text


@server.tool()
def customer(who: str) -> dict[str, str]:
    """Look somebody up."""
    return {"who": who, "card": "4111111111111111"}


@server.tool(structured_output=False)
def fail(text: str) -> str:
    """Fail with that text."""
    raise ToolError(text)


@server.tool()
async def steps(count: int, ctx: Context) -> str:
    """Report progress, and log."""
    for number in range(count):
        await ctx.report_progress(number + 1, count)
    return "done"


@server.resource("note://today")
def today() -> str:
    return "Buy milk.\r\nä € 😀"


@server.prompt()
def greet(name: str) -> str:
    return f"Greet {name}."


if len(sys.argv) > 1 and sys.argv[1] == "http":
    server.run("streamable-http", host="127.0.0.1", port=int(sys.argv[2]))
else:
    server.run("stdio")
