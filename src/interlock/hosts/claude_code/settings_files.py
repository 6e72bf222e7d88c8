"""Which settings files a client reads if it is started in a folder; the one that takes precedence comes first.

Seen with 2.1.325: both files of the folder itself, and of the repository's main working tree only the local one, which
has the last word of the two. 2.1.197 reads the folder's own and nothing else.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from interlock.hosts.claude_code.places import Scope, settings_file

__all__ = ["SettingsPlace", "main_folder", "settings_places", "worktrees_of"]

_MOST_BYTES = 8192


class SettingsPlace(Struct, frozen=True):
    """A file that a client reads; `newer` if only newer clients do."""

    scope: Scope
    path: Path
    newer: bool = False


def settings_places(start: Path, config: Path, managed: Path) -> Iterator[SettingsPlace]:
    """Every settings file of a client started in `start`, whose person's folder is `config`."""
    seen = set()
    for place in _places(start, config, managed):
        if place.path not in seen:
            seen.add(place.path)
            yield place


def _places(start: Path, config: Path, managed: Path) -> Iterator[SettingsPlace]:
    for file in (*_drop_ins(managed), managed):
        yield SettingsPlace("managed", file)
    main = main_folder(start)
    if main is not None and main not in (start.resolve(), Path.home().resolve()):
        yield SettingsPlace("local", settings_file("local", main), newer=True)
    for scope in ("local", "project", "user"):
        yield SettingsPlace(scope, settings_file(scope, start, config))


def _drop_ins(managed: Path) -> list[Path]:
    folder = managed.with_suffix(".d")
    try:
        return sorted((file for file in folder.glob("*.json") if not file.name.startswith(".")), reverse=True)
    except OSError:
        return []


def main_folder(start: Path) -> Path | None:
    """The main working tree of the repository that a folder is in; None outside a repository or without such a tree.

    Of a worktree it is the one it was made from, if the two name each other; a `.git` file by itself proves nothing.
    """
    start = start.resolve()
    tree = next((folder for folder in (start, *start.parents) if _exists(folder / ".git")), None)
    if tree is None or (tree / ".git").is_dir():
        return tree
    git = tree / _line(tree / ".git").removeprefix("gitdir:").strip()
    common, back = _line(git / "commondir"), _line(git / "gitdir")
    if not common or not back or os.path.realpath(back) != str(tree / ".git"):
        return tree
    shared = Path(os.path.realpath(git / common))
    return shared.parent if shared.name == ".git" else None


def worktrees_of(main: Path) -> list[Path]:
    """The other working trees that were made from one and are still there."""
    try:
        kept = sorted((main / ".git" / "worktrees").iterdir())
    except OSError:
        return []
    found = [Path(os.path.realpath(back)).parent for one in kept if (back := _line(one / "gitdir"))]
    return [folder for folder in found if main_folder(folder) == main.resolve()]


def _exists(path: Path) -> bool:
    return os.path.exists(path)  # noqa: PTH110 - False for a folder that may not be entered; a Path would raise


def _line(file: Path) -> str:
    """The content of a small file of git's; empty if it cannot be read."""
    try:
        with file.open("rb") as opened:
            return os.fsdecode(opened.read(_MOST_BYTES)).strip()
    except (OSError, ValueError):
        return ""
