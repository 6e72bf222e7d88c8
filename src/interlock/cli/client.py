"""`interlock client`: what a host spawns if the settings are shared and must not contain a path of one machine."""

from __future__ import annotations

import sys

import click

from interlock import client as spawned
from interlock.config.places import socket_path
from interlock.spawn import exchange

__all__ = ["client"]


@click.command()
@click.argument("event")
@click.argument("project")
def client(event: str, project: str) -> None:
    """Pass one EVENT of a host to the daemon: its bytes on stdin, the answer on stdout. For shared settings.

    \b
    Examples:
      interlock client PreToolUse "$CLAUDE_PROJECT_DIR" < event.json
    """
    # The same words that an entry of one machine contains, so that there is only one client to keep right.
    sys.argv = [spawned.__file__, event, str(socket_path()), project]
    exchange.main()
