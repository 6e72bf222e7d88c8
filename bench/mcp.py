"""The MCP proxy's figures: the official client and server with it between them, against without it."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from bench.measure import Figure

_BLOCKS = 3
_POLICY = "version: 1\nrules:\n" + "".join(
    f"  - {{id: rule-{number}, tool: mcp__bench__echo, when: 'input.text == \"{number}\"', deny: No.}}\n"
    for number in range(20)
)
_SERVER = """
from mcp.server import MCPServer
server = MCPServer("bench")

@server.tool(structured_output=False)
def echo(text: str) -> str:
    return text

server.run("stdio")
"""
_CLIENT = """
import json, statistics, sys, time
import anyio
from mcp import Client, StdioServerParameters, stdio_client

TEXT = {"text": "x" * 200}

async def main(command):
    server = stdio_client(StdioServerParameters(command=command[0], args=command[1:]))
    async with Client(server, mode="legacy") as client:
        await client.list_tools()
        for _ in range(100):
            await client.call_tool("echo", TEXT)
        times = []
        for _ in range(500):
            start = time.perf_counter()
            await client.call_tool("echo", TEXT)
            times.append(time.perf_counter() - start)
        left = iter(range(1600))
        async def caller():
            for _ in left:
                await client.call_tool("echo", TEXT)
        start = time.perf_counter()
        async with anyio.create_task_group() as group:
            for _ in range(16):
                group.start_soon(caller)
        print(json.dumps([statistics.median(times), 1600 / (time.perf_counter() - start)]))

anyio.run(main, sys.argv[1:])
"""


def figures() -> Iterator[Figure]:
    python = sys.executable if find_spec("mcp") is not None else os.environ.get("INTERLOCK_MCP_PYTHON", "")
    if not python:
        return  # without the official package there is nothing to measure against
    with tempfile.TemporaryDirectory() as name:
        yield from _figures(Path(name), python)


def _figures(folder: Path, python: str) -> Iterator[Figure]:
    for file, text in (("server.py", _SERVER), ("client.py", _CLIENT), ("policy.yaml", _POLICY)):
        (folder / file).write_text(text)
    server = [python, str(folder / "server.py")]
    proxy = [sys.executable, "-I", "-m", "interlock", "mcp", "--name", "bench", "--policy", str(folder / "policy.yaml")]
    commands = {"direct": server, "off": [*proxy, "--record", "off", "--", *server], "on": [*proxy, "--", *server]}
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
    for _ in range(_BLOCKS):  # interleaved, so that noise falls on all alike
        for name, command in commands.items():
            found[name].append(_measured(folder, [python, str(folder / "client.py"), *command]))
    alone = {name: statistics.median(one[0] for one in runs) * 1000 for name, runs in found.items()}
    rate = {name: statistics.median(one[1] for one in runs) for name, runs in found.items()}
    yield Figure("MCP proxy: added to a tools/call, 20 rules, record off", alone["off"] - alone["direct"], 1.0, "ms")
    yield Figure("  direct rate / rate through it, 16 calls in flight", rate["direct"] / rate["off"], 1 / 0.6)
    yield Figure("  added with the record on", alone["on"] - alone["direct"], unit="ms")
    yield Figure("  direct rate / rate with the record on, 16 in flight", rate["direct"] / rate["on"])
    yield Figure("a direct tools/call", alone["direct"], unit="ms")


def _measured(folder: Path, command: list[str]) -> tuple[float, float]:
    environment = {**os.environ, "HOME": str(folder)}
    ran = subprocess.run(command, capture_output=True, text=True, check=True, env=environment, timeout=300)
    alone, rate = json.loads(ran.stdout)
    return alone, rate
