"""Add to an answer the fields that other programs' hooks send to Claude Code beside their decisions."""

from __future__ import annotations

from typing import TypeVar

from msgspec.structs import replace

from interlock.hosts.base.strict import Strict
from interlock.hosts.claude_code.fields import Extras
from interlock.hosts.claude_code.outputs import OUTPUTS, HookOutput, PermissionRequestHookOutput
from interlock.verdict import JsonObject

__all__ = ["with_extras"]

_Part = TypeVar("_Part", bound=Strict)


def with_extras(event_name: str, answer: HookOutput, carried: Extras) -> HookOutput:
    """The answer with the fields that other programs' hooks send to the client."""
    if not (carried.top or carried.specific or carried.decision):
        return answer
    specific = answer.hook_specific_output
    if carried.decision and isinstance(specific, PermissionRequestHookOutput):
        specific = replace(specific, decision=_set(specific.decision, carried.decision))
    if carried.specific:
        specific = _set(OUTPUTS[event_name]() if specific is None else specific, carried.specific)
    top = {name: value for name, value in carried.top.items() if name != "stopReason"}
    return _set(replace(answer, hook_specific_output=specific), top)


def _set(part: _Part, fields: JsonObject) -> _Part:
    """A part of an answer with fields set that are given by the host's names for them."""
    ours = dict(zip(part.__struct_encode_fields__, part.__struct_fields__, strict=True))
    return replace(part, **{ours[name]: value for name, value in fields.items()})
