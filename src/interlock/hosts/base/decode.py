"""Read an event as a host sends it. Both dialects receive the same payloads and differ in their answers."""

from __future__ import annotations

import re
from typing import Any

from msgspec import ValidationError

from interlock.effect import safe_direction
from interlock.errors import InterlockError
from interlock.event import EVENTS, Event, PostToolBatch, event_from
from interlock.jsontext import find_character, mend_surrogates, peek_string, read_object

__all__ = ["decode", "decode_without_id", "peek_event_name", "translate_error"]

_WORDS = {"str": "a string", "int": "an integer", "float": "a number", "bool": "a boolean", "null": "null",
          "object": "an object", "array": "an array"}  # fmt: skip


def decode(raw: bytes) -> Event:
    """The event in `raw`. Raises InterlockError naming the field at fault."""
    event = decode_without_id(raw)
    about: list[tuple[str, Any]] = [("", event)]
    if isinstance(event, PostToolBatch):
        about = [(f"tool_calls[{number}].", call) for number, call in enumerate(event.tool_calls)]
    # Without an id, a result could not be matched with the receipt of its call.
    for where, one in about:
        if getattr(one, "tool_use_id", None) == "":
            raise InterlockError(f"{event.hook_event_name}: the field `{where}tool_use_id` is missing")
    return event


def decode_without_id(raw: bytes) -> Event:
    """The event in `raw`, which may lack the ids that distinguish one call from the next."""
    payload = _read(raw)
    payload.pop("parts", None)  # only Interlock says what the parts of a call are
    name = payload.get("hook_event_name")
    if not isinstance(name, str):
        raise InterlockError("the field `hook_event_name` is missing or not a string")
    # The system ends a path or a command at a NUL, so what was judged would not be what runs.
    if b"\\u0000" in raw and safe_direction(name) == "deny" and (field := find_character(payload, "\0")):
        raise InterlockError(f"the field `{field}` contains a NUL character")
    try:
        return event_from(payload)
    except ValidationError as error:
        raise InterlockError(f"{name}: {translate_error(str(error))}") from error


def _read(raw: bytes) -> dict[str, Any]:
    try:
        return read_object(raw)
    except InterlockError:
        # A host may cut a result in the middle of an emoji. That is not a reason to withhold it; a call is refused.
        mended = mend_surrogates(raw)
        if mended == raw or safe_direction(peek_event_name(raw)) == "deny":
            raise
        return read_object(mended)


def peek_event_name(raw: bytes) -> str | None:
    """The name of the event in a payload that could not be read, if that much is certain."""
    name = peek_string(raw, "hook_event_name")
    return name if name in EVENTS else None


def translate_error(message: str) -> str:
    """An error of the JSON library in the words of JSON, with the field first."""
    if missing := re.search(r"missing required field `(\w+)`(?: - at `\$\.(.+)`)?", message):
        inside = f"{missing[2]}." if missing[2] else ""
        return f"the field `{inside}{missing[1]}` is missing"
    if wrong := re.search(r"Expected `(.+)`, got `(.+)` - at `\$\.(.+)`", message):
        expected = " or ".join(_WORDS.get(word, word) for word in wrong[1].split(" | "))
        return f"the field `{wrong[3]}` is {_WORDS.get(wrong[2], wrong[2])}; expected {expected}"
    return message[0].lower() + message[1:]
