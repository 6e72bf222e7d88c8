"""The MCP proxy's rows: the official client and server with it between them, against without it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from bench.rows import Part, Row, Run, Skipped, Values

ROWS = {
    "off": Row("MCP proxy: added to a tools/call, 20 rules, record off", 1.0, "ms"),
    "off 16": Row("  direct rate / rate through it, 16 calls in flight", 1 / 0.6),
    "on": Row("  added with the record on", 1.2, "ms"),
    "on 16": Row("  direct rate / rate with the record on, 16 in flight"),
    "direct": Row("a direct tools/call", unit="ms", reference=True),
}
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
        for _ in range(300):
            start = time.perf_counter()
            await client.call_tool("echo", TEXT)
            times.append(time.perf_counter() - start)
        left = iter(range(1000))
        async def caller():
            for _ in left:
                await client.call_tool("echo", TEXT)
        start = time.perf_counter()
        async with anyio.create_task_group() as group:
            for _ in range(16):
                group.start_soon(caller)
        print(json.dumps([statistics.median(times), 1000 / (time.perf_counter() - start)]))

anyio.run(main, sys.argv[1:])
"""


@contextmanager
def _opens() -> Iterator[Run]:
    python = sys.executable if find_spec("mcp") is not None else os.environ.get("INTERLOCK_MCP_PYTHON", "")
    if not python:
        raise Skipped("the official `mcp` package is not installed, and INTERLOCK_MCP_PYTHON names no Python with it")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, text in (("server.py", _SERVER), ("client.py", _CLIENT), ("policy.yaml", _POLICY)):
            (folder / file).write_text(text)
        server = [python, str(folder / "server.py")]
        proxy = [
            sys.executable, "-I", "-m", "interlock", "mcp", "--name", "bench", "--policy", str(folder / "policy.yaml"),
        ]  # fmt: skip
        commands = {"direct": server, "off": [*proxy, "--record", "off", "--", *server], "on": [*proxy, "--", *server]}
        client = [python, str(folder / "client.py")]
        yield lambda: _run(folder, {name: [*client, *command] for name, command in commands.items()})


def _run(folder: Path, commands: dict[str, list[str]]) -> Values:
    found = {name: _call_times(folder, command) for name, command in commands.items()}
    alone = {name: one[0] * 1000 for name, one in found.items()}
    rate = {name: one[1] for name, one in found.items()}
    return {
        "off": alone["off"] - alone["direct"],
        "off 16": rate["direct"] / rate["off"],
        "on": alone["on"] - alone["direct"],
        "on 16": rate["direct"] / rate["on"],
        "direct": alone["direct"],
    }


def _call_times(folder: Path, command: list[str]) -> tuple[float, float]:
    """The seconds that one call takes, and how many calls a second there are with 16 in flight."""
    environment = {**os.environ, "HOME": str(folder)}
    ran = subprocess.run(command, capture_output=True, text=True, check=True, env=environment, timeout=300)
    alone, rate = json.loads(ran.stdout)
    return alone, rate


PART = Part("mcp", ROWS, _opens)
