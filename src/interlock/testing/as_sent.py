"""An event as another host would send it: for playing what a policy is tried on through every host's dialect."""

from __future__ import annotations

from typing import Any, TypeAlias

from msgspec import Struct, json

from interlock.event import Event, PostToolUse, PostToolUseFailure, PreToolUse, ToolEvent, payload_of
from interlock.facts.fields import sure_fields
from interlock.hosts.base.capabilities import reaches
from interlock.hosts.base.host import Host
from interlock.hosts.base.speech import result_text
from interlock.hosts.base.table import TableDialect
from interlock.policy.rule import Rule

__all__ = ["HostPayload", "Unsendable", "as_sent", "unsaid"]

JsonObject: TypeAlias = dict[str, Any]
_SOME_TEXT = {"old_string": "a line", "new_string": "another line"}  # an edit that replaces nothing writes a new file


class HostPayload(Struct, frozen=True):
    """What the host sends, and what it is read as."""

    raw: bytes
    event: Event


class Unsendable(Struct, frozen=True):
    """Why a host would never send an event, as the end of a sentence about the host."""

    why: str


def unsaid(host: Host, rule: Rule, given: JsonObject) -> str:
    """What a rule or a case asks about that a host does not say; nothing if it says all of it."""
    conditions = (rule.condition, *rule.unless)
    sources = "server" in given or "server" in rule.names or any(one.server is not None for one in conditions)
    if sources and not host.speech.sources:
        return "does not say where an MCP server comes from"
    named = "host" in given or "host" in rule.names or any(one.host is not None for one in conditions)
    return "is not the agent that the case names" if named and given.get("host") != host.name else ""


def as_sent(host: Host, event: Event) -> HostPayload | Unsendable:
    """An event in the words of policies, as the host would send it, and read again by its dialect.

    Raises InterlockError if the dialect refuses its own sample.
    """
    if event.agent_id is not None and host.speech.agent is None:
        return Unsendable("does not say which subagent makes a call")
    mode = event.permission_mode or "default"
    if mode != "default" and mode not in host.speech.modes:
        return Unsendable(f"does not know the mode `{mode}`")
    if not reaches(host, event.hook_event_name):
        return Unsendable(f"does not raise {event.hook_event_name}")
    payload = _about_call(host, event) if isinstance(event, ToolEvent) else _other(host, event)
    if isinstance(payload, Unsendable):
        return payload
    if event.agent_id is not None and host.speech.agent is not None:
        payload = host.speech.agent(payload, event.agent_type or "")
    raw = json.encode(payload | host.speech.modes.get(mode, {}))
    return HostPayload(raw, host.dialect.decode(raw))


def _about_call(host: Host, event: ToolEvent) -> JsonObject | Unsendable:
    given = {**{name: _SOME_TEXT.get(name, "") for name in sure_fields(event.tool_name)}, **event.tool_input}
    raw = None if host.sample is None else host.sample(event.tool_name, given, event.cwd)
    if raw is None:
        return Unsendable(f"has no tool `{event.tool_name}`")
    payload: JsonObject = json.decode(raw)
    if isinstance(event, PreToolUse):
        return payload
    if isinstance(host.dialect, TableDialect):
        payload["hook_event_name"] = host.dialect.name_of(event.hook_event_name)
    about = host.speech.about.get(event.hook_event_name)
    if about is not None:
        return about(payload, event)
    if isinstance(event, PostToolUseFailure):
        return payload | {"error": event.error}
    return payload | ({"tool_response": result_text(event)} if isinstance(event, PostToolUse) else {})


def _other(host: Host, event: Event) -> JsonObject | Unsendable:
    name = host.dialect.name_of(event.hook_event_name) if isinstance(host.dialect, TableDialect) else None
    if name is None:
        return Unsendable(f"does not raise {event.hook_event_name}")
    payload = payload_of(event) | {"hook_event_name": name}
    said = host.speech.others.get(event.hook_event_name)
    return payload if said is None else said(payload)
