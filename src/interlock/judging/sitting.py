"""Who judges one event, what they know about the machine, and where the outcome is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from msgspec import Struct

from interlock.judging.asking import Asking
from interlock.judging.panels import Nobody
from interlock.policy.situation import Panel, Situation, World
from interlock.receipts.ledger import Memory

__all__ = ["Pending", "Sitting"]

Pending: TypeAlias = Iterable[tuple[str, str | None]]
"""What the result of a call would set: whole variables, or single keys of them."""


class Sitting(Struct, frozen=True, kw_only=True):
    """Everything that the service needs to answer one event."""

    panel: Panel = Nobody()
    memory: Memory | None = None
    world: World | None = None
    alone: bool = False  # the host has no other hook that could undo a change
    host: str | None = None  # the host that rules see, if it is not the one whose dialect the event is in
    asking: Asking | None = None  # how people are asked; None: the host does it, and no grant counts
    pending: Callable[[Situation], Pending] = lambda situation: ()
    release: Callable[[], None] = lambda: None
