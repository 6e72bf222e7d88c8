"""`interlock client`: what a host spawns where the settings are shared and may hold no path of one machine."""

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
    """Pass one EVENT of a host on to the daemon: its bytes on stdin, the answer on stdout. For shared settings.

    \b
    Examples:
      interlock client PreToolUse "$CLAUDE_PROJECT_DIR" < event.json
    """
    sys.argv = [spawned.__file__, event, str(socket_path()), project]
    exchange.main()
