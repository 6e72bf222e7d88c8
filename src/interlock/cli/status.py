"""`interlock status`: how the daemon is."""

from __future__ import annotations

import sys

import click

from interlock.cli.common import as_json as to_json
from interlock.cli.common import json_option, reporting, say
from interlock.config import socket_path
from interlock.daemon.control import Status, status_of

__all__ = ["status"]


@click.command()
@json_option
def status(as_json: bool) -> None:
    """Say how the daemon is. Exits 1 if there is none, or its store is not well.

    \b
    Examples:
      interlock status
      interlock status --json
    """
    with reporting():
        found = status_of(socket_path())
        if as_json:
            say(to_json({"running": found is not None, "daemon": found}))
        elif found is None:
            say("no daemon is running; the next event of a host starts one")
        else:
            say(_shown(found))
        sys.exit(0 if found is not None and found.store is None else 1)


def _shown(found: Status) -> str:
    lines = [
        f"running: version {found.version}, process {found.pid}, for {found.seconds:.0f} s",
        f"answered: {found.answered} events",
        f"store: {found.store or 'well'}",
        f"socket: {found.socket}",
        *(f"project: {project}" for project in found.projects),
    ]
    return "\n".join(lines)
