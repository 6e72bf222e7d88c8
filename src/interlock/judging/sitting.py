"""Who judges one event, by what they know, and where it is remembered."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from msgspec import Struct

from interlock.judging.panels import Nobody
from interlock.policy.situation import Panel, Situation, World
from interlock.receipts.ledger import Memory

__all__ = ["Pending", "Sitting"]

Pending: TypeAlias = Iterable[tuple[str, str | None]]
"""What the result of a call would set: variables, or single keys of them."""


class Sitting(Struct, frozen=True, kw_only=True):
    """Everything that the service needs to answer one event."""

    panel: Panel = Nobody()
    memory: Memory | None = None
    world: World | None = None
    alone: bool = False  # no other hook stands beside ours that could undo a change
    host: str | None = None  # what the rules are told instead of the host that raised the event
    pending: Callable[[Situation], Pending] = lambda situation: ()
    release: Callable[[], None] = lambda: None
