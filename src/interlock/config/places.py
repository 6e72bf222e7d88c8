"""Where policies, state and the daemon's socket are. No place here comes from the environment."""

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
MANAGED = Path("/etc/interlock/policy.yaml")  # writable only by the administrator of the machine


def state_folder() -> Path:
    """Where records, state and trust are kept. XDG variables do not count: a project's settings can set variables."""
    return Path.home() / ".local" / "state" / "interlock"


def data_folder() -> Path:
    """Where it is noted that a record exists, outside the folder of the record itself; and what entries start."""
    # Whoever deletes the record's folder must not delete with it the only trace that there was a record.
    return Path.home() / ".local" / "share" / "interlock"


def socket_path() -> Path:
    """Where the daemon of this installation listens. Another installation has its own socket."""
    # A client must never reach a daemon of another version, whose messages may differ. The digest is short because the
    # path of a Unix socket may have only about a hundred characters.
    return state_folder() / "run" / _installation() / "socket"


@cache
def _installation() -> str:
    """A name for this installation: where its package is does not change while it runs."""
    return hashlib.sha256(str(PACKAGE.resolve()).encode()).hexdigest()[:12]


def user_policy() -> Path:
    return Path.home() / ".config" / "interlock" / "policy.yaml"


def project_root(start: Path) -> Path:
    """The folder whose policy applies at `start`.

    Within a repository that is the outermost folder that has a policy, so that a policy in a subfolder cannot replace
    it. Otherwise it is the nearest folder further up that has one, else the repository's root, or else `start` itself.
    """
    start = start.resolve()
    # Policies, events and the record are UTF-8: such a path could not be written there, nor matched by any rule.
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
