"""The view *Log*."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from interlock.page.context import show

__all__ = ["ROUTES"]


def _log(request: Request) -> Response:
    return show(request, "log.html", title="Log")


ROUTES = [Route("/log", _log)]
