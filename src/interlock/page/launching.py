"""Start the page's process, detached from the terminal, unless it runs already."""

from __future__ import annotations

import fcntl
import os
import select
import subprocess
import sys
from pathlib import Path

from msgspec import json

from interlock import __version__
from interlock.config.places import PACKAGE
from interlock.daemon.page_client import PageState, control_place, state_of_page, stop_page
from interlock.errors import InterlockError
from interlock.files.private import private_folder
from interlock.page.options import PageOptions
from interlock.spawn.launch import DROPPED

__all__ = ["log_place", "start_page"]

_PATIENCE = 20.0
_MOST_LOG = 1 << 20
# Isolated from the environment and from the folder that it is started in, with the package that this code is of.
_BOOT = "import sys; sys.path.append(sys.argv.pop(1)); from interlock.page.main import main; main()"


def log_place() -> Path:
    return control_place().with_name("page.log")


def start_page(project: Path, options: PageOptions = PageOptions()) -> PageState:  # noqa: B008 - it is frozen
    """The state of the page that runs, started now if need be. One of another version is replaced."""
    folder = private_folder(control_place().parent)
    lock = os.open(folder / "page.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        found = state_of_page()
        if found is not None and found.version != __version__:
            stop_page()
            found = None
        if found is not None and not _suits(found, options):
            raise InterlockError(
                f"the page runs already, at {found.public or found.address}",
                help="end it with `interlock open --stop`, then start it with what you want otherwise",
            )
        if found is None:
            _spawn(project, options)
            found = state_of_page()
    finally:
        os.close(lock)
    if found is None:
        raise InterlockError("the page has stopped right after its start", help=f"its log is {log_place()}")
    return found


def _suits(state: PageState, options: PageOptions) -> bool:
    """Whether a page that runs is what a person wants: what they do not name may be as it is."""
    asked = options.public in (None, state.public) and options.editor in ("", state.editor)
    return asked and (state.metrics or not options.metrics)


def _spawn(project: Path, options: PageOptions) -> None:
    log = os.open(log_place(), os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    if os.fstat(log).st_size > _MOST_LOG:
        os.ftruncate(log, 0)
    answer, ready = os.pipe()
    words = [sys.executable, "-I", "-c", _BOOT, str(PACKAGE.parent), str(ready), str(project)]
    words.append(json.encode(options).decode())
    try:
        subprocess.Popen(  # noqa: S603 - our own program
            words,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd="/",
            env={name: value for name, value in os.environ.items() if not any(one in name.upper() for one in DROPPED)},
            start_new_session=True,
            pass_fds=[ready],
        )
        os.close(ready)
        has_answered, _, _ = select.select([answer], [], [], _PATIENCE)
        said = os.read(answer, 1 << 16).decode("utf-8", "replace") if has_answered else ""
    finally:
        os.close(answer)
        os.close(log)
    if said != "ready":
        raise InterlockError("the page did not start", help=said or f"its log is {log_place()}")
