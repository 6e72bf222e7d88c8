"""What could not be read of the past: how often, and where first."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

__all__ = ["FaultCount", "Faults"]


class FaultCount(Struct):
    """One kind of thing that could not be read."""

    what: str  # "lines that are not JSON"
    first: str  # file and line of the first one
    count: int = 0


class Faults:
    """Counts them. A replay never stops because of a bad line or file, and never hides one either."""

    def __init__(self) -> None:
        self._found: dict[str, FaultCount] = {}

    def add(self, what: str, file: Path | str, line: int | None = None) -> None:
        """Count one more of a kind."""
        place = str(file) if line is None else f"{file}:{line}"
        self._found.setdefault(what, FaultCount(what, place)).count += 1

    def all(self) -> list[FaultCount]:
        """Every kind that was met."""
        return list(self._found.values())
