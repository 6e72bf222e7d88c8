"""`interlock grants`: what people have allowed beyond single calls, and taking it back."""

from __future__ import annotations

import getpass
import time
from contextlib import closing

import click

from interlock.cli.agreement import at_terminal
from interlock.cli.common import as_json as to_json
from interlock.cli.common import json_option, reporting, say, visible
from interlock.cli.request_text import grant_data, grant_line
from interlock.errors import InterlockError
from interlock.replay.habits import habits_of
from interlock.store.place import open_store

__all__ = ["grants"]


@click.group(invoke_without_command=True)
@click.option("--all", "everything", is_flag=True, help="Show grants that have ended too.")
@json_option
@click.pass_context
def grants(ctx: click.Context, everything: bool, as_json: bool) -> None:
    """List what people have allowed beyond single calls, and how often it was used.

    \b
    Examples:
      interlock grants
      interlock grants --all --json
      interlock grants revoke 3f9c1c1e

    A grant is given with `interlock approve ID --more session`.
    """
    if ctx.invoked_subcommand is not None:
        return
    with reporting(), closing(open_store()) as store:
        now = time.time()
        found = [one for one in store.grants() if everything or one.holds_at(now)]
        if as_json:
            say(to_json([grant_data(one) for one in found]))
            return
        if not found:
            say("No grant holds now." if not everything else "No grant was given.")
        for one in found:
            say(grant_line(one))
        habits = habits_of(store)
        if habits:
            more = f", and {len(habits) - 1} more like it" if len(habits) > 1 else ""
            what = f"{visible(habits[0].words)} was approved {habits[0].approved} times and never refused{more}"
            say(f"{what}: `interlock replay --suggest` proposes a rule.")


@grants.command()
@click.argument("id")
@json_option
def revoke(id: str, as_json: bool) -> None:
    """Take the grant ID back.

    \b
    Examples:
      interlock grants revoke 3f9c1c1e

    Works only at a terminal, and is recorded.
    """
    with reporting():
        if not at_terminal():
            raise InterlockError("only a person at a terminal can take a grant back")
        with closing(open_store()) as store:
            if not store.revoke(id, by=getpass.getuser(), at=time.time()):
                raise InterlockError(f"no grant `{id}` holds", help="`interlock grants` lists those that do")
        say(to_json({"revoked": id}) if as_json else f"Grant {id} is taken back.")
