"""`interlock lift`: let a session go on that was stopped for a breach."""

from __future__ import annotations

import getpass
import sys
import time
from contextlib import closing

import click

from interlock.cli.common import as_json as to_json
from interlock.cli.common import json_option, reporting, say, visible
from interlock.projects import open_store
from interlock.source import InterlockError
from interlock.store.base import Entry

__all__ = ["lift"]


@click.command()
@click.argument("session", required=False)
@json_option
def lift(session: str | None, as_json: bool) -> None:
    """Let SESSION go on, which was stopped because something ran that Interlock had not let through.

    \b
    Examples:
      interlock lift
      interlock lift 3f9c1c1e-6c0e-4b53-9d7e-2f4f3f0f5a11

    Without SESSION, lists those that are stopped. Look at what happened first: `interlock log --session SESSION`.
    Only at a terminal, and recorded.
    """
    with reporting():
        if session is None:
            _list(as_json)
            return
        if not sys.stdin.isatty():
            raise InterlockError("a breach is lifted by a person at a terminal")
        with closing(open_store()) as store:
            found = store.session(session)
            if found is None or found.breach is None:
                help = "`interlock lift` lists those that are"
                raise InterlockError(f"the session `{session}` is not stopped", help=help)
            by = getpass.getuser()
            record = {"event": "Lift", "session": session, "by": by, "breach": found.breach}
            store.commit(Entry(record=record, raw=b"", at=time.time()))  # no record, no lift
            store.lift_breach(session)
        say(to_json({"lifted": session}) if as_json else f"{session} may go on.")


def _list(as_json: bool) -> None:
    with closing(open_store()) as store:
        found = store.stopped()
    if as_json:
        say(to_json([{"session": session, "breach": breach} for session, breach in found]))
    for session, breach in [] if as_json else found:
        say(f"{session}  {visible(breach)}")
    if not found and not as_json:
        say("no session is stopped")
