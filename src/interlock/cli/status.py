"""`interlock status`: the daemon's status, and how a session ended."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path

import click

from interlock.cli.common import as_json as to_json
from interlock.cli.common import json_option, quiet_option, reporting, say, visible
from interlock.config.places import socket_path
from interlock.daemon.control import Status, status_of
from interlock.errors import InterlockError
from interlock.hosts.claude_code.runtime import built_in_policies
from interlock.judging.in_force import policies_in_force
from interlock.policy.count import count_rules
from interlock.receipts.endings import last_turn
from interlock.store.place import read_store

__all__ = ["status"]


@click.command()
@click.option("--session", help="Show how the last turn of this session ended instead.")
@quiet_option("Print nothing; the exit code tells.")
@json_option
def status(session: str | None, quiet: bool, as_json: bool) -> None:
    """Show the daemon's status. Exits with 1 if no daemon is running, or if its store has failed.

    \b
    Examples:
      interlock status
      interlock status --json
      interlock status --session 3f9c1c1e-6c0e-4b53-9d7e-2f4f3f0f5a11

    With --session, exits with 0 only if the model finished the session's last turn. It exits with 1 if the session was
    stopped, if Interlock ended or refused its last turn, if the turn was interrupted, or if there is no record of the
    session. A headless run may exit with 0 in all of these cases.
    """
    with reporting():
        if session is not None:
            _show_session(session, quiet, as_json)
        found = status_of(socket_path())
        if quiet:
            pass
        elif as_json:
            say(to_json({"running": found is not None, "daemon": found}))
        elif found is None:
            say("no daemon is running; the next event of a host starts one")
        else:
            say(_report(found))
        sys.exit(0 if found is not None and found.store is None else 1)


def _show_session(session: str, quiet: bool, as_json: bool) -> None:
    with closing(read_store()) as store:
        # A session that was never recorded looks like one that went well, and was not guarded at all.
        known = next(store.records(session=session, newest=1), None) is not None
        found = store.session(session)
        breach = None if found is None else found.breach
        turn = last_turn(store, session)
    if quiet:
        pass
    elif as_json:
        how = {"stopped": breach, "ended": turn.ended, "finished": turn.is_finished}
        say(to_json({"session": session, "recorded": known, **how}))
    elif not known:
        say(f"there is no record of the session {session}: Interlock did not guard it")
    else:
        said = [f"stopped: {breach}"] if breach is not None else []
        said += [f"its last turn was ended by Interlock: {turn.ended}"] if turn.ended is not None else []
        if not said:
            said.append("its last turn is finished" if turn.is_finished else "its last turn was not finished")
        for line in said:
            say(visible(line))
    # For scripts: a headless run whose turn was ended exits with 0 and an empty result.
    sys.exit(0 if breach is None and turn.ended is None and turn.is_finished else 1)


def _report(found: Status) -> str:
    lines = [
        f"running: version {found.version}, process {found.pid}, for {found.seconds:.0f} s",
        f"answered: {found.answered} events",
        f"store: {found.store or 'ok'}",
        f"socket: {found.socket}",
        *([f"requests: people may not hear of them: {visible(found.outreach)}"] if found.outreach else []),
        *(f"project: {visible(project)}, {_rules_of(Path(project))}" for project in found.projects),
    ]
    return "\n".join(lines)


def _rules_of(project: Path) -> str:
    """How many rules are active in a project now, counted as in the message at the start of a session."""
    try:
        force = policies_in_force(project, remember=False)
    except InterlockError as error:
        return f"only reading is allowed: {visible(error.in_one_line())}"
    return str(count_rules((*force.policies, *built_in_policies(force.policies, force.depends))))
