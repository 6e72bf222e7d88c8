"""When rules fired before an event."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Protocol

from interlock.errors import InterlockError
from interlock.facts.origins import EVERYTHING
from interlock.policy.durations import seconds_of

__all__ = ["EVERYTHING", "NEVER", "SAID", "TOLD", "WROTE", "Firings", "History", "own_name"]

NEVER = timedelta(days=36_500)


def own_name(policy: str, name: str) -> str:
    """A rule or a variable as it is kept: each policy has its own."""
    return f"{policy}#{name}"


# What a session wrote: a map from a path to how it came there. No policy has a variable of this name.
WROTE = own_name("", "wrote")
# What results told the model to do: the passages. And what was in its prompts and calls: hosts, addresses and the like.
TOLD = own_name("", "told")
SAID = own_name("", "said")


class History(Protocol):
    """What count() and since() ask."""

    def count(self, rule: str, window: str | None, scope: str | None) -> int: ...
    def since(self, rule: str, scope: str | None) -> timedelta: ...


class Firings:
    """Times of firings by scope and rule."""

    def __init__(self, now: float, times: Mapping[tuple[str, str], tuple[float, ...]]) -> None:
        self._now = now
        self._times = times

    def count(self, rule: str, window: str | None, scope: str | None) -> int:
        found = self._times.get((scope or "session", rule), ())
        if window is None:
            return len(found)
        seconds = seconds_of(window)
        if seconds is None:
            raise InterlockError(f"`{window}` is no duration")
        return sum(1 for at in found if at > self._now - seconds)

    def since(self, rule: str, scope: str | None) -> timedelta:
        found = self._times.get((scope or "session", rule), ())
        return timedelta(seconds=max(0.0, self._now - found[-1])) if found else NEVER
