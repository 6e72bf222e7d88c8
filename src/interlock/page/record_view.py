"""One record of the log, whole."""

from __future__ import annotations

from pathlib import Path

from msgspec import json
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from interlock.page.context import PageContext, context_of, show
from interlock.page.digest.entries import EntryFilter, entries
from interlock.page.entry_words import WORDS
from interlock.page.one_record import account_of_entry, entry_at
from interlock.page.render import render
from interlock.page.rulebook import rulebook_of
from interlock.page.trying import Attempt, try_call
from interlock.receipts.logbook import LogEntry

__all__ = ["RECORD_ROUTES"]


def _record(request: Request) -> Response:
    context = context_of(request)
    context.digest.freshen()
    number, entry = _entry(request, context)
    if entry.id != number:
        return RedirectResponse(f"/log/{entry.id}#record-{number}", status_code=303)
    newer = entries(context.digest, EntryFilter(), after=number, most=1, oldest=True)
    older = entries(context.digest, EntryFilter(), before=number, most=1)
    return show(
        request,
        "record.html",
        title=f"Record {number:,}",
        one=account_of_entry(context, entry),
        newer=newer[0].id if newer else None,
        older=older[0].id if older else None,
        can_judge=entry.event == "PreToolUse" and bool(entry.input) and _project(entry) is not None,
        **WORDS,
    )


def _trace(request: Request) -> Response:
    """The same call, judged by the rules that hold now. Nothing is run, and nothing is recorded."""
    context = context_of(request)
    _, entry = _entry(request, context)
    project = _project(entry)
    if project is None or not entry.input:
        raise HTTPException(404)
    attempt = Attempt(tool=entry.tool or "", text=json.encode(entry.input).decode(), session=entry.session or "")
    tried = try_call(attempt, rulebook_of(project), context.store)
    return Response(render("record_trace.html", tried=tried, then=entry.decision or "none"), media_type="text/html")


def _entry(request: Request, context: PageContext) -> tuple[int, LogEntry]:
    number = int(request.path_params["number"])
    entry = entry_at(context, number) if 0 < number < 10**15 else None
    if entry is None:
        raise HTTPException(404)
    return number, entry


def _project(entry: LogEntry) -> Path | None:
    found = Path(entry.project) if entry.project else None
    return found if found is not None and found.is_dir() else None


RECORD_ROUTES = [Route("/log/{number:int}", _record), Route("/log/{number:int}/trace", _trace)]
