"""The messages between a process and its hook worker: JSON in the frames of `framing`."""

from __future__ import annotations

from typing import Any

from msgspec import Raw, Struct

from interlock.fold import Round
from interlock.verdict import Opinion

__all__ = ["Answer", "Hello", "Question"]


class Hello(Struct):
    """A worker's first message: the hooks it has loaded, or why it could not load them."""

    hooks: list[str] = []
    error: str | None = None


class Question(Struct):
    """One round about one event. The event is passed on as the bytes in which it arrived."""

    host: str
    event: Raw
    round_: Round
    number: int
    state: dict[str, Any] | None = None


class Answer(Struct, omit_defaults=True):
    """The opinions of every hook that applies, in order, or why it failed. It has the number of its question."""

    number: int
    opinions: dict[int, tuple[Opinion, ...]] = {}
    error: str | None = None
