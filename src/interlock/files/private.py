"""Folders that only their owner may enter."""

from __future__ import annotations

from pathlib import Path

__all__ = ["private_folder"]


def private_folder(folder: Path) -> Path:
    """Create a folder, and any missing folders above it, for its owner alone; existing folders stay as they are."""
    # `mkdir(parents=True, mode=…)` leaves the mode of the folders above to the umask, which may let others write there.
    for place in reversed([place for place in (folder, *folder.parents) if not place.exists()]):
        place.mkdir(mode=0o700, exist_ok=True)
    return folder
