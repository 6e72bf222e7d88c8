"""`interlock log`: what happened, and whether the record is complete."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
from msgspec import json

from interlock.cli.common import json_option, policy_option, reporting, say, visible
from interlock.errors import InterlockError
from interlock.policy.durations import seconds_of
from interlock.store.base import Store, StoredRecord
from interlock.store.place import read_store

__all__ = ["log"]

_COLOURS = {"deny": "red", "ask": "yellow", "defer": "yellow", "allow": "green"}


@click.command()
@click.option("--session", help="Show only this session.")
@click.option("--rule", help="Show only events on which this rule or hook had an opinion.")
@click.option("--decision", type=click.Choice(["allow", "ask", "deny", "defer"]), help="Show only this decision.")
@click.option("--since", help="Show only the last 2h, 3d, …, or from a time on (2026-11-16T10:00).")
@click.option(
    "--last", "newest", type=click.IntRange(min=1), default=50, show_default=True, help="Show at most N events."
)
@click.option("--follow", is_flag=True, help="Wait for more events, until ^C.")
@click.option("--verify", is_flag=True, help="Check every record, and everything that is stored beside them.")
@policy_option
@json_option
def log(
    session: str | None,
    rule: str | None,
    decision: str | None,
    since: str | None,
    newest: int,
    follow: bool,
    verify: bool,
    policy_file: Path | None,
    as_json: bool,
) -> None:
    """Show the record: one line for each event, the newest last.

    \b
    Examples:
      interlock log --decision deny --since 2h
      interlock log --rule git/force-push --json
      interlock log --follow
      interlock log --verify
    """
    with reporting():
        store = read_store()  # also opens a record that is broken or was replaced: this command must show it
        try:
            if verify:
                _verify(store, as_json)
                return
            filters = {"session": session, "rule": rule, "decision": decision, "since": _since(since)}
            last = 0
            for record in store.records(newest=newest, **filters):  # type: ignore[arg-type]
                last = record.sequence
                say(_line(record, as_json))
            if follow:
                for record in _following(store, last, filters):
                    say(_line(record, as_json))
        finally:
            store.close()


def _following(store: Store, last: int, filters: dict[str, Any]) -> Iterator[StoredRecord]:
    while True:
        for record in store.records(after=last, **filters):
            last = record.sequence
            yield record
        time.sleep(0.5)  # another process writes the record, so it is polled


def _verify(store: Store, as_json: bool) -> None:
    found = store.verify()
    if as_json:
        say(json.encode({"ok": found.ok, "records": found.count, "problems": list(found.problems)}).decode())
    else:
        for problem in found.problems:
            say(f"{click.style('broken', fg='red')}  {problem}")
        say(f"{found.count} records, {'all in order' if found.ok else 'not in order'}")
    sys.exit(0 if found.ok else 1)


def _since(text: str | None) -> float | None:
    if text is None:
        return None
    seconds = seconds_of(text)
    if seconds is not None:
        return time.time() - seconds
    try:
        return datetime.fromisoformat(text).timestamp()
    except ValueError as error:
        raise InterlockError(
            f"`{text}` is neither a time nor a duration", help="write 2h or 2026-11-16T10:00"
        ) from error


def _line(record: StoredRecord, as_json: bool) -> str:
    if as_json:
        return json.encode(
            {"sequence": record.sequence, "at": record.at, **record.record, "hash": record.hash}
        ).decode()
    at = datetime.fromtimestamp(record.at, UTC).strftime("%Y-%m-%d %H:%M:%S")
    decision = record.decision or "-"
    word = click.style(f"{decision:5}", fg=_COLOURS.get(decision))
    about = " ".join(part for part in (record.event, record.tool) if part)
    by = f"  [{', '.join(record.rules)}]" if record.rules else ""
    reason = f"  {record.record.get('reason')}" if record.record.get("reason") else ""
    breach = record.record.get("breach")
    alarm = "  " + click.style(f"BREACH: {visible(str(breach))}", fg="red") if breach else ""
    return f"{record.sequence:6}  {at}  {word}  " + visible(f"{about}{by}{reason}") + alarm
