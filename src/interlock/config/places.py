"""Where policies, state and the daemon's socket are. Nothing here is taken from the environment."""

from __future__ import annotations

import hashlib
import os
from functools import cache
from pathlib import Path

from interlock.errors import InterlockError

__all__ = [
    "LOCAL_NAME",
    "MANAGED",
    "PACKAGE",
    "POLICY_NAME",
    "data_folder",
    "project_root",
    "socket_path",
    "state_folder",
    "user_policy",
]

PACKAGE = Path(__file__).parent.parent
POLICY_NAME = "interlock.yaml"
LOCAL_NAME = "interlock.local.yaml"
MANAGED = Path("/etc/interlock/policy.yaml")


def state_folder() -> Path:
    """Where records, state and trust are kept. Not taken from the environment: a project's settings can set that."""
    return Path.home() / ".local" / "state" / "interlock"


def data_folder() -> Path:
    """Where it is remembered that there is a record, apart from the record itself."""
    return Path.home() / ".local" / "share" / "interlock"


def socket_path() -> Path:
    """Where the daemon of this installation listens. Another installation, of another version perhaps, has its own."""
    return state_folder() / "run" / _installation() / "socket"


@cache
def _installation() -> str:
    """A name for this installation: where its package is does not change while it runs."""
    return hashlib.sha256(str(PACKAGE.resolve()).encode()).hexdigest()[:12]


def user_policy() -> Path:
    return Path.home() / ".config" / "interlock" / "policy.yaml"


def project_root(start: Path) -> Path:
    """The folder whose policy holds at `start`.

    Within a repository the outermost that has one, so that a policy further in cannot take its place; else the nearest
    further up, else the repository's root, or `start` itself.
    """
    start = start.resolve()
    if "�" in (named := os.fsencode(start).decode("utf-8", "replace")) and named != str(start):
        shown = os.fsencode(start).decode("utf-8", "backslashreplace")
        raise InterlockError(f"the folder `{shown}` has a name that is not valid UTF-8", help="rename the folder")
    above = (start, *start.parents)
    repository = next((folder for folder in above if (folder / ".git").exists()), None)
    if repository is not None:
        inside = [folder for folder in above if folder.is_relative_to(repository) and (folder / POLICY_NAME).exists()]
        if inside:
            return inside[-1]
    return next((folder for folder in above if (folder / POLICY_NAME).exists()), repository or start)
