"""Read an event off the wire. Both dialects receive the same payloads and differ in what they answer."""

from __future__ import annotations

import re
from typing import Any

from msgspec import ValidationError

from interlock.effect import safe_direction
from interlock.errors import InterlockError
from interlock.event import EVENTS, Event, PostToolBatch, event_from
from interlock.jsontext import find_character, mend_surrogates, peek_string, read_object

__all__ = ["decode", "decode_without_id", "peek_event_name"]

_WORDS = {"str": "a string", "int": "an integer", "float": "a number", "bool": "a boolean", "null": "null",
          "object": "an object", "array": "an array"}  # fmt: skip


def decode(raw: bytes) -> Event:
    """The event in `raw`. Raises InterlockError naming the field at fault."""
    event = decode_without_id(raw)
    about: list[tuple[str, Any]] = [("", event)]
    if isinstance(event, PostToolBatch):
        about = [(f"tool_calls[{number}].", call) for number, call in enumerate(event.tool_calls)]
    for where, one in about:
        if getattr(one, "tool_use_id", None) == "":
            raise InterlockError(f"{event.hook_event_name}: the field `{where}tool_use_id` is missing")
    return event


def decode_without_id(raw: bytes) -> Event:
    """The event in `raw`, which may leave out the ids that tell one call from the next."""
    payload = _read(raw)
    name = payload.get("hook_event_name")
    if not isinstance(name, str):
        raise InterlockError("the field `hook_event_name` is missing or not a string")
    # A NUL ends a path or a command early for whatever runs it, so what is judged is not what would run.
    if b"\\u0000" in raw and safe_direction(name) == "deny" and (field := find_character(payload, "\0")):
        raise InterlockError(f"the field `{field}` holds a NUL character")
    try:
        return event_from(payload)
    except ValidationError as error:
        raise InterlockError(f"{name}: {_translate(str(error))}") from error


def _read(raw: bytes) -> dict[str, Any]:
    try:
        return read_object(raw)
    except InterlockError:
        # A result may end in half an emoji where the host cut it; that is no reason to withhold it. A call may not.
        mended = mend_surrogates(raw)
        if mended == raw or safe_direction(peek_event_name(raw)) == "deny":
            raise
        return read_object(mended)


def peek_event_name(raw: bytes) -> str | None:
    """The name of the event in a payload that could not be read, if that much is certain."""
    name = peek_string(raw, "hook_event_name")
    return name if name in EVENTS else None


def _translate(message: str) -> str:
    """A library's complaint in the words of JSON, the field first."""
    if missing := re.search(r"missing required field `(\w+)`(?: - at `\$\.(.+)`)?", message):
        inside = f"{missing[2]}." if missing[2] else ""
        return f"the field `{inside}{missing[1]}` is missing"
    if wrong := re.search(r"Expected `(.+)`, got `(.+)` - at `\$\.(.+)`", message):
        expected = " or ".join(_WORDS.get(word, word) for word in wrong[1].split(" | "))
        return f"the field `{wrong[3]}` is {_WORDS.get(wrong[2], wrong[2])}; expected {expected}"
    return message[0].lower() + message[1:]
