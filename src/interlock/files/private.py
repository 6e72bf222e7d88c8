"""Folders that nobody but their owner may enter."""

from __future__ import annotations

from pathlib import Path

__all__ = ["private_folder"]


def private_folder(folder: Path) -> Path:
    """Make a folder, and whatever is missing above it, for its owner alone; what is there stays as it is."""
    # `mkdir(parents=True, mode=…)` would leave what it makes above to the umask, which may let others write there.
    for place in reversed([place for place in (folder, *folder.parents) if not place.exists()]):
        place.mkdir(mode=0o700, exist_ok=True)
    return folder
