"""`interlock export`: the record for other programs, as JSON Lines or CSV, or as OpenTelemetry."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, TypeAlias

import click

from interlock.cli.common import reporting, time_of
from interlock.cli.export_files import CsvRows, JsonLines, output_to, with_progress
from interlock.cli.log_text import data_of, record_data
from interlock.cli.request_text import grant_data, request_data
from interlock.errors import InterlockError
from interlock.receipts.log_search import LogFilter, entries_in_order
from interlock.store.base import Store
from interlock.store.place import read_store

__all__ = ["export"]

Source: TypeAlias = Callable[[Store, LogFilter], Iterator[dict[str, Any]]]
_FORMATS: dict[str, type[JsonLines] | type[CsvRows]] = {"jsonl": JsonLines, "csv": CsvRows}


def _calls(store: Store, wanted: LogFilter) -> Iterator[dict[str, Any]]:
    for entry in entries_in_order(store, wanted):
        # The records have a form of their own: --records.
        yield {name: value for name, value in data_of(entry).items() if name != "events"}


def _records(store: Store, wanted: LogFilter) -> Iterator[dict[str, Any]]:
    for record in store.records(since=wanted.since):
        if wanted.session is None or (record.session or "").startswith(wanted.session):
            yield record_data(record, whole=True)


def _requests(store: Store, wanted: LogFilter) -> Iterator[dict[str, Any]]:
    for one in store.requests():
        is_in = wanted.session is None or one.session.startswith(wanted.session)
        if is_in and (wanted.since is None or one.at >= wanted.since):
            yield request_data(one)


def _grants(store: Store, wanted: LogFilter) -> Iterator[dict[str, Any]]:
    for one in store.grants():
        is_in = wanted.session is None or (one.scope.kind == "session" and one.scope.id.startswith(wanted.session))
        if is_in and (wanted.since is None or one.at >= wanted.since):
            yield grant_data(one)


# What is exported → where it comes from, and what one of them is called.
_SOURCES: dict[str, tuple[Source, str]] = {
    "calls": (_calls, "calls"),
    "records": (_records, "records"),
    "requests": (_requests, "requests"),
    "grants": (_grants, "grants"),
}


@click.command()
@click.option("--records", "what", flag_value="records", help="Write every record as it is, instead of one per call.")
@click.option("--requests", "what", flag_value="requests", help="Write what people were asked and answered.")
@click.option("--grants", "what", flag_value="grants", help="Write what people have allowed beyond single calls.")
@click.option("--since", help="Write only the last 7d, 2h, …, or from a time on (2026-11-16T10:00).")
@click.option("--session", help="Write only this session; the beginning of its id is enough.")
@click.option("--format", "form", type=click.Choice(list(_FORMATS)), help="jsonl (the default) or csv.")
@click.option("--output", "-o", type=click.Path(path_type=Path, dir_okay=False), help="Write to this file.")
@click.option("--force", is_flag=True, help="Replace the file if it exists.")
@click.option("--to", type=click.Choice(["otlp"]), help="Send it to an OpenTelemetry collector instead.")
@click.option("--follow", "-f", is_flag=True, help="With --to: wait for more, until ^C.")
def export(
    what: str | None,
    since: str | None,
    session: str | None,
    form: str | None,
    output: Path | None,
    force: bool,
    to: str | None,
    follow: bool,
) -> None:
    """Write one line for each call of every project, the oldest first; secrets were removed before it was recorded.

    \b
    Examples:
      interlock export --since 7d -o calls.jsonl
      interlock export --format csv -o calls.csv
      interlock export --requests --format csv
      OTEL_EXPORTER_OTLP_ENDPOINT=http://localhost:4318 interlock export --to otlp --follow

    --to otlp sends spans and metrics as the OTEL_* variables say, and remembers how far it came: what was sent is not
    sent again. It needs `interlock[otel]`. `interlock docs records` explains every field.
    """
    with reporting():
        wanted = LogFilter(session=session, since=time_of(since), events=True)
        if to is not None:
            _refuse(what=what, session=session, format=form, output=output, force=force or None)
            _send(wanted.since, follow)
            return
        if follow:
            raise InterlockError("--follow only works with --to", help="`interlock log --follow --json` prints calls")
        source, name = _SOURCES[what or "calls"]
        with closing(read_store()) as store, output_to(output, force=force) as file:
            write = _FORMATS[form or "jsonl"](file)
            for one in with_progress(source(store, wanted), name, is_shown=sys.stderr.isatty() and output is not None):
                write(one)


def _refuse(**options: object) -> None:
    given = next((name for name, value in options.items() if value is not None), None)
    if given is not None:
        raise InterlockError(f"--{given} and --to cannot be used together", help="give one of them")


def _send(since: float | None, follow: bool) -> None:
    try:
        from interlock.telemetry.otlp import OtlpSender  # noqa: PLC0415 - an extra
    except ImportError as error:
        help = "pip install 'interlock[otel]'"
        raise InterlockError(f"OpenTelemetry is not installed: {error}", help=help) from error
    from interlock.telemetry.tail import send_record  # noqa: PLC0415

    with closing(read_store()) as store:
        send_record(store, OtlpSender(), since=since, follow=follow, say=lambda text: click.echo(text, err=True))
