"""What a host sends of an event, made from the event: for holding the hosts' dialects against each other.

A host's sample is a call. Here is what it says of everything else: results, subagents, modes, and what is not a call.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from msgspec import Struct

from interlock.event import PostToolUse, ToolEvent
from interlock.facts.results import meaning, text_of_result
from interlock.facts.tools import parse_mcp

__all__ = ["About", "HostSpeech", "as_agent", "result_text"]

JsonObject: TypeAlias = dict[str, Any]
About: TypeAlias = Callable[[JsonObject, ToolEvent], JsonObject]
"""Given the payload of a call and an event about the same call: the payload of that event."""


class HostSpeech(Struct, frozen=True, kw_only=True):
    """How a host's payloads differ from Claude Code's where nothing else says so.

    Events are known by the names of policies. Functions get payloads with the host's own name of the event in them.
    """

    about: Mapping[str, About] = {}  # events about a call but the call itself; the sample under another name
    others: Mapping[str, Callable[[JsonObject], JsonObject]] = {}  # events that are not about a call
    agent: Callable[[JsonObject, str], JsonObject] | None = None  # given the type of a subagent; None: it does not say
    modes: Mapping[str, JsonObject] = {}  # a permission mode of policies → the fields that say so
    sources: bool = False  # whether it says where an MCP server comes from


def as_agent(payload: JsonObject, kind: str) -> JsonObject:
    """A payload from a subagent, as most hosts say it."""
    return {**payload, "agent_id": "agent-1", "agent_type": kind}


def result_text(event: ToolEvent) -> Any:
    """A result as hosts send it that show the model nothing but text; what tools of other sorts return, as it is."""
    if not isinstance(event, PostToolUse):
        return None
    meant = meaning(event.tool_name, event.tool_response)
    if parse_mcp(event.tool_name) is None and meaning(event.tool_name, "") == "":
        return meant
    return text_of_result(event.tool_name, meant) if meant else ""
