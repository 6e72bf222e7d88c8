"""Clients and servers that nobody here wrote, and how to get them."""

from __future__ import annotations

import os
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

_CHECKOUT = Path(__file__).parent.parent.parent.parent
_SERVERS = _CHECKOUT / ".servers"
_HOW = {
    "mcp-server-time": "python -m venv .servers && .servers/bin/pip install mcp-server-time",
    "mcp-server-git": "python -m venv .servers && .servers/bin/pip install mcp-server-git",
    "mcp-server-filesystem": "npm install --prefix .servers @modelcontextprotocol/server-filesystem",
    "mcp-server-everything": "npm install --prefix .servers @modelcontextprotocol/server-everything",
}


def official() -> str:
    """A Python that has the official `mcp` package."""
    if find_spec("mcp") is not None:
        return sys.executable
    named = os.environ.get("INTERLOCK_MCP_PYTHON", "")
    if not Path(named).is_file():
        pytest.skip("needs mcp: pip install 'interlock[mcp]', or name a Python that has it in INTERLOCK_MCP_PYTHON")
    return named


def server(name: str) -> str:
    """A server from the package index or npm: on the path, or in the checkout's .servers folder."""
    places = [os.environ.get("PATH", ""), str(_SERVERS / "bin"), str(_SERVERS / "node_modules" / ".bin")]
    found = shutil.which(name, path=os.pathsep.join(places))
    if found is None:
        pytest.skip(f"needs {name}: {_HOW[name]}")
    return found
