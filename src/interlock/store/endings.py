"""Turns that Interlock ended: what a record says of it, and whether the last turn of a session is one."""

from __future__ import annotations

from typing import Any

from interlock.event import Event
from interlock.store.base import Store
from interlock.verdict import Verdict

__all__ = ["ending_of", "record_ending"]

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


def ending_of(store: Store, session: str) -> str | None:
    """Why Interlock ended the last turn of a session; None if it did not."""
    why = None
    for record in store.records(session=session, newest=_NEWEST):
        found = record.record.get("ended")
        why = str(found) if found is not None else None if record.event in _FRESH else why
    return why
