"""`interlock log`: what ran, what was stopped, who said yes, and whether the record is complete."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import click
from msgspec import json

from interlock.cli.common import as_json as to_json
from interlock.cli.common import json_option, policy_option, quiet_option, reporting, say, time_of, verbose_option
from interlock.cli.log_text import LogText, data_of, record_data, whole_entry
from interlock.config.places import project_root
from interlock.errors import InterlockError
from interlock.receipts.log_search import LogFilter, find_entry, newest_entries
from interlock.receipts.logbook import Logbook, LogEntry
from interlock.store.base import Store
from interlock.store.place import read_store

__all__ = ["log"]

_MOST_REMEMBERED = 20_000  # entries that were shown while following; a result of an older one is shown as news
_DECISIONS = ("allow", "ask", "deny", "defer", "none")


@click.command()
@click.argument("entry", required=False)
@click.option("--session", help="Show only this session; the beginning of its id is enough.")
@click.option("--project", type=click.Path(path_type=Path), help="Show this project instead of the one you are in.")
@click.option("--all", "-a", "every_project", is_flag=True, help="Show every project, not only the one you are in.")
@click.option("--rule", help="Show only calls on which this rule or hook had an opinion: an id, or git/*.")
@click.option("--decision", type=click.Choice(_DECISIONS), help="Show only this decision.")
@click.option("--tool", help="Show only calls of this tool: a name, or mcp__*.")
@click.option("--asked", is_flag=True, help="Show only calls that a person was asked about.")
@click.option("--stopped", is_flag=True, help="Show only what was denied, withheld or ended.")
@click.option("--grep", "text", help="Show only entries with this text in the call, the reason or a rule.")
@click.option("--since", help="Show only the last 2h, 3d, …, or from a time on (2026-11-16T10:00).")
@click.option(
    "--last", "-n", "newest", type=click.IntRange(min=1), default=50, show_default=True, help="Show at most N entries."
)
@click.option("--events", is_flag=True, help="Also show events that are not calls: prompts, turns, sessions.")
@click.option("--follow", "-f", is_flag=True, help="Wait for more, until ^C.")
@click.option("--verify", is_flag=True, help="Check every record, and everything that is stored beside them.")
@quiet_option("Show one line for each entry: no rules, reasons or counts.")
@verbose_option("Show reasons and changes in full.")
@policy_option
@json_option
def log(
    entry: str | None,
    session: str | None,
    project: Path | None,
    every_project: bool,
    rule: str | None,
    decision: str | None,
    tool: str | None,
    asked: bool,
    stopped: bool,
    text: str | None,
    since: str | None,
    newest: int,
    events: bool,
    follow: bool,
    verify: bool,
    quiet: bool,
    verbose: bool,
    policy_file: Path | None,
    as_json: bool,
) -> None:
    """Show what was recorded: one entry for each call, the newest last; or everything about ENTRY.

    \b
    Examples:
      interlock log --stopped --since 2h
      interlock log 1042
      interlock log --asked --all
      interlock log --rule git/force-push --json
      interlock log --follow
      interlock log --verify

    ENTRY is the number in front of an entry, or the host's id of a call. Without --all, --project or --session, only
    the project that you are in is shown. `interlock docs log` explains every word and every field of the JSON.
    """
    with reporting():
        store = read_store()  # also opens a record that is broken or was replaced: this command must show it
        try:
            if verify:
                _verify(store, as_json)
            if entry is not None:
                _show_one(store, entry, as_json)
                return
            everywhere = every_project or session is not None
            wanted = LogFilter(
                project=None if everywhere else str(project_root(project or Path.cwd())),
                session=session, rule=rule, decision=decision, tool=tool, since=time_of(since), text=text,
                asked=asked, stopped=stopped, events=events,
            )  # fmt: skip
            text_for_people = LogText(str(project_root(Path.cwd())), quiet=quiet, verbose=verbose)
            _show(store, wanted, newest, text_for_people, as_json=as_json, follow=follow)
        finally:
            store.close()


def _show(store: Store, wanted: LogFilter, newest: int, text: LogText, *, as_json: bool, follow: bool) -> None:
    # Read first, so that what is written while the entries are shown is not missed.
    last = next((record.sequence for record in store.records(newest=1)), 0)
    found = newest_entries(store, wanted, newest)
    if as_json:
        for one in found:
            say(json.encode(data_of(one)).decode())
    else:
        text.fit(found)
        for one in found:
            for line in text.lines(one):
                say(line)
        if not follow:
            for line in text.summary(found, wanted, full=len(found) == newest, anything=bool(last)):
                say(line)
    if follow:
        for one in _following(store, last, found, wanted, everything=as_json):
            if as_json:
                say(json.encode(data_of(one)).decode())
            else:
                for line in text.lines(one):
                    say(line)


def _following(
    store: Store, last: int, shown: list[LogEntry], wanted: LogFilter, *, everything: bool
) -> Iterator[LogEntry]:
    """Entries as they come: a call when it is judged, and again when something becomes of it that is worth a line."""
    book = Logbook()
    before = {entry.id: _state_of(entry) for entry in shown}
    for entry in shown:  # their results may still come
        book.read(entry.records)
    while True:
        for record in store.records(after=last):
            last = record.sequence
            entry = book.add(record)
            if not wanted.matches(entry):
                continue
            known, now = before.get(entry.id), _state_of(entry)
            before[entry.id] = now
            if now != known and (known is None or everything or _is_news(entry)):
                yield entry
        if len(before) > _MOST_REMEMBERED:
            before = dict(list(before.items())[-_MOST_REMEMBERED // 2 :])
        time.sleep(0.5)  # another process writes the record, so it is polled


def _state_of(entry: LogEntry) -> tuple[object, ...]:
    return entry.decision, entry.outcome, entry.asked_by, entry.answer, entry.breach, tuple(entry.rules)


def _is_news(entry: LogEntry) -> bool:
    """Whether a person who has seen that a call was judged wants to see what became of it. That it ran is no news."""
    return entry.outcome != "ran" or entry.asked_by is not None or entry.breach is not None


def _show_one(store: Store, name: str, as_json: bool) -> None:
    entry = find_entry(store, name)
    if entry is None:
        raise InterlockError(
            f"there is no entry `{name}`", help="`interlock log --all` shows the numbers in front of the entries"
        )
    if as_json:
        say(to_json({**data_of(entry), "events": [record_data(record, whole=True) for record in entry.records]}))
    else:
        say(whole_entry(entry))


def _verify(store: Store, as_json: bool) -> None:
    found = store.verify()
    if as_json:
        say(json.encode({"ok": found.ok, "records": found.count, "problems": list(found.problems)}).decode())
    else:
        for problem in found.problems:
            say(f"{click.style('broken', fg='red')}  {problem}")
        say(f"{found.count} records, {'all in order' if found.ok else 'not in order'}")
    sys.exit(0 if found.ok else 1)
