"""`interlock lift`: let a session continue that was stopped for a breach."""

from __future__ import annotations

import getpass
import time
from contextlib import closing

import click

from interlock.cli.agreement import agree, at_terminal, dry_run_option, yes_option
from interlock.cli.common import as_json as to_json
from interlock.cli.common import json_option, reporting, say, visible
from interlock.errors import InterlockError
from interlock.store.place import mend_record, open_store

__all__ = ["lift"]


@click.command()
@click.argument("session", required=False)
@click.option("--lost-record", is_flag=True, help="Begin a new record if the last one was lost or is broken.")
@yes_option
@dry_run_option
@json_option
def lift(session: str | None, lost_record: bool, yes: bool, dry_run: bool, as_json: bool) -> None:
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
            _begin_anew(session, yes, dry_run, as_json)
            return
        if session is None:
            _list(as_json)
            return
        if not dry_run and not at_terminal():
            # An agent has no terminal of its own, so not even `--yes` lets it lift the stop that its own call caused.
            raise InterlockError("only a person at a terminal can lift a breach")
        with closing(open_store()) as store:
            found = store.session(session)
            if found is None or found.breach is None:
                help = "`interlock lift` lists the sessions that are"
                raise InterlockError(f"the session `{session}` is not stopped", help=help)
            if not as_json:
                say(visible(f"{session} was stopped: {found.breach}"))
            if dry_run:
                return
            agree(yes, "Let it continue?", refusal="the session stays stopped")
            store.lift_breach(session, by=getpass.getuser(), at=time.time())
        say(to_json({"lifted": session}) if as_json else f"{session} may continue.")


def _begin_anew(session: str | None, yes: bool, dry_run: bool, as_json: bool) -> None:
    if session is not None:
        raise InterlockError("--lost-record concerns every session", help="leave the session out")
    what = "If the record is lost or broken, what is left of it is moved aside, with state, limits and stopped sessions"
    if dry_run:
        say(f"{what}.")
        return
    if not at_terminal():
        raise InterlockError("only a person at a terminal can begin a new record")
    agree(yes, f"{what}. Begin a new one?", refusal="the record stays as it is")
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
