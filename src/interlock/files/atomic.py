"""Write a file whole or not at all. Every file that Interlock keeps is written by this."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from interlock.files.private import private_folder

__all__ = ["sync_folder", "write_atomically"]

PRIVATE = 0o600


def write_atomically(place: Path, body: bytes, *, mode: int = PRIVATE, durable: bool = False) -> None:
    """Put `body` into the file at `place`, for its owner alone unless `mode` says otherwise. Raises OSError.

    Readers see the file as it was or as it is now, never half of it. `durable`: it is still there after a power cut.
    """
    private_folder(place.parent)
    # In the same folder, because a rename is atomic only within one file system.
    # A name that nobody can guess, made anew and never through a link: whoever may write to the folder of a settings
    # file could have put a link there to have another file overwritten.
    new = place.with_name(f".{place.name}.{secrets.token_hex(8)}")
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        with os.fdopen(os.open(new, flags, PRIVATE), "wb") as file:
            file.write(body)
            file.flush()
            if mode != PRIVATE:
                os.fchmod(file.fileno(), mode)  # past the umask, which counts for what is made
            if durable:
                os.fsync(file.fileno())
        new.replace(place)
    finally:
        new.unlink(missing_ok=True)
    if durable:
        sync_folder(place.parent)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable."""
    opened = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
