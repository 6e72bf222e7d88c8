"""The page as a web application: its routes, in one table."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from interlock.page import inbox_view, log_view, overview_view, rules_view, sessions_view
from interlock.page.context import PageContext
from interlock.page.render import FOLDER

__all__ = ["build_app"]


def build_app(context: PageContext) -> Starlette:
    """The application that serves one page."""
    routes: list[BaseRoute] = [
        Route("/", _first),
        *inbox_view.ROUTES,
        *sessions_view.ROUTES,
        *log_view.ROUTES,
        *rules_view.ROUTES,
        *overview_view.ROUTES,
        Mount("/static", StaticFiles(directory=FOLDER / "static")),
    ]
    app = Starlette(routes=routes)
    app.state.context = context
    return app


def _first(request: Request) -> Response:
    return RedirectResponse("/inbox", status_code=303)
