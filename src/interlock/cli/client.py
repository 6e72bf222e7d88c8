"""`interlock client`: what a host spawns if the settings are shared and must not contain a path of one machine."""

from __future__ import annotations

import os
import select
import stat
import sys
import tempfile

import click

from interlock import client as spawned
from interlock.config.places import socket_path
from interlock.hosts.base.launcher import ANY
from interlock.spawn import exchange

__all__ = ["client", "has_event"]

_PATIENCE = 1.0  # seconds in which a host that has started a program begins to write to it


@click.command()
@click.argument("event", required=False)
@click.argument("project", required=False)
def client(event: str | None, project: str | None) -> None:
    """Pass one EVENT of a host to the daemon: its bytes on stdin, the answer on stdout. For shared settings.

    Without arguments, the daemon finds out which host has sent which event: some hosts that read Claude Code's settings
    leave the arguments of an entry out.

    \b
    Examples:
      interlock client PreToolUse "$CLAUDE_PROJECT_DIR" < event.json
      interlock client < event.json
    """
    if event is None or project is None:
        sys.argv = [spawned.__file__, f"{ANY}shared", str(socket_path())]
        exchange.main()
        return
    # The same words that an entry of one machine contains, so that there is only one client to keep right.
    sys.argv = [spawned.__file__, event, str(socket_path()), project]
    exchange.main()


def has_event() -> bool:
    """Whether somebody has written to this program's input, which can then be read once more."""
    try:
        kind = os.fstat(0).st_mode
    except OSError:
        return False
    if not (stat.S_ISFIFO(kind) or stat.S_ISSOCK(kind)) or not select.select([0], [], [], _PATIENCE)[0]:
        return False
    parts = []
    while part := os.read(0, 1 << 20):
        parts.append(part)
    with tempfile.TemporaryFile() as file:
        file.write(b"".join(parts))
        file.seek(0)
        os.dup2(file.fileno(), 0)
    return any(part.strip() for part in parts)
