"""`interlock stop`: end the daemon; the next event starts a new one."""

from __future__ import annotations

import click

from interlock.cli.common import as_json as to_json
from interlock.cli.common import json_option, reporting, say
from interlock.config.places import socket_path
from interlock.daemon import control

__all__ = ["stop"]


@click.command()
@json_option
def stop(as_json: bool) -> None:
    """End the daemon after the events in progress. Everything stays guarded: the next event starts a new daemon.

    \b
    Examples:
      interlock stop
      interlock stop --json
    """
    with reporting():
        stopped = control.stop(socket_path())
        if as_json:
            say(to_json({"stopped": stopped}))
        else:
            say("stopped" if stopped else "no daemon was running")
