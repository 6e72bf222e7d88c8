"""The view *Sessions*."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from interlock.page.context import show

__all__ = ["ROUTES"]


def _sessions(request: Request) -> Response:
    return show(request, "sessions.html", title="Sessions")


ROUTES = [Route("/sessions", _sessions)]
