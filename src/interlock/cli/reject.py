"""`interlock reject`: refuse a call that waits for a person's answer."""

from __future__ import annotations

import getpass
import time
from contextlib import closing

import click

from interlock.approvals.answers import find_request
from interlock.approvals.answers import reject as say_no
from interlock.cli.agreement import at_terminal
from interlock.cli.common import as_json as to_json
from interlock.cli.common import json_option, reporting, say
from interlock.cli.request_text import request_data
from interlock.errors import InterlockError
from interlock.store.place import open_store

__all__ = ["reject"]


@click.command()
@click.argument("id")
@click.option("--note", help="Why, and what to do instead: the model reads it.")
@json_option
def reject(id: str, note: str | None, as_json: bool) -> None:
    """Refuse the call of request ID.

    \b
    Examples:
      interlock reject 3f9c
      interlock reject 3f9c --note "Open a pull request instead."

    Works only at a terminal, and is recorded.
    """
    with reporting():
        if not at_terminal():
            raise InterlockError("only a person at a terminal can answer a request")
        with closing(open_store()) as store:
            request = find_request(store, id)
            said = say_no(store, request, by=getpass.getuser(), at=time.time(), note=note)
        say(to_json(request_data(said)) if as_json else f"Request {said.id} is refused.")
