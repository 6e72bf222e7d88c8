"""What a process and its hook worker say to each other, as JSON in the frames of `framing`."""

from __future__ import annotations

from typing import Any

from msgspec import Raw, Struct

from interlock.fold import Round
from interlock.verdict import Opinion

__all__ = ["Answer", "Hello", "Question"]


class Hello(Struct):
    """What a worker says when its hooks are loaded, or why they are not."""

    hooks: list[str] = []
    error: str | None = None


class Question(Struct):
    """One round about one event. The event travels as the bytes it came in."""

    host: str
    event: Raw
    round_: Round
    number: int
    state: dict[str, Any] | None = None


class Answer(Struct, omit_defaults=True):
    """The opinions of every hook that applies, in order, or why there are none. Numbered as its question was."""

    number: int
    opinions: dict[int, tuple[Opinion, ...]] = {}
    error: str | None = None
