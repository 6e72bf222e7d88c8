"""What every entry names, and where earlier versions of hosts' files are kept."""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path

from interlock.config.places import PACKAGE, data_folder, socket_path, state_folder
from interlock.errors import InterlockError

__all__ = ["backup_folder", "client_file", "host_folder", "launcher_file", "python", "short_name"]


def python() -> Path:
    """The interpreter that runs Interlock, by its absolute path."""
    if not sys.executable:
        raise InterlockError("Python does not know its own path", help="run `interlock` by an installed Python")
    return Path(sys.executable).absolute()


def client_file() -> Path:
    """The program that a host spawns for one event."""
    return PACKAGE.resolve() / "client.py"


def launcher_file() -> Path:
    """The program that an entry in settings of several hosts names: `hosts/base/launcher.py` writes it."""
    # Not beside the records: a session whose records are deleted must still be answered.
    return data_folder() / "run" / socket_path().parent.name / "interlock-hook"


def host_folder(variable: str, home: Path, usual: str) -> Path:
    """A host's folder in a home. A variable may name another for the home of the person that runs this."""
    named = os.environ.get(variable)
    return Path(named).absolute() if named and home == Path.home() else home / usual


def backup_folder(file: Path) -> Path:
    """Where earlier versions of a file are kept."""
    return state_folder() / "backups" / short_name(file)


def short_name(file: Path) -> str:
    """A name for what is kept about a file."""
    return hashlib.sha256(os.fsencode(file.absolute())).hexdigest()[:32]
