"""`interlock inbox`: what waits for a person's answer."""

from __future__ import annotations

import os
import sys
import time
from contextlib import closing

import click

from interlock.approvals.answers import find_request
from interlock.approvals.inbox import settle_abandoned
from interlock.cli.common import as_json as to_json
from interlock.cli.common import json_option, reporting, say
from interlock.cli.request_text import request_data, request_line, request_lines
from interlock.store.asking import UNANSWERED
from interlock.store.place import open_store

__all__ = ["inbox"]

_EMPTY = """Nothing waits for an answer.

A call that a policy asks about waits here if the agent shows no prompts, as in `claude -p`, or with `approve: inbox`.
`interlock docs approvals` says more."""


@click.command()
@click.argument("id", required=False)
@click.option("--all", "everything", is_flag=True, help="Show answered requests too.")
@click.option("--list", "as_list", is_flag=True, help="Print a list instead of filling the terminal.")
@json_option
def inbox(id: str | None, everything: bool, as_list: bool, as_json: bool) -> None:
    """Show the calls that wait for a person's answer, or the request ID in full.

    \b
    Examples:
      interlock inbox
      interlock inbox --list
      interlock inbox 3f9c
      interlock inbox --json

    At a terminal, this fills the screen and stays up to date: j and k move, y says yes, n says no, ? shows all keys.
    With --list or in a pipe, answer with `interlock approve ID` or `interlock reject ID`.
    """
    with reporting(), closing(open_store()) as store:
        settle_abandoned(store, time.time())  # the process of a call that seems to wait may be gone
        if id is None and not (everything or as_list or as_json) and _has_screen():
            from interlock.cli.inbox_view.app import run_inbox  # noqa: PLC0415 - needs a terminal of this kind

            run_inbox(store)
            return
        if id is not None:
            found = find_request(store, id)
            say(to_json(request_data(found)) if as_json else "\n".join(request_lines(found)))
            return
        requests = store.requests(None if everything else UNANSWERED, newest=200)
        if as_json:
            say(to_json([request_data(one) for one in requests]))
        elif not requests:
            say(_EMPTY)
        for one in [] if as_json else requests:
            say(request_line(one))


def _has_screen() -> bool:
    """Whether a person sits at a terminal that can be drawn on."""
    if os.environ.get("TERM", "") in ("", "dumb") or sys.platform == "win32":
        return False
    return sys.stdin.isatty() and sys.stdout.isatty()
