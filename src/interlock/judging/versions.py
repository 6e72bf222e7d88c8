"""Earlier versions of policy files: those a person trusted, and those that were met and never trusted."""

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
    """Versions of a policy file that were met and never trusted: kept, so that they cannot be loosened in silence."""

    def __init__(self, file: Path) -> None:
        name = hashlib.sha256(os.fsencode(file.absolute())).hexdigest()[:32]
        self.folder = state_folder() / "seen" / name

    def all(self) -> list[Bundle]:
        try:
            return [json.decode(kept.read_bytes(), type=Bundle) for kept in sorted(self.folder.glob("*.json"))]
        except (OSError, DecodeError) as error:
            raise InterlockError(f"cannot read what was met before in `{self.folder}`: {error}") from error

    def keep(self, bundle: Bundle) -> None:
        text = json.encode(bundle)
        place = self.folder / f"{time.time_ns():020}-{hashlib.sha256(text).hexdigest()[:16]}.json"
        try:
            write_atomically(place, text)
        except OSError as error:
            raise InterlockError(f"cannot keep what was met in `{place}`: {error.strerror}") from error

    def forget(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


def earlier_versions(file: Path) -> list[Bundle]:
    """What is kept of a policy file and would hold if the file were gone: the trusted version, else those met."""
    good = Trust().kept(file)
    return [good] if good is not None else SeenVersions(file).all()


def forget(file: Path) -> None:
    """Drop what is kept of one policy file, and of no other."""
    Trust().forget(file)
    SeenVersions(file).forget()


def forget_command(layer: Layer, file: Path) -> str:
    """What a person types to drop what is kept of a policy file that is gone, in whatever folder they are."""
    return "interlock trust --forget " + ("--user" if layer == "user" else shlex.quote(str(file)))
