"""`interlock serve`: run the daemon in this terminal."""

from __future__ import annotations

import fcntl
import os

import click

from interlock.cli.common import reporting, say
from interlock.config.places import socket_path
from interlock.daemon import main as daemon
from interlock.errors import InterlockError
from interlock.files.private import private_folder
from interlock.spawn import launch

__all__ = ["serve"]


@click.command()
@click.option(
    "--record",
    type=click.Choice(["on", "off"]),
    default="on",
    show_default=True,
    help="Whether events are recorded; if not, state lasts as long as this daemon.",
)
def serve(record: str) -> None:
    """Run the daemon in this terminal until ^C, and show its log. Otherwise the first event starts a daemon.

    \b
    Examples:
      interlock serve
      interlock stop && interlock serve
      interlock serve --record off
    """
    with reporting():
        path = socket_path()
        private_folder(path.parent)
        # A socket's path may have only about a hundred characters, so it is bound by its name alone, from its folder.
        before = os.open(".", os.O_RDONLY)
        os.chdir(path.parent)
        # The same lock that clients take to start a daemon, so that two cannot start at once.
        lock = os.open("lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        fcntl.flock(lock, fcntl.LOCK_EX)
        if launch.answers(path.name):
            raise InterlockError(
                "a daemon is running already", help="see `interlock status`, or end it with `interlock stop`"
            )
        listener = launch.listen(path.name)
        os.close(lock)  # only now: a client that waited for the lock finds a daemon that listens
        os.fchdir(before)
        say(f"listening on {path}; ^C ends it")
        daemon.serve(listener, path, record=record == "on")
