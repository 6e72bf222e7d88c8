"""A session of the official client: `session.py MODE [asks] command…`. Prints what came of it, as JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Awaitable
from typing import Any

import anyio
from mcp import Client, MCPError, StdioServerParameters, stdio_client, types

came: list[Any] = []


async def note(what: str, awaited: Awaitable[Any]) -> None:
    try:
        found = await awaited
        came.append([what, found.model_dump(mode="json", by_alias=True, exclude_none=True)])
    except MCPError as error:
        came.append([what, str(error)])


async def progressed(progress: float, total: float | None, message: str | None) -> None:
    came.append(["progress", progress, total])


async def asked(context: Any, params: Any) -> types.ElicitResult:
    came.append(["asked", params.message])
    return types.ElicitResult(action="accept", content={"answer": "allow"})


async def main(mode: Any, asks: bool, command: list[str]) -> None:
    server = stdio_client(StdioServerParameters(command=command[0], args=command[1:]))
    async with Client(server, mode=mode, elicitation_callback=asked if asks else None) as client:
        await note("tools", client.list_tools())
        for text in ("hi", "ä € 😀 \n\r\u2028", "maybe", "never"):
            await note(f"echo {text}", client.call_tool("echo", {"text": text}))
        await note("customer", client.call_tool("customer", {"who": "ada"}))
        await note("fail", client.call_tool("fail", {"text": "card 4111111111111111"}))
        await note("missing", client.call_tool("missing", {}))
        await note("wrong", client.call_tool("echo", {"txt": 1}))
        await note("steps", client.call_tool("steps", {"count": 3}, progress_callback=progressed))
        await note("resource", client.read_resource("note://today"))
        await note("no resource", client.read_resource("note://nowhere"))
        await note("prompt", client.get_prompt("greet", {"name": "Ada"}))
        await note("prompts", client.list_prompts())
    print(json.dumps(came))


anyio.run(main, sys.argv[1], sys.argv[2] == "asks", sys.argv[3:])
