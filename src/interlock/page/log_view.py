"""The view *Log*: what was called, newest first, searched and filtered."""

from __future__ import annotations

from typing import Any

from msgspec import Struct, json
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from interlock.page.context import PageContext, context_of, show
from interlock.page.digest.days import projects
from interlock.page.digest.entries import FacetCounts, entries, facet_counts, tools
from interlock.page.digest.intake import Progress
from interlock.page.digest.rows import EntryRow, row_of
from interlock.page.entry_words import WORDS
from interlock.page.log_query import SHOWS, TIMES, LogQuery, read_query
from interlock.page.record_view import RECORD_ROUTES
from interlock.page.render import render
from interlock.receipts.log_search import LogFilter, newest_entries

__all__ = ["ROUTES"]

_PAGE = 100
_FEW = 20_000  # records that are verified without being asked to: that takes a second or two


class _Chip(Struct, frozen=True):
    """A filter that carries its count."""

    label: str
    shape: str
    address: str
    is_current: bool
    count: str


def _log(request: Request) -> Response:
    context = context_of(request)
    query = read_query(request.query_params)
    context.digest.freshen()
    progress = context.digest.progress()
    rows = _rows(context, query, progress)
    found: dict[str, Any] = {"rows": rows[:_PAGE], "query": query, "now": context.clock(), **WORDS}
    found["older"] = query.address(before=str(rows[_PAGE - 1].id)) if len(rows) > _PAGE else None
    if request.query_params.get("part") == "rows":
        return Response(render("log_rows.html", **found), media_type="text/html")
    state = context.chain.state
    if state.verified is None and not state.is_running and 0 < progress.total <= _FEW:
        context.chain.start()
    found |= {
        "chips": _chips(query, _counts(context, query, progress)),
        "projects": projects(context.digest),
        "tools": tools(context.digest),
        "times": TIMES,
        "progress": progress,
        "chain": context.chain.state,
    }
    del found["now"]  # the frame has it
    return show(request, "log.html", title="Log", **found)


def _rows(context: PageContext, query: LogQuery, progress: Progress) -> list[EntryRow]:
    """One more row than a page has, if there are more."""
    if query.is_plain and not progress.is_whole:
        # What has just happened is in the record before it is in the digest.
        newest = newest_entries(context.store, LogFilter(), _PAGE + 1)
        return [row_of(entry) for entry in reversed(newest)]
    before = int(query.before) if query.before else None
    return entries(context.digest, query.whole_filter(context.clock()), before=before, most=_PAGE + 1)


def _counts(context: PageContext, query: LogQuery, progress: Progress) -> FacetCounts | None:
    if not progress.is_whole or (query.q and progress.total > _FEW):
        return None  # counting would take longer than people want to wait
    return facet_counts(context.digest, query.filter(context.clock()))


def _chips(query: LogQuery, counts: FacetCounts | None) -> list[_Chip]:
    found = []
    for name, (label, shape, _) in SHOWS.items():
        count = "" if counts is None else f"{getattr(counts, name or 'total'):,}"
        if counts is not None and counts.is_partial:
            count = "20,000+" if not name else f"{count}+"
        found.append(_Chip(label, shape, query.address(show=name), query.show == name, count))
    return found


# --- the chain -------------------------------------------------------------------------------------------------------


def _chain(request: Request) -> Response:
    context = context_of(request)
    progress = context.digest.progress()
    text = render("log_chain.html", chain=context.chain.state, progress=progress, now=context.clock())
    return Response(text, media_type="text/html")


def _verify(request: Request) -> Response:
    context_of(request).chain.start()
    return Response(json.encode({"started": True}), media_type="application/json")


ROUTES = [
    Route("/log", _log),
    Route("/log/chain", _chain),
    Route("/log/verify", _verify, methods=["POST"]),
    *RECORD_ROUTES,
]
