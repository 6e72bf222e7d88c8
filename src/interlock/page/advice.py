"""Suggestions from what people approve, found in the background: judging recorded calls again takes a while."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from interlock.page.rulebook import rulebook_of
from interlock.replay.habits import HabitSuggestion, habits_of, suggestions_from
from interlock.store.base import Store

__all__ = ["Advice"]

_FRESH = 900.0  # seconds
_BACK = 90 * 86_400.0  # seconds of the record that are looked at
_MOST_PROJECTS = 16


class Advice:
    """The suggestions for each project, looked up when somebody asks for them, and kept for a while."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self._store = store
        self._clock = clock
        self._lock = threading.Lock()
        self._found: dict[str, tuple[float, tuple[HabitSuggestion, ...]]] = {}
        self._thread: threading.Thread | None = None

    def of(self, project: str, rule: str | None = None) -> tuple[HabitSuggestion, ...]:
        """What is known by now, of all rules or of one. If that is nothing or old, looking begins."""
        known = self._found.get(project)
        if known is None or self._clock() - known[0] > _FRESH:
            self._look(project)
        found = () if known is None else known[1]
        return tuple(one for one in found if rule is None or rule in one.habit.rules)

    def wait(self, seconds: float) -> None:
        """Wait until nobody is looking, but not longer than this."""
        thread = self._thread
        if thread is not None:
            thread.join(seconds)

    def _look(self, project: str) -> None:
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, args=(project,), name="interlock-advice", daemon=True)
                self._thread.start()

    def _run(self, project: str) -> None:
        at = self._clock()
        try:
            habits = habits_of(self._store, at - _BACK, project)
            # The built-in rules have no exceptions, so only what a person can change is tried.
            acting = rulebook_of(Path(project)).judges if habits else ()
            found = tuple(suggestions_from(self._store, acting, habits))
        except Exception:  # noqa: BLE001 - a suggestion less; what is wrong with a policy or the record is said elsewhere
            found = ()
        with self._lock:
            if len(self._found) >= _MOST_PROJECTS:
                self._found.clear()
            self._found[project] = at, found
            self._thread = None
