"""A store for a daemon that is told to record nothing: state and receipts last as long as it does."""

from __future__ import annotations

from interlock.store.chain import SEGMENT_SIZE
from interlock.store.memory import MemoryStore, _Tables
from interlock.store.prepare import PreparedEntry

__all__ = ["UnrecordedStore"]

_KEPT = 10_000  # events for which answers and closed receipts are kept
_TIDIED_EVERY = 1_000


class UnrecordedStore(MemoryStore):
    """Keeps what rules read, but no record of what happened."""

    def __init__(self) -> None:
        super().__init__()
        self._tables = _WithoutLines(SEGMENT_SIZE)


class _WithoutLines(_Tables):
    _newest: float | None = None

    def append(self, prepared: PreparedEntry) -> None:
        self._newest = max(prepared.at, self._newest or prepared.at)
        if self.last % _TIDIED_EVERY == 0:
            self._tidy(self.last - _KEPT)

    def newest(self) -> float | None:
        return self._newest

    def _tidy(self, oldest: int) -> None:
        self._answers = {once: kept for once, kept in self._answers.items() if kept[0] > oldest}
        self._receipts = {
            key: kept for key, kept in self._receipts.items() if kept[0] > oldest or kept[1].status == "open"
        }
