"""Turns that Interlock ended: what a record says of it, and whether the last turn of a session is one."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from interlock.event import Event
from interlock.store.base import Store
from interlock.verdict import Verdict

__all__ = ["LastTurn", "last_turn", "record_ending"]

# A denial of these leaves the model no word to say; an interrupt does so wherever it is honoured.
_ENDS_BY_DENIAL = frozenset({"PostToolBatch", "UserPromptSubmit", "UserPromptExpansion"})
# A new turn, or one that the model itself brought to its end.
_FRESH = frozenset({"SessionStart", "UserPromptSubmit", "Stop"})
_NEWEST = 100  # records; nothing but the end of subagents comes behind the event that ended a turn


def record_ending(event: Event | None, verdict: Verdict) -> dict[str, Any]:
    """What a record says if the host ends the turn by this answer: nothing, or why."""
    name = None if event is None else event.hook_event_name
    if not verdict.interrupt and not (verdict.decision == "deny" and name in _ENDS_BY_DENIAL):
        return {}
    why = verdict.reason or verdict.withheld or " ".join(verdict.notices)
    return {"ended": why or f"{name or 'an event that could not be read'} was answered so that the turn ends"}


class LastTurn(Struct, frozen=True):
    """How the last turn of a session went, as far as it is recorded."""

    ended: str | None = None  # why Interlock ended it
    is_finished: bool = False  # the model itself brought it to its end


def last_turn(store: Store, session: str) -> LastTurn:
    """How the last turn of a session went."""
    found = LastTurn()
    for record in store.records(session=session, newest=_NEWEST):
        why = record.record.get("ended")
        if why is not None:
            found = LastTurn(ended=str(why))
        elif record.event in _FRESH:
            found = LastTurn(is_finished=record.event == "Stop")
    return found
