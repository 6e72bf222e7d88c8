"""`interlock pause`: let everything pass for a while."""

from __future__ import annotations

import getpass
import time
from contextlib import closing
from datetime import datetime
from pathlib import Path

import click

from interlock.cli.agreement import agree, at_terminal, dry_run_option, yes_option
from interlock.cli.common import as_json as to_json
from interlock.cli.common import json_option, policy_option, reporting, say
from interlock.errors import InterlockError
from interlock.judging.pause import LONGEST_PAUSE, Pause
from interlock.policy.durations import seconds_of
from interlock.store.base import Entry
from interlock.store.place import open_store

__all__ = ["pause"]


@click.command()
@click.option("--for", "length", help="How long, such as 15m; at most 8h.")
@click.option("--end", is_flag=True, help="End a pause now.")
@yes_option
@dry_run_option
@policy_option
@json_option
def pause(length: str | None, end: bool, yes: bool, dry_run: bool, policy_file: Path | None, as_json: bool) -> None:
    """Let everything pass for a while. Works only at a terminal, and asks; every event is still recorded.

    \b
    Examples:
      interlock pause --for 15m
      interlock pause --end
      interlock pause
    """
    with reporting():
        if end:
            if dry_run:
                say("A pause would end now." if Pause.now() is not None else "Interlock is on.")
                return
            Pause.end()
            say(to_json({"paused": False}) if as_json else "Interlock is on.")
            return
        if length is not None:
            _start(length, yes, dry_run)
            if dry_run:
                return
        _show(Pause.now(), as_json)


def _start(length: str, yes: bool, dry_run: bool) -> None:
    seconds = seconds_of(length)
    if seconds is None or not 0 < seconds <= LONGEST_PAUSE:
        raise InterlockError(f"`{length}` is not a duration up to 8h", help="write 15m or 2h")
    found = Pause(time.time() + seconds, getpass.getuser())
    what = f"every call passes without being judged until {_clock(found)}"
    if dry_run:
        say(f"With this, {what}.")
        return
    if not at_terminal():  # an agent has no terminal of its own, so even `--yes` does not let it start a pause
        raise InterlockError("only a person at a terminal can start a pause")
    agree(yes, f"{what[0].upper()}{what[1:]}. Pause?", refusal="Interlock stays on")
    with closing(open_store()) as store:  # recorded first: if that fails, there is no pause
        store.commit(Entry(record={"event": "Pause", "until": found.until, "by": found.by}, raw=b"", at=time.time()))
    found.start()


def _show(found: Pause | None, as_json: bool) -> None:
    if as_json:
        say(to_json({"paused": found is not None, "until": found.until if found else None}))
    elif found is None:
        say("Interlock is on.")
    else:
        say(f"Interlock is paused until {_clock(found)}; it ends automatically.")


def _clock(found: Pause) -> str:
    return f"{datetime.fromtimestamp(found.until):%H:%M:%S}"
