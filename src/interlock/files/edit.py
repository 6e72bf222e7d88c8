"""Read and replace other programs' files with care: all or nothing, never through a link, and with a backup."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct

from interlock.errors import InterlockError
from interlock.files.atomic import write_atomically

__all__ = ["MOST_BYTES", "FileChange", "apply_changes", "may_edit", "read_bytes"]

MOST_BYTES = 1024 * 1024


class FileChange(Struct, frozen=True):
    """A file's content as it was found and as it will be; None means that there is no file."""

    path: Path
    before: bytes | None
    after: bytes | None
    mode: int = 0o644
    also_folder: bool = False  # remove the folder too, if nothing else is in it
    sets_mode: bool = False  # also of a file that is there


def read_bytes(path: Path) -> bytes | None:
    """The content of a plain file, or None if there is no file. Raises InterlockError for anything else."""
    try:
        # O_NONBLOCK: opening a named pipe in the file's place would block for ever.
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise InterlockError(f"cannot read {path}: it is not a plain file")
            found = file.read(MOST_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise InterlockError(f"cannot read {path}: {error.strerror}") from error
    if len(found) > MOST_BYTES:
        raise InterlockError(f"cannot read {path}: it is larger than {MOST_BYTES:,} bytes")
    return found


def may_edit(path: Path) -> bytes | None:
    """The content of a file that may be replaced, or None if there is none. Raises InterlockError if it must not be."""
    left = "it is left as it is"
    # A new file in the place of a link would leave the file that the link leads to as it was, and unlinked.
    if path.parent.is_symlink():
        raise InterlockError(f"`{path.parent}` is a symbolic link; {left}", help="replace the link with a folder")
    try:
        found = path.lstat()
    except FileNotFoundError:
        _check_folder(path)
        return None
    except OSError as error:
        raise InterlockError(f"cannot look at `{path}`: {error.strerror}") from error
    if stat.S_ISLNK(found.st_mode):
        raise InterlockError(f"`{path}` is a symbolic link; {left}", help="replace the link with the file it leads to")
    if not stat.S_ISREG(found.st_mode):
        raise InterlockError(f"`{path}` is not a plain file; {left}")
    if found.st_uid != os.geteuid():
        raise InterlockError(f"`{path}` belongs to another user; {left}", help="run this as its owner")
    if not found.st_mode & stat.S_IWUSR or not os.access(path.parent, os.W_OK):
        raise InterlockError(f"`{path}` is read-only; {left}", help=f"chmod u+w '{path}', then run this again")
    return read_bytes(path)


def _check_folder(path: Path) -> None:
    above = next(folder for folder in path.parents if folder.exists())
    if not above.is_dir() or not os.access(above, os.W_OK):
        raise InterlockError(f"cannot write `{path}`: `{above}` is not a folder that Interlock may write to")


def apply_changes(changes: list[FileChange], backup_folder: Callable[[Path], Path]) -> list[Path]:
    """Make all changes, or none. Returns where the earlier versions are kept. Raises InterlockError.

    `backup_folder` returns the folder that keeps the earlier versions of a file.
    """
    # All files are checked before the first is written. A person has seen the change that they agreed to, so a file
    # that is no longer as it was shown is not overwritten.
    for change in changes:
        if may_edit(change.path) != change.before:
            raise InterlockError(
                f"`{change.path}` has changed in the meantime; nothing was written", help="review the change again"
            )
    kept = [_back_up(change, backup_folder(change.path)) for change in changes if change.before is not None]
    done: list[FileChange] = []
    try:
        for change in changes:
            _make(change)
            done.append(change)
    except OSError as error:
        for change in reversed(done):
            with suppress(OSError):  # the first error is the one to report
                _make(FileChange(change.path, change.after, change.before, change.mode))
        raise InterlockError(f"cannot write `{changes[len(done)].path}`: {error.strerror}") from error
    return kept


def _make(change: FileChange) -> None:
    path = change.path
    if change.after is None:
        path.unlink(missing_ok=True)
        if change.also_folder:
            with suppress(OSError):  # something else is in it
                path.parent.rmdir()
        return
    keeps = change.before is not None and path.exists() and not change.sets_mode
    mode = stat.S_IMODE(path.stat().st_mode) if keeps else change.mode
    path.parent.mkdir(parents=True, exist_ok=True)  # a host's folder, as open as the host makes it
    write_atomically(path, change.after, mode=mode, durable=True)


def _back_up(change: FileChange, folder: Path) -> Path:
    copy = folder / f"{datetime.now(UTC):%Y%m%dT%H%M%S%f}-{change.path.name}"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with copy.open("xb") as file:
            os.fchmod(file.fileno(), 0o600)  # before the content: settings may contain tokens
            file.write(change.before or b"")
    except OSError as error:
        raise InterlockError(f"cannot keep a copy in `{folder}`: {error.strerror}; nothing was written") from error
    return copy
