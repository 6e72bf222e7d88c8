"""The view *Inbox*."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from interlock.page.context import show

__all__ = ["ROUTES"]


def _inbox(request: Request) -> Response:
    return show(request, "inbox.html", title="Inbox")


ROUTES = [Route("/inbox", _inbox)]
