"""`interlock lift`: let a session continue that was stopped for a breach."""

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
@click.option("--lost-record", is_flag=True, help="Begin a new record if the last one was lost or is broken.")
@json_option
def lift(session: str | None, lost_record: bool, as_json: bool) -> None:
    """Let SESSION continue, which was stopped because a call ran that Interlock had not let through.

    \b
    Examples:
      interlock lift
      interlock lift 3f9c1c1e-6c0e-4b53-9d7e-2f4f3f0f5a11
      interlock lift --lost-record

    Without SESSION, lists the stopped sessions. First look at what happened: `interlock log --session SESSION`.
    With --lost-record, what is left of the last record is moved to a folder beside the new one, together with state,
    limits and stopped sessions. Works only at a terminal, and is recorded.
    """
    with reporting():
        if lost_record:
            _begin_anew(session, as_json)
            return
        if session is None:
            _list(as_json)
            return
        if not sys.stdin.isatty():
            # An agent has no terminal of its own, so it cannot lift the stop that its own call caused.
            raise InterlockError("only a person at a terminal can lift a breach")
        with closing(open_store()) as store:
            found = store.session(session)
            if found is None or found.breach is None:
                help = "`interlock lift` lists the sessions that are"
                raise InterlockError(f"the session `{session}` is not stopped", help=help)
            store.lift_breach(session, by=getpass.getuser(), at=time.time())
        say(to_json({"lifted": session}) if as_json else f"{session} may continue.")


def _begin_anew(session: str | None, as_json: bool) -> None:
    if session is not None:
        raise InterlockError("--lost-record concerns every session", help="leave the session out")
    if not sys.stdin.isatty():
        raise InterlockError("only a person at a terminal can begin a new record")
    away = mend_record(getpass.getuser())
    if as_json:
        say(to_json({"begun": away is not None, "before": str(away) if away else None}))
    elif away is None:
        say("The record is complete; only its witness was missing, and has been written again.")
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
