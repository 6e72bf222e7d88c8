"""The view *Overview*."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from interlock.page.context import show

__all__ = ["ROUTES"]


def _overview(request: Request) -> Response:
    return show(request, "overview.html", title="Overview")


ROUTES = [Route("/overview", _overview)]
