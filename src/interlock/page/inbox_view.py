"""The view *Inbox*: what waits for a person, and their answers."""

from __future__ import annotations

from typing import Any, TypeAlias

from msgspec import json
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from interlock.approvals.answers import approve, reject
from interlock.approvals.granting import SCOPES, WIDTHS, Terms, match_for, words_for
from interlock.errors import InterlockError
from interlock.page.call_text import input_from
from interlock.page.context import PageContext, context_of, scope_of, show
from interlock.page.door.bodies import object_in
from interlock.page.inbox_desk import desk_of, several
from interlock.page.inbox_rows import list_rows
from interlock.store.asking import AlreadyAnswered, ApprovalRequest

__all__ = ["ROUTES"]

JsonObject: TypeAlias = dict[str, Any]
_MOST_AT_ONCE = 200
_MOST_NOTE = 4000
_LONGEST = 366 * 86_400.0
_MOST_CALLS = 10_000


# --- looking -----------------------------------------------------------------------------------------------------


def _inbox(request: Request) -> Response:
    context = context_of(request)
    rows = list_rows(context, _query(request))
    chosen = None if rows.first is None else context.store.request(rows.first)
    desk = None if chosen is None else desk_of(context, chosen)
    return show(request, "inbox.html", title="Inbox", rows=rows, desk=desk, several=None, at="list")


def _one(request: Request) -> Response:
    context = context_of(request)
    rows = list_rows(context) if scope_of(request) is None else None
    desk = desk_of(context, _find(request))
    return show(request, "inbox.html", title="Inbox", rows=rows, desk=desk, several=None, at="desk")


def _several(request: Request) -> Response:
    context = context_of(request)
    found = several(context, request.query_params.get("ids", "").split(",")[:_MOST_AT_ONCE])
    rows = list_rows(context)
    return show(request, "inbox.html", title="Inbox", rows=rows, desk=None, several=found, at="desk")


def _rows_part(request: Request) -> Response:
    rows = list_rows(context_of(request), _query(request))
    return show(request, "inbox_rows.html", rows=rows, desk=None)


def _desk_part(request: Request) -> Response:
    return show(request, "inbox_desk.html", desk=desk_of(context_of(request), _find(request)), several=None)


def _several_part(request: Request) -> Response:
    found = several(context_of(request), request.query_params.get("ids", "").split(",")[:_MOST_AT_ONCE])
    return show(request, "inbox_desk.html", desk=None, several=found)


def _query(request: Request) -> str:
    return request.query_params.get("q", "")[:200]


def _find(request: Request) -> ApprovalRequest:
    found = context_of(request).store.request(request.path_params["id"])
    if found is None:
        raise HTTPException(404)
    return found


def _words(request: Request) -> Response:
    """What a grant would allow, in the words that the person reads before they give it."""
    context = context_of(request)
    try:
        terms = _terms(dict(request.query_params), context.clock())
        text = words_for(match_for(_find(request), terms.width), terms)
    except InterlockError as error:
        return _json({"error": error.in_one_line()})
    return _json({"text": text})


# --- answering ---------------------------------------------------------------------------------------------------


def _answer(request: Request) -> Response:
    context = context_of(request)
    said = object_in(request)
    if said is None or not isinstance(said.get("yes"), bool):
        raise HTTPException(400)
    if said.get("more") is not None and scope_of(request) is not None:
        raise HTTPException(403)  # a link to one request is not one to later calls
    return _json(_give(context, _find(request), said))


def _answer_several(request: Request) -> Response:
    context = context_of(request)
    said = object_in(request) or {}
    ids = _texts(said.get("ids"))
    if not 0 < len(ids) <= _MOST_AT_ONCE or not isinstance(said.get("yes"), bool):
        raise HTTPException(400)
    answer = {"yes": said["yes"], "note": said.get("note")}
    found = {id: context.store.request(id) for id in dict.fromkeys(ids)}
    outcomes = {id: _give(context, one, answer) for id, one in found.items() if one is not None}
    return _json({"answers": outcomes})


def _texts(said: Any) -> list[str]:
    return said if isinstance(said, list) and all(isinstance(one, str) for one in said) else []


def _give(context: PageContext, request: ApprovalRequest, said: JsonObject) -> JsonObject:
    """Give an answer, and say what became of it. The first one wins; whoever is second is told who was first."""
    now = context.clock()
    note = said.get("note") if isinstance(said.get("note"), str) else None
    note = note.strip()[:_MOST_NOTE] or None if note is not None else None
    try:
        if not said["yes"]:
            reject(context.store, request, by=context.person, at=now, note=note)
            return {"outcome": "no"}
        terms = None if said.get("more") is None else _terms(said["more"], now)
        edit = _edit(request, said)
        _, grant = approve(context.store, request, by=context.person, at=now, note=note, edit=edit, terms=terms)
    except AlreadyAnswered as error:
        return {"outcome": "beaten", "by": error.request.by, "status": error.request.status}
    except InterlockError as error:
        return {"outcome": "refused", "why": error.in_one_line()}
    given = None if grant is None else {"id": grant.id, "text": grant.text}
    return {"outcome": "yes", "grant": given}


def _edit(request: ApprovalRequest, said: JsonObject) -> JsonObject | None:
    text = said.get("edit")
    if text is None:
        return None
    given: JsonObject = json.decode(request.body)["input"]
    found = input_from(request.tool, given, text) if isinstance(text, str) else None
    if found is None:
        raise InterlockError("the edited input is empty, or is not a JSON object")
    return None if found == given else found


def _terms(said: JsonObject, now: float) -> Terms:
    """The bounds of a grant, from a script's words."""
    scope = said.get("scope")
    if scope not in SCOPES:
        raise InterlockError("a grant holds in this session, for this agent or in this project")
    width = said.get("width") or "alike"
    if width not in WIDTHS:
        raise InterlockError("a grant is for calls like this one, for exactly this call, or for its folder")
    calls, seconds = _number(said.get("calls"), _MOST_CALLS), _number(said.get("seconds"), _LONGEST)
    return Terms(
        width=width,
        scope=scope,
        calls=None if calls is None else int(calls),
        until=None if seconds is None else now + seconds,
    )


def _number(said: Any, most: float) -> float | None:
    if said in (None, ""):
        return None
    try:
        found = float(said)
    except (TypeError, ValueError) as error:
        raise InterlockError(f"`{said}` is not a number") from error
    if not 1 <= found <= most:
        raise InterlockError(f"`{said}` is not between 1 and {most:g}")
    return found


def _json(value: Any) -> Response:
    return Response(json.encode(value), media_type="application/json")


ROUTES = [
    Route("/inbox", _inbox),
    Route("/inbox/rows", _rows_part),
    Route("/inbox/several", _several),
    Route("/inbox/several/desk", _several_part),
    Route("/inbox/answers", _answer_several, methods=["POST"]),
    Route("/inbox/{id}", _one),
    Route("/inbox/{id}/desk", _desk_part),
    Route("/inbox/{id}/words", _words),
    Route("/inbox/{id}/answer", _answer, methods=["POST"]),
]
