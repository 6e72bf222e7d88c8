"""The page as a web application: its routes, in one table, behind its door."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from interlock.errors import InterlockError
from interlock.page import grants_view, inbox_view, log_view, metrics, overview_view, rules_view, sessions_view
from interlock.page.context import PageContext
from interlock.page.door.door import Door
from interlock.page.door.refusals import refusal
from interlock.page.launching import log_place
from interlock.page.live import Live
from interlock.page.render import FOLDER

__all__ = ["build_app"]


def build_app(context: PageContext, door: Door) -> Starlette:
    """The application that serves one page."""
    live = Live(context, door)
    routes: list[BaseRoute] = [
        Route("/", _first),
        *door.routes,
        *live.routes,
        *inbox_view.ROUTES,
        *grants_view.ROUTES,
        *sessions_view.ROUTES,
        *log_view.ROUTES,
        *rules_view.ROUTES,
        *overview_view.ROUTES,
        *metrics.ROUTES,
        Mount("/static/{version}", StaticFiles(directory=FOLDER / "static")),
    ]
    handlers = {HTTPException: _wrong_address, InterlockError: _cannot, Exception: _bug}
    app = Starlette(routes=routes, middleware=door.middleware(), exception_handlers=handlers)
    app.state.context = context
    return app


def _first(request: Request) -> Response:
    return RedirectResponse("/inbox", status_code=303)


def _wrong_address(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    what = {404: "There is no such page.", 405: "This page cannot be changed."}.get(status, "This cannot be shown.")
    return refusal(request.scope, status, what, "Go back to the Inbox: /inbox")


def _cannot(request: Request, error: Exception) -> Response:
    what = error.in_one_line() if isinstance(error, InterlockError) else str(error)
    return refusal(request.scope, 400, what, "`interlock doctor` says more about what is wrong with this machine.")


def _bug(request: Request, error: Exception) -> Response:
    # Its text may be about anything; what happened is in the page's log.
    return refusal(request.scope, 500, "This is a bug in Interlock.", f"The page's log says more: {log_place()}")
