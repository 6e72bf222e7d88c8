"""How a host reads what an entry answers to a call: whether it refuses the call, and with which reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from msgspec import DecodeError, json

__all__ = ["Denied", "nested_in", "object_in", "string_in", "text_of", "value_in"]

JsonObject: TypeAlias = dict[str, Any]
Denied: TypeAlias = Callable[[int, bytes, bytes], str | None]
"""Given how an entry ended, what it printed, and what it said on stderr, as its host takes it.

A text is the reason with which the host refuses the call; an empty one: it refuses, and the reason is lost. None: the
call would run, or a person would be asked.
"""


def text_of(said: bytes) -> str:
    """What was printed, as hosts take it."""
    return said.decode("utf-8", "replace").strip()


def value_in(text: str) -> Any:
    """The JSON value in a text. Raises ValueError if it cannot be read."""
    try:
        return json.decode(text.encode("utf-8"))
    except DecodeError as error:
        raise ValueError(str(error)) from error


def object_in(text: str) -> JsonObject | None:
    """The JSON object in a text; None if there is something else in it, or nothing."""
    try:
        found = value_in(text)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def nested_in(said: JsonObject | None) -> JsonObject:
    """What Claude Code and others have under `hookSpecificOutput`."""
    found = None if said is None else said.get("hookSpecificOutput")
    return found if isinstance(found, dict) else {}


def string_in(said: JsonObject, *names: str) -> str:
    """The first of these fields that has a text in it; an empty text if none has."""
    return next((said[name] for name in names if isinstance(said.get(name), str) and said[name].strip()), "")
