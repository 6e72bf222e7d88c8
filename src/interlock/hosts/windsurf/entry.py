"""The event of what Windsurf sends, of where its entry runs, and of what lies at the path that is read.

Cascade reads whole folders, and says no more than their path. Whether it is a folder is looked up here.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import json

from interlock.errors import InterlockError
from interlock.hosts.base.envelopes import field_from_entry
from interlock.hosts.windsurf.tools import READS_FOLDER
from interlock.jsontext import read_object

__all__ = ["event_of_entry"]

_with_folder = field_from_entry("cwd")


def event_of_entry(raw: bytes, words: Sequence[str]) -> bytes:
    """The event with the folder in which its entry was run."""
    raw = _with_folder(raw, words)
    try:
        payload = read_object(raw)
    except InterlockError:
        return raw  # it is refused where it is read
    info = payload.get("tool_info")
    path = info.get("file_path") if isinstance(info, dict) else None
    if not isinstance(path, str) or not _is_folder(path, payload.get("cwd")):
        return raw
    return json.encode({**payload, READS_FOLDER: True})


def _is_folder(path: str, cwd: object) -> bool:
    try:
        return (Path(cwd) / path if isinstance(cwd, str) else Path(path)).is_dir()
    except (OSError, ValueError):
        return False
