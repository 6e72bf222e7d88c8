"""Settings of a host that keep it from running any hooks, Interlock's entries included."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeAlias

from interlock.errors import InterlockError
from interlock.files import jsonedit
from interlock.files.edit import read_bytes

__all__ = ["first_with", "settings_in"]

JsonObject: TypeAlias = dict[str, Any]


def settings_in(file: Path) -> JsonObject:
    """What is in a settings file: nothing if there is no file. Raises InterlockError if it cannot be read."""
    raw = read_bytes(file)
    if raw is None or not raw.strip():
        return {}
    try:
        found = jsonedit.read(raw.decode("utf-8"), str(file), jsonc=True).plain()
    except UnicodeDecodeError as error:
        raise InterlockError(f"cannot read {file}: it is not UTF-8") from error
    if not isinstance(found, dict):
        raise InterlockError(f"cannot read {file}: it is not a JSON object")
    return found


def first_with(files: Iterable[Path], *keys: str) -> tuple[Path, Any] | None:
    """The first of these files that has a value under the keys, and the value."""
    for file in files:
        found: Any = settings_in(file)
        for key in keys:
            found = found.get(key) if isinstance(found, dict) else None
        if found is not None:
            return file, found
    return None
