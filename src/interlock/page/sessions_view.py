"""The view *Sessions*: what each session did, and one session as it happened."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from msgspec import Struct
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from interlock.page.context import PageContext, context_of, show
from interlock.page.digest.days import projects
from interlock.page.digest.entries import EntryFilter, entries
from interlock.page.digest.sessions import SessionNumbers, count_sessions, marks, session, sessions
from interlock.page.digest.timeline import place_before, rules_in, timeline, tools_in
from interlock.page.entry_words import WORDS
from interlock.page.log_query import SHOWS
from interlock.page.rails import rail_of
from interlock.page.render import render
from interlock.page.strips import Strip, strip_of
from interlock.store.base import Scope

__all__ = ["ROUTES"]

_PAGE = 40
_RAIL = 400  # entries of a session on one page
_LIVE = 900.0  # seconds without a record after which a session that was not ended is not called live
_SHOWS = ("", "live", "stops")
# What of a session can be shown alone → the number of it that the session has.
_CHIPS = {"": "calls", "stopped": "stopped", "deny": "denied", "ask": "asked", "change": "changed"}


class _Line(Struct, frozen=True):
    """One session in the list."""

    session: SessionNumbers
    strip: Strip
    state: str  # live, quiet or ended
    waits: bool


# --- the list --------------------------------------------------------------------------------------------------------


def _sessions(request: Request) -> Response:
    context = context_of(request)
    context.digest.freshen()
    now = context.clock()
    kind = request.query_params.get("show", "")
    kind = kind if kind in _SHOWS else ""
    project = request.query_params.get("project", "")[:400]
    wanted: dict[str, Any] = {"project": project or None, "with_stops": kind == "stops"}
    wanted["since"] = now - _LIVE if kind == "live" else None
    found = sessions(context.digest, **wanted, before=_before(request), most=_PAGE + 1)
    if kind == "live":
        found = [one for one in found if one.ended is None]
    shown = found[:_PAGE]
    lines = _lines(context, shown, now)
    older = {"show": kind, "project": project, "before": f"{shown[-1].last!r},{shown[-1].id}"} if shown else {}
    values: dict[str, Any] = {
        "days": _by_day(lines, now),
        "kind": kind,
        "project": project,
        "older": f"/sessions?{urlencode(older)}" if len(found) > _PAGE else None,
        **WORDS,
    }
    if request.query_params.get("part") == "list":
        return Response(render("sessions_list.html", now=now, **values), media_type="text/html")
    live = sessions(context.digest, project=project or None, since=now - _LIVE, most=200)
    counts = {
        "": count_sessions(context.digest, project=project or None),
        "live": sum(one.ended is None for one in live),
        "stops": count_sessions(context.digest, project=project or None, with_stops=True),
    }
    values |= {"counts": counts, "projects": projects(context.digest), "progress": context.digest.progress()}
    return show(request, "sessions.html", title="Sessions", **values)


def _before(request: Request) -> tuple[float, str] | None:
    last, _, id_ = request.query_params.get("before", "").partition(",")
    try:
        return (float(last), id_) if id_ else None
    except ValueError:
        return None


def _lines(context: PageContext, found: Sequence[SessionNumbers], now: float) -> list[_Line]:
    drawn = marks(context.digest, [one.id for one in found])
    waiting = {one.session for one in context.requests.look().waiting}
    return [_Line(one, strip_of(drawn[one.id]), _state(one, now), one.id in waiting) for one in found]


def _state(one: SessionNumbers, now: float) -> str:
    if one.ended is not None:
        return "ended"
    return "live" if now - one.last < _LIVE else "quiet"


def _by_day(lines: Sequence[_Line], now: float) -> list[tuple[str, list[_Line]]]:
    found: dict[str, list[_Line]] = {}
    for line in lines:
        found.setdefault(_day_name(line.session.last, now), []).append(line)
    return list(found.items())


def _day_name(at: float, now: float) -> str:
    today, day = datetime.fromtimestamp(now).date(), datetime.fromtimestamp(at).date()
    if day == today:
        return "Today"
    return "Yesterday" if day == today - timedelta(days=1) else f"{day:%A, %-d %B %Y}"


# --- one session -----------------------------------------------------------------------------------------------------


def _session(request: Request) -> Response:
    context = context_of(request)
    context.digest.freshen()
    id_ = request.path_params["id"]
    one = session(context.digest, id_)
    if one is None:
        raise HTTPException(404)
    now = context.clock()
    kind = request.query_params.get("show", "")
    kind = kind if kind in SHOWS else ""
    values = _rail(context, one, kind, request)
    waiting = [found for found in context.requests.look().waiting if found.session == id_]
    values |= {"one": one, "now": now, "state": _state(one, now), "kind": kind, "waiting_here": waiting, **WORDS}
    if request.query_params.get("part") == "rail":
        return Response(render("session_rail.html", **values), media_type="text/html")
    del values["now"]  # the frame has it
    values |= {
        "chips": [(*SHOWS[name][:2], name, getattr(one, counted)) for name, counted in _CHIPS.items()],
        "rules": rules_in(context.digest, id_)[:12],
        "tools": tools_in(context.digest, id_),
        "times": _times(one),
        "grants": [grant for grant in context.store.grants([Scope("session", id_)]) if grant.holds_at(now)],
    }
    return show(request, "session.html", title=_title(one), **values)


def _rail(context: PageContext, one: SessionNumbers, kind: str, request: Request) -> dict[str, Any]:
    """The time line from a place on, and where it goes on in both directions."""
    digest = context.digest
    if kind:
        rows = entries(digest, EntryFilter(session=one.id, **SHOWS[kind][2]), most=_RAIL)[::-1]
        return {"items": rail_of(rows, folded=False), "earlier": None, "later": None}
    at, after = _number(request, "at"), _number(request, "after")
    if at is not None:
        after = place_before(digest, one.id, at, _RAIL // 2)
    elif after is None:
        after = place_before(digest, one.id, 2**62, _RAIL)
    rows = timeline(digest, one.id, after, _RAIL + 1)
    later = rows[_RAIL - 1].id if len(rows) > _RAIL else None
    earlier = place_before(digest, one.id, after + 1, _RAIL) if after else None
    return {"items": rail_of(rows[:_RAIL]), "earlier": earlier, "later": later}


def _number(request: Request, name: str) -> int | None:
    text = request.query_params.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 16 else None


def _times(one: SessionNumbers) -> list[tuple[str, str, float, float]]:
    """Where the time went: a name, a word for its colour, the seconds, and the share."""
    model = max(0.0, one.busy - one.tools - one.waited)
    parts = [("the model", "model", model), ("tools", "tools", one.tools), ("waiting for people", "people", one.waited)]
    whole = sum(seconds for _, _, seconds in parts) or 1.0
    return [(name, word, seconds, seconds / whole) for name, word, seconds in parts]


def _title(one: SessionNumbers) -> str:
    first = next((line.strip() for line in one.title.splitlines() if line.strip()), "")
    return first[:120] or f"Session {one.id[:8]}"


ROUTES = [Route("/sessions", _sessions), Route("/sessions/{id:path}", _session)]
