"""Let the bench measure a package from before modules were moved, by the names that they have now.

A name that the package has is never touched. What is found under an older name and fits is measured; the rest fails,
and its rows are reported as not measured.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType

__all__ = ["OLDER", "install"]

_PACKAGE = "interlock"
# Where a module is now, and where it was. Written as paths, so that renaming imports leaves the older half alone.
OLDER: dict[str, tuple[str, ...]] = {
    "config/bundles": ("config",),
    "errors": ("source",),
    "hosts/claude_code/address": ("install/address",),
    "judging/guard": ("guard",),
    "judging/projects": ("projects",),
    "store/place": ("projects",),
    "testing/score": ("score",),
}


def install() -> None:
    """Look for names that the package does not have under their older ones."""
    sys.meta_path.append(_Finder())


class _Finder(MetaPathFinder):
    """Comes last, so it is asked only for what nobody found."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        room, _, name = fullname.partition(".")
        if room != _PACKAGE or not name:
            return None
        place = name.replace(".", "/")
        older = next((_dotted(old) for old in OLDER.get(place, ()) if _exists(_dotted(old))), None)
        if older is not None:
            return ModuleSpec(fullname, _Older(older))
        is_room = any(known.startswith(f"{place}/") for known in OLDER)
        return ModuleSpec(fullname, _EmptyRoom(), is_package=True) if is_room else None


def _dotted(place: str) -> str:
    return f"{_PACKAGE}.{place.replace('/', '.')}"


def _exists(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:  # the room that it would be in does not exist
        return False


class _Older(Loader):
    """Gives the module of the older name."""

    def __init__(self, name: str) -> None:
        self._name = name

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return importlib.import_module(self._name)

    def exec_module(self, module: ModuleType) -> None:
        """Nothing to do: importing the older name ran it."""


class _EmptyRoom(Loader):
    """A room that did not exist then."""

    def create_module(self, spec: ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        """Nothing to do: there is nothing in it but what is found by an older name."""
