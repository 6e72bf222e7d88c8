"""The view *Rules*."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from interlock.page.context import show

__all__ = ["ROUTES"]


def _rules(request: Request) -> Response:
    return show(request, "rules.html", title="Rules")


ROUTES = [Route("/rules", _rules)]
