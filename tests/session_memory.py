"""The state of each session while a process lasts, for hooks without a policy: no names declared, no record kept."""

from __future__ import annotations

from collections.abc import Iterable
from copy import deepcopy
from datetime import datetime
from typing import Any, TypeAlias

from interlock.event import Event
from interlock.receipts.ledger import Leavings, Recollection
from interlock.receipts.watch import Questions
from interlock.store.asking import Grant
from interlock.verdict import Verdict

__all__ = ["SessionMemory"]

JsonObject: TypeAlias = dict[str, Any]


class SessionMemory:
    """Hooks see a session's state as it was when the event came; updates follow the verdict."""

    def __init__(self, defaults: JsonObject | None = None) -> None:
        self._defaults = defaults or {}
        self._sessions: dict[str, JsonObject] = {}

    def open(self, event: Event, now: datetime) -> Recollection:
        return Recollection(state=self.state_of(event.session_id))

    def review(self, opened: Recollection, event: Event, verdict: Verdict) -> Questions[Verdict]:
        yield from ()
        return verdict

    def close(self, opened: Recollection, event: Event, left: Leavings) -> None:
        self.update(event.session_id, left.verdict)

    def note(self, event: Event | None, raw: bytes, verdict: Verdict, now: datetime) -> None:
        """Nothing is recorded here."""

    def grants(self, opened: Recollection, event: Event) -> list[Grant]:
        return []

    def state_of(self, session_id: str) -> JsonObject:
        """A copy of one session's state, the caller's to keep."""
        return deepcopy(self._sessions.get(session_id, self._defaults))

    def update(self, session_id: str, verdict: Verdict) -> None:
        """Apply what the opinions set. A denied call sets nothing but what its deniers themselves set."""
        deniers = {opinion.by for opinion in verdict.opinions if opinion.decision == "deny"}
        standing = [
            opinion.set
            for opinion in verdict.opinions
            if opinion.set and (verdict.decision != "deny" or opinion.by in deniers)
        ]
        if standing:
            self._sessions[session_id] = _merged(self.state_of(session_id), deepcopy(standing))


def _merged(state: JsonObject, updates: Iterable[JsonObject]) -> JsonObject:
    for update in updates:
        for name, value in update.items():
            held = state.get(name)
            both_maps = isinstance(held, dict) and isinstance(value, dict)
            state[name] = {**held, **value} if both_maps else value  # type: ignore[dict-item]
    return state
