"""Turns that Interlock ended: what the record says about it, and whether it ended the last turn of a session."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from interlock.event import Event
from interlock.store.base import Store
from interlock.verdict import Verdict

__all__ = ["LastTurn", "last_turn", "record_ending"]

# If one of these is denied, the model gets no further request; an interrupt has that effect wherever it is honoured.
_ENDS_BY_DENIAL = frozenset({"PostToolBatch", "UserPromptSubmit", "UserPromptExpansion"})
# These begin a new turn, or show that the model itself finished one.
_FRESH = frozenset({"SessionStart", "UserPromptSubmit", "Stop"})
_NEWEST = 100  # records; after the event that ended a turn, only the ends of subagents are recorded


def record_ending(event: Event | None, verdict: Verdict) -> dict[str, Any]:
    """What the record says if this answer makes the host end the turn: why. Otherwise nothing."""
    name = None if event is None else event.hook_event_name
    if not verdict.interrupt and not (verdict.decision == "deny" and name in _ENDS_BY_DENIAL):
        return {}
    why = verdict.reason or verdict.withheld or " ".join(verdict.notices)
    return {"ended": why or f"{name or 'an event that could not be read'} was answered in a way that ends the turn"}


class LastTurn(Struct, frozen=True):
    """How the last turn of a session ended, as far as it is recorded."""

    ended: str | None = None  # why Interlock ended it
    is_finished: bool = False  # the model itself finished it


def last_turn(store: Store, session: str) -> LastTurn:
    """How the last turn of a session ended."""
    found = LastTurn()
    for record in store.records(session=session, newest=_NEWEST):
        why = record.record.get("ended")
        if why is not None:
            found = LastTurn(ended=str(why))
        elif record.event in _FRESH:
            found = LastTurn(is_finished=record.event == "Stop")
    return found
