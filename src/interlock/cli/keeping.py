"""Where commands find the store."""

from __future__ import annotations

from pathlib import Path

from interlock.config import state_folder
from interlock.store.sqlite import SqliteStore

__all__ = ["open_store", "store_file"]


def store_file() -> Path:
    return state_folder() / "store" / "interlock.db"


def open_store() -> SqliteStore:
    """The person's store. Raises InterlockError if it cannot be opened."""
    return SqliteStore(store_file())
