"""`interlock lift`: let a session go on that was stopped for a breach."""

from __future__ import annotations

import getpass
import sys
import time
from contextlib import closing

import click

from interlock.cli.common import as_json as to_json
from interlock.cli.common import json_option, reporting, say, visible
from interlock.errors import InterlockError
from interlock.store.place import mend_record, open_store

__all__ = ["lift"]


@click.command()
@click.argument("session", required=False)
@click.option("--lost-record", is_flag=True, help="Begin a new record where the last one was lost or is broken.")
@json_option
def lift(session: str | None, lost_record: bool, as_json: bool) -> None:
    """Let SESSION go on, which was stopped because something ran that Interlock had not let through.

    \b
    Examples:
      interlock lift
      interlock lift 3f9c1c1e-6c0e-4b53-9d7e-2f4f3f0f5a11
      interlock lift --lost-record

    Without SESSION, lists those that are stopped. Look at what happened first: `interlock log --session SESSION`.
    With --lost-record, what is left of the last record is put into a folder beside the new one. State, limits and
    stopped sessions go with it. Only at a terminal, and recorded.
    """
    with reporting():
        if lost_record:
            _begin_anew(session, as_json)
            return
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
            store.lift_breach(session, by=getpass.getuser(), at=time.time())
        say(to_json({"lifted": session}) if as_json else f"{session} may go on.")


def _begin_anew(session: str | None, as_json: bool) -> None:
    if session is not None:
        raise InterlockError("--lost-record concerns every session", help="leave the session out")
    if not sys.stdin.isatty():
        raise InterlockError("a new record is begun by a person at a terminal")
    away = mend_record(getpass.getuser())
    if as_json:
        say(to_json({"begun": away is not None, "before": str(away) if away else None}))
    elif away is None:
        say("The record is whole; only its witness was missing, and was written anew.")
    else:
        say(f"A new record was begun. What was left of the last one is in {away}.")


def _list(as_json: bool) -> None:
    with closing(open_store()) as store:
        found = store.stopped()
    if as_json:
        say(to_json([{"session": session, "breach": breach} for session, breach in found]))
    for session, breach in [] if as_json else found:
        say(f"{session}  {visible(breach)}")
    if not found and not as_json:
        say("no session is stopped")
