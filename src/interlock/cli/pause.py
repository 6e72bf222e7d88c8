"""`interlock pause`: let everything pass for a while."""

from __future__ import annotations

import getpass
import sys
import time
from contextlib import closing
from datetime import datetime
from pathlib import Path

import click

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
@policy_option
@json_option
def pause(length: str | None, end: bool, policy_file: Path | None, as_json: bool) -> None:
    """Let everything pass for a while. Works only at a terminal; every event is still recorded.

    \b
    Examples:
      interlock pause --for 15m
      interlock pause --end
      interlock pause
    """
    with reporting():
        if end:
            Pause.end()
            say(to_json({"paused": False}) if as_json else "Interlock is on.")
            return
        if length is not None:
            _start(length)
        _show(Pause.now(), as_json)


def _start(length: str) -> None:
    if not sys.stdin.isatty():
        raise InterlockError("only a person at a terminal can start a pause")
    seconds = seconds_of(length)
    if seconds is None or not 0 < seconds <= LONGEST_PAUSE:
        raise InterlockError(f"`{length}` is not a duration up to 8h", help="write 15m or 2h")
    found = Pause(time.time() + seconds, getpass.getuser())
    with closing(open_store()) as store:  # recorded first: if that fails, there is no pause
        store.commit(Entry(record={"event": "Pause", "until": found.until, "by": found.by}, raw=b"", at=time.time()))
    found.start()


def _show(found: Pause | None, as_json: bool) -> None:
    if as_json:
        say(to_json({"paused": found is not None, "until": found.until if found else None}))
    elif found is None:
        say("Interlock is on.")
    else:
        say(f"Interlock is paused until {datetime.fromtimestamp(found.until):%H:%M:%S}; it ends automatically.")
