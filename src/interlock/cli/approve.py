"""`interlock approve`: let a call run that waits for a person's answer."""

from __future__ import annotations

import getpass
import time
from contextlib import closing
from typing import Any

import click

from interlock.approvals.answers import approve as say_yes
from interlock.approvals.answers import find_request
from interlock.approvals.granting import SCOPES, WIDTHS, GrantScope, GrantWidth, Terms, match_for, words_for
from interlock.cli.agreement import agree, at_terminal, yes_option
from interlock.cli.common import as_json as to_json
from interlock.cli.common import json_option, reporting, say, visible
from interlock.cli.request_text import grant_data, request_data, request_lines
from interlock.errors import InterlockError
from interlock.jsontext import read_object
from interlock.policy.durations import seconds_of
from interlock.store.asking import ApprovalRequest
from interlock.store.place import open_store

__all__ = ["approve"]


@click.command()
@click.argument("id")
@click.option("--note", help="Something to tell the model.")
@click.option("--edit", metavar="JSON", help="Run the call with this input instead. It is judged again.")
@click.option("--more", type=click.Choice(list(SCOPES)), help="Allow more of the same: in this session, project …")
@click.option(
    "--what", type=click.Choice(list(WIDTHS)), help="With --more: calls like it (alike), it alone, its folder."
)
@click.option("--times", type=click.IntRange(min=1), help="With --more: only so many calls.")
@click.option("--for", "duration", metavar="DURATION", help="With --more: only for so long, such as 30m or 8h.")
@yes_option
@json_option
def approve(
    id: str,
    note: str | None,
    edit: str | None,
    more: GrantScope | None,
    what: GrantWidth | None,
    times: int | None,
    duration: str | None,
    yes: bool,
    as_json: bool,
) -> None:
    """Let the call of request ID run.

    \b
    Examples:
      interlock approve 3f9c
      interlock approve 3f9c --more session --for 1h
      interlock approve 3f9c --edit '{"command": "git push origin me/fix"}'

    If the call no longer waits, it will run when the agent tries it again within the hour. With --more, what that
    allows is said in words first; it never allows what a rule denies. Works only at a terminal, and is recorded.
    """
    with reporting():
        if not at_terminal():
            # An agent has no terminal of its own, so it cannot approve its own calls, not even with --yes.
            raise InterlockError("only a person at a terminal can approve a call")
        now = time.time()
        terms = _terms(more, what, times, duration, now)
        edited = None if edit is None else read_object(edit.encode("utf-8", "surrogateescape"))
        with closing(open_store()) as store:
            request = find_request(store, id)
            if not as_json:
                say("\n".join(request_lines(request)))
            agree(yes, _question(request, terms, edited), refusal="the call was not approved")
            said, grant = say_yes(store, request, by=getpass.getuser(), at=now, note=note, edit=edited, terms=terms)
        if as_json:
            say(to_json({"request": request_data(said), "grant": None if grant is None else grant_data(grant)}))
            return
        say("It may run now." if request.status == "waiting" else "It may run when the agent tries it again.")
        if grant is not None:
            say(f"Allowed: {visible(grant.text)}. `interlock grants revoke {grant.id}` takes that back.")


def _terms(
    more: GrantScope | None, what: GrantWidth | None, times: int | None, duration: str | None, now: float
) -> Terms | None:
    if more is None:
        if (what, times, duration) != (None, None, None):
            raise InterlockError("--what, --times and --for bound what --more allows", help="add `--more session`")
        return None
    seconds = None if duration is None else seconds_of(duration)
    if duration is not None and seconds is None:
        raise InterlockError(f"`{duration}` is no duration", help="write 30m, 8h or 2d")
    return Terms(width=what or "alike", scope=more, calls=times, until=None if seconds is None else now + seconds)


def _question(request: ApprovalRequest, terms: Terms | None, edited: dict[str, Any] | None) -> str:
    if terms is not None:
        return f"Run it, and allow {visible(words_for(match_for(request, terms.width), terms))}?"
    return "Run it as edited?" if edited is not None else "Run it?"
