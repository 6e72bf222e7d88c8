"""A call as a host would send it: for canaries, and for holding the hosts' dialects against each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from msgspec import json

from interlock.facts.tools import McpName, known_tools, parse_mcp
from interlock.hosts.base.table import to_json
from interlock.hosts.base.tools import NativeTool, from_policy

__all__ = ["SESSION", "Sample", "named_anew", "sample_from"]

JsonObject: TypeAlias = dict[str, Any]
SESSION = "sample"  # of every sample
Sample: TypeAlias = Callable[[str, JsonObject, str], bytes | None]
"""Given a tool and an input in the words of policies, and a folder. None: the host has no such tool."""


def sample_from(
    tools: Mapping[str, NativeTool],
    payload: Callable[[str, JsonObject, str], JsonObject],
    server: Callable[[McpName, JsonObject, str], JsonObject] | None = None,
) -> Sample:
    """Samples made from a host's table. `payload` is given the host's own name of a tool, its input and the folder.

    `server` makes the payload for a tool of an MCP server. Without it the host calls such a tool as policies do. Tools
    that nobody knows keep their names.
    """

    def sample(tool: str, given: JsonObject, cwd: str) -> bytes | None:
        for name, native in tools.items():
            if native.name == tool:
                return to_json(payload(name, from_policy(native, given), cwd))
        if tool in known_tools():
            return None
        named = parse_mcp(tool)
        made = payload(tool, given, cwd) if named is None or server is None else server(named, given, cwd)
        return to_json(made)

    return sample


def named_anew(raw: bytes, name: str) -> bytes:
    """A sample under another name, so that nobody takes it for one that was sent before."""

    def walk(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: walk(one) for key, one in value.items()}
        if isinstance(value, list):
            return [walk(one) for one in value]
        return name if value == SESSION else value

    return to_json(walk(json.decode(raw)))
