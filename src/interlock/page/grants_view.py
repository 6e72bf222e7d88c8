"""What people have allowed beyond single calls: the list, and taking it back."""

from __future__ import annotations

from msgspec import json
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from interlock.page.context import context_of, show

__all__ = ["ROUTES"]

_MOST = 200  # that have ended


def _grants(request: Request) -> Response:
    context = context_of(request)
    now = context.clock()
    every = list(reversed(context.store.grants()))
    held = [one for one in every if one.holds_at(now)]
    ended = [one for one in every if not one.holds_at(now)][:_MOST]
    return show(request, "grants.html", title="Grants", held=held, ended=ended)


def _revoke(request: Request) -> Response:
    context = context_of(request)
    id = request.path_params["id"]
    if not any(one.id == id for one in context.store.grants()):
        raise HTTPException(404)
    done = context.store.revoke(id, by=context.person, at=context.clock())
    return Response(json.encode({"revoked": done}), media_type="application/json")


ROUTES = [Route("/grants", _grants), Route("/grants/{id}/revoke", _revoke, methods=["POST"])]
