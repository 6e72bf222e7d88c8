"""Earlier versions of policy files: those that a person trusted, and those that were seen but never trusted."""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import time
from pathlib import Path

from msgspec import DecodeError, json

from interlock.config.bundles import Bundle
from interlock.config.layers import Layer
from interlock.config.places import state_folder
from interlock.config.trust import Trust
from interlock.errors import InterlockError
from interlock.files.atomic import write_atomically

__all__ = ["SeenVersions", "earlier_versions", "forget", "forget_command"]


class SeenVersions:
    """Versions of a policy file that were seen but never trusted: kept, so that no rule can be loosened unnoticed."""

    def __init__(self, file: Path) -> None:
        name = hashlib.sha256(os.fsencode(file.absolute())).hexdigest()[:32]
        self.folder = state_folder() / "seen" / name

    def all(self) -> list[Bundle]:
        try:
            return [json.decode(kept.read_bytes(), type=Bundle) for kept in sorted(self.folder.glob("*.json"))]
        except (OSError, DecodeError) as error:
            raise InterlockError(f"cannot read the earlier versions in `{self.folder}`: {error}") from error

    def keep(self, bundle: Bundle) -> None:
        text = json.encode(bundle)
        # Names sort by time, so that the versions are listed in the order in which they were seen.
        place = self.folder / f"{time.time_ns():020}-{hashlib.sha256(text).hexdigest()[:16]}.json"
        try:
            write_atomically(place, text)
        except OSError as error:
            raise InterlockError(f"cannot keep a version in `{place}`: {error.strerror}") from error

    def forget(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


def earlier_versions(file: Path) -> list[Bundle]:
    """The versions that would be in force if a policy file were gone: the trusted one, or else all that were seen."""
    good = Trust().kept(file)
    return [good] if good is not None else SeenVersions(file).all()


def forget(file: Path) -> None:
    """Drop the versions that are kept for this policy file, and for no other."""
    Trust().forget(file)
    SeenVersions(file).forget()


def forget_command(layer: Layer, file: Path) -> str:
    """The command that drops the kept versions of a policy file that is gone; it works in any folder."""
    return "interlock trust --forget " + ("--user" if layer == "user" else shlex.quote(str(file)))
