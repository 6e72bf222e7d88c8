"""`interlock prune`: remove old records."""

from __future__ import annotations

import getpass
import time
from contextlib import closing
from datetime import datetime

import click

from interlock.cli.agreement import agree, at_terminal, dry_run_option, yes_option
from interlock.cli.common import as_json as to_json
from interlock.cli.common import json_option, reporting, say, time_of
from interlock.errors import InterlockError
from interlock.policy.inbox_settings import SHORTEST_KEPT
from interlock.receipts.retention import count_before, prune_before
from interlock.store.place import open_store

__all__ = ["prune"]


@click.command()
@click.option("--before", required=True, metavar="TIME", help="Remove records older than 90d, or from before a time.")
@yes_option
@dry_run_option
@json_option
def prune(before: str, yes: bool, dry_run: bool, as_json: bool) -> None:
    """Remove old records, after showing how many they are.

    \b
    Examples:
      interlock prune --before 90d --dry-run
      interlock prune --before 2026-01-01

    Records go in blocks of 1,000, so a few older ones may stay. The chain of the rest can still be verified, and the
    record says who removed how many. Works only at a terminal; `record: {keep: 90d}` in your own policy has the daemon
    do it every day. `interlock export --records` writes them to a file first.
    """
    with reporting():
        if not dry_run and not at_terminal():
            # An agent has no terminal of its own, so not even `--yes` lets it remove what is recorded of it.
            raise InterlockError("only a person at a terminal can remove records")
        moment = time_of(before) or 0.0
        if time.time() - moment < SHORTEST_KEPT:
            raise InterlockError("records of the last day stay", help="write --before 1d or more")
        with closing(open_store()) as store:
            count = count_before(store, moment)
            if not count or dry_run:
                _show(0, count, moment, as_json)
                return
            agree(yes, f"Remove {_records(count)} from before {_clock(moment)}?", refusal="nothing was removed")
            removed = prune_before(store, moment, by=getpass.getuser())
        _show(removed, 0, moment, as_json)


def _show(removed: int, would: int, moment: float, as_json: bool) -> None:
    if as_json:
        say(to_json({"removed": removed, "would_remove": would}))
    elif removed:
        say(f"Removed {_records(removed)} from before {_clock(moment)}.")
    elif would:
        say(f"This would remove {_records(would)} from before {_clock(moment)}.")
    else:
        say(f"There are no records from before {_clock(moment)} that can be removed.")


def _records(count: int) -> str:
    return f"{count:,} record{'s' * (count != 1)}"


def _clock(moment: float) -> str:
    return f"{datetime.fromtimestamp(moment):%Y-%m-%d %H:%M}"
