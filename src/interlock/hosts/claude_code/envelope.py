"""Check the envelope of a foreign hook's answer: which keys it has at which level, and the event-specific part."""

from __future__ import annotations

import re
from typing import Any

from msgspec import UNSET, ValidationError, convert

from interlock.errors import suggest
from interlock.hosts.base.reading import HookMistake, closest_decision
from interlock.hosts.claude_code.outputs import OUTPUTS, HookSpecificOutput

__all__ = ["check_top_level", "specific_part"]

_TOP = ["continue", "suppressOutput", "stopReason", "decision", "reason", "systemMessage", "terminalSequence",
        "hookSpecificOutput", "metrics", "rewakeSummary"]  # fmt: skip
_DECISIONS = ["allow", "deny", "ask", "defer"]
_FLAT_KEYS = {"blocked", "message", "system_prompt", "updated_input"}


def check_top_level(event_name: str, said: dict[str, Any]) -> None:
    """Refuse keys at the top level that would be ignored there."""
    if said.get("async") is True:
        raise HookMistake(
            "async", "the hook answered `async: true`, so it can decide nothing", "answer before you exit"
        )
    for key in ("reason", "stopReason", "systemMessage", "terminalSequence", "rewakeSummary"):
        if not isinstance(said.get(key), str | None):
            raise HookMistake("wrong-type", f"`{key}` is not a string")
    for key in ("continue", "suppressOutput"):
        if not isinstance(said.get(key, True), bool):
            raise HookMistake("wrong-type", f"`{key}` is not a boolean")
    unknown = [key for key in said if key not in _TOP]
    if not unknown:
        return
    if {"permissionDecision", "permissionDecisionReason", "updatedInput", "behavior"} & set(unknown):
        where = f"put it inside `hookSpecificOutput` with `hookEventName: {event_name}`"
        raise HookMistake("top-level-decision", f"`{unknown[0]}` is at the top level, where it is ignored", where)
    if flat := [key for key in unknown if key in _FLAT_KEYS]:
        raise HookMistake(
            "custom-json",
            f"`{flat[0]}` belongs to the flat dialect, not to Claude Code's",
            "register the hook as flat, or answer with `hookSpecificOutput`",
        )
    meant = suggest(unknown[0], _TOP)
    hint = f"did you mean `{meant}`?" if meant else "answer with `hookSpecificOutput`"
    raise HookMistake("custom-json", f"`{unknown[0]}` is not a key of a hook's answer", hint)


def specific_part(event_name: str, said: Any) -> HookSpecificOutput | None:
    """The part of an answer that belongs to this event, typed."""
    if said is UNSET:
        return None
    if not isinstance(said, dict):
        raise HookMistake("wrong-type", "`hookSpecificOutput` is not an object")
    named = said.get("hookEventName")
    if named is None:
        raise HookMistake("no-event-name", "`hookEventName` is missing", f"add `hookEventName: {event_name}`")
    if named != event_name:
        raise HookMistake("wrong-event-name", f"`hookEventName` is `{named}`", f"this event is `{event_name}`")
    kind = OUTPUTS.get(event_name)
    if kind is None:
        raise HookMistake("nothing-to-say", f"{event_name} takes no `hookSpecificOutput`")
    decision = said.get("permissionDecision")
    if decision is not None and decision not in _DECISIONS:
        raise HookMistake(
            "wrong-value", f"`permissionDecision` is `{decision}`", closest_decision(decision, _DECISIONS)
        )
    if not isinstance(said.get("updatedInput"), dict | None):
        raise HookMistake("change-not-object", "`updatedInput` is not an object", "give the fields that change")
    if not isinstance(said.get("decision"), dict | None):
        raise HookMistake(
            "wrong-value",
            "`decision` is not an object",
            'write {"behavior": "allow"} or {"behavior": "deny"}',
        )
    try:
        part: HookSpecificOutput = convert(said, kind)
        return part
    except ValidationError as error:
        raise _unfit(said, kind, str(error)) from error


def _unfit(said: dict[str, Any], kind: type[HookSpecificOutput], message: str) -> HookMistake:
    if unknown := re.search(r"contains unknown field `(.+?)`", message):
        meant = suggest(unknown[1], [*kind.__struct_encode_fields__])
        return HookMistake(
            "unknown-key",
            f"`{unknown[1]}` is not a key of this answer",
            f"did you mean `{meant}`?" if meant else "",
        )
    behavior = said["decision"].get("behavior") if isinstance(said.get("decision"), dict) else None
    if behavior is not None and behavior not in ("allow", "deny"):
        return HookMistake("wrong-value", f"`behavior` is `{behavior}`", closest_decision(behavior, ["allow", "deny"]))
    return HookMistake("wrong-type", message[0].lower() + message[1:])
