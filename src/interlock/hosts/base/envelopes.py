"""What an entry says about an event besides the event itself, put into it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import json

from interlock.errors import InterlockError
from interlock.jsontext import read_object

__all__ = ["field_from_entry"]


def field_from_entry(name: str) -> Callable[[bytes, Sequence[str]], bytes]:
    """An envelope that puts the word of an entry into this field of the event, if it lacks it."""

    def envelope(raw: bytes, words: Sequence[str]) -> bytes:
        if len(words) > 1:
            raise InterlockError(f"an entry says `{name}` and nothing more")
        try:
            payload = read_object(raw)
        except InterlockError:
            return raw  # it is refused where it is read
        if not words or payload.get(name):
            return raw
        return json.encode({**payload, name: words[0]})

    return envelope
