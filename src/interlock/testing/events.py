"""Events as cases and scenarios write them: a command, a prompt, `{Tool: input}`, or `{event: …}`."""

from __future__ import annotations

from typing import Any, TypeAlias

from msgspec import NODEFAULT, json
from msgspec.structs import fields as struct_fields

from interlock.errors import InterlockError
from interlock.event import EVENTS, ToolEvent
from interlock.facts.fields import main_field
from interlock.facts.tools import parse_mcp
from interlock.hosts.base.samples import SESSION
from interlock.testing.pretend import PROJECT

__all__ = ["Written", "call_of", "payload_for"]

JsonObject: TypeAlias = dict[str, Any]
Written: TypeAlias = Any
_BASE = {"session_id": SESSION, "transcript_path": "", "cwd": PROJECT}


def call_of(written: Written) -> tuple[str, JsonObject]:
    """The tool and input of a call: a string is a shell command, `{Tool: value}` gives the input or its main field."""
    if isinstance(written, str):
        return "Bash", {"command": written}
    if isinstance(written, dict) and len(written) == 1:
        tool, given = next(iter(written.items()))
        if isinstance(given, dict):
            return tool, given
        field = main_field(tool)
        if field is None and given is not None:
            raise InterlockError(f"the main field of {tool} is not known", help="give its input as a map")
        return tool, {field: given} if field is not None and given is not None else {}
    raise InterlockError(f"`{json.encode(written).decode()}` is not a call", help="write a command, or {Tool: input}")


def payload_for(event: str, given: JsonObject, **fields: Any) -> bytes:
    """The payload of an event, with the agent and mode from `given`, and with required fields filled in."""
    payload: JsonObject = {**_BASE, "hook_event_name": event, **fields}
    if "agent" in given and given["agent"] != "main":
        payload |= {"agent_id": "agent-1", "agent_type": given["agent"]}
    if "mode" in given:
        payload["permission_mode"] = given["mode"]
    kind = EVENTS.get(event)
    if hasattr(kind, "tool_use_id"):
        payload.setdefault("tool_use_id", "toolu_case")
    # A case names only what matters to it, but decoding refuses an event without its required fields.
    for field in struct_fields(kind) if kind is not None else ():
        if field.default is NODEFAULT and field.default_factory is NODEFAULT and field.encode_name not in payload:
            payload[field.encode_name] = _empty(field.type)
    if kind is not None and issubclass(kind, ToolEvent):
        parsed = parse_mcp(payload["tool_name"])
        if parsed is not None and "mcp_server" not in payload:
            payload["mcp_server"] = {"name": parsed.server, "source": given.get("server", "user")}
    return json.encode(payload)


def _empty(kind: Any) -> Any:
    plain = {str: "", bool: False, int: 0, float: 0.0}
    if kind in plain:
        return plain[kind]
    return [] if getattr(kind, "__origin__", None) is list else {}
