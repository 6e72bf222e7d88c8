"""Which project a session belongs to: fixed at its first event, whatever folder the agent moves to later."""

from __future__ import annotations

import hashlib
import os
import secrets
from pathlib import Path

from interlock.config.places import state_folder
from interlock.errors import InterlockError
from interlock.files.private import private_folder

__all__ = ["fix_root", "root_of"]


def root_of(session: str, folder: Path | None = None) -> Path | None:
    """The session's policy root, if an earlier event has fixed it."""
    kept = _root_file(session, folder)
    try:
        root = kept.read_text(encoding="utf-8") if kept.is_file() else ""
    except OSError as error:
        raise InterlockError(f"cannot read the session's root in `{kept}`: {error.strerror}") from error
    return Path(root) if root else None


def fix_root(session: str, found: Path, folder: Path | None = None) -> Path:
    """The session's policy root: that of its first event, whatever folder the agent has moved to since."""
    kept = _root_file(session, folder)
    new = kept.with_suffix(f".{secrets.token_hex(8)}")
    try:
        if kept.is_file() and (root := kept.read_text(encoding="utf-8")):
            return Path(root)
        private_folder(kept.parent)
        new.write_text(str(found), encoding="utf-8")
        try:
            os.link(new, kept)  # atomic, and it fails if another process was first
        except FileExistsError:
            if not kept.read_text(encoding="utf-8"):  # an empty file fixes nothing, whatever left it there
                new.replace(kept)
            return Path(kept.read_text(encoding="utf-8"))
        finally:
            new.unlink(missing_ok=True)
    except OSError as error:
        raise InterlockError(f"cannot keep the session's root in `{kept}`: {error.strerror}") from error
    return found


def _root_file(session: str, folder: Path | None) -> Path:
    return (folder or state_folder() / "sessions") / hashlib.sha256(session.encode()).hexdigest()[:32]
